/**
 * The file of a backup: a tar archive that `tar`, `gzip` and `sha256sum` can read
 * (docs/operating.md, "Backups"). It contains
 *
 * - `backup.json`: the format and its version, the migrations, and the master secret of an embedded
 *   installation,
 * - `TABLE/000001.jsonl.gz`, …: rows in the form of PostgreSQL's row_to_json, one per line, about a
 *   megabyte per file,
 * - `SHA256SUMS`, at the end: the hash of every file before it.
 *
 * With a passphrase the archive is encrypted in the format of age (age-encryption.org).
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import tar from 'tar-stream';
import { z } from 'zod';

const FORMAT = 'threshold-backup';
const VERSION = 1;
/**
 * Size of a part's text, unless a single row is larger. A backup, a check and a restore keep one
 * part in memory.
 */
const PART_BYTES = 1024 * 1024;
/**
 * Maximum size of a part, which is the maximum length of a JavaScript string. A larger part is
 * damaged.
 */
const MAX_PART_BYTES = 0x1fff_0000;
/**
 * Rows of at least this size are not compressed. They are pictures and sealed PDFs, which
 * compression would not make smaller.
 */
const LARGE_ROW_BYTES = 64 * 1024;
/** Cost of scrypt. 2^16 rounds take 64 MB of memory, whereas the default takes 256 MB. */
const SCRYPT_LOG_N = 16;

const HEADER_FILE = 'backup.json';
const SUMS_FILE = 'SHA256SUMS';
const PART = /^([a-z0-9_]+)\/\d{6,}\.jsonl\.gz$/;

const Header = z.object({
  format: z.literal(FORMAT),
  version: z.number().int(),
  created_at: z.iso.datetime(),
  /**
   * The migrations of the backed-up database. A restore applies them and loads the rows. The next
   * start then applies newer migrations.
   */
  migrations: z.array(z.string()).min(1),
  /**
   * The master secret of an embedded installation, which is needed to decrypt the data. Null when
   * the operator sets APP_SECRET.
   */
  app_secret: z.string().nullable(),
  /** A check value of the installation's APP_SECRET. */
  app_secret_check: z.string(),
});
export type BackupHeader = z.infer<typeof Header>;

/**
 * One row: its table, and its columns as JSON text. The text is not parsed, because parsing would
 * round numbers beyond 2^53.
 */
export interface DatabaseRowInBackup {
  readonly table: string;
  readonly json: string;
}

/** Progress of a backup, a check or a restore. */
export interface BackupProgress {
  readonly rows: number;
  /** Number of processed bytes of the file. */
  readonly bytes: number;
  /** The file's size, when known. */
  readonly of_bytes?: number;
}
export type BackupProgressListener = (progress: BackupProgress) => void;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Accepts rows table by table and writes them to files of about a megabyte. */
export class BackupArchiveWriter {
  readonly #pack = tar.pack();
  readonly #sums: string[] = [];
  #table = '';
  #part = 0;
  #lines: string[] = [];
  #line_bytes = 0;
  #rows = 0;
  #bytes = 0;

  private constructor(private readonly on_progress: BackupProgressListener) {}

  /**
   * Creates an archive that `work` fills. Only the owner can read its file. At the end it
   * atomically replaces an older file of the same name. Returns the archive's size and number of
   * rows.
   */
  static async write(
    file: string,
    header: Omit<BackupHeader, 'format' | 'version'>,
    options: { passphrase?: string | undefined; on_progress: BackupProgressListener },
    work: (writer: BackupArchiveWriter) => Promise<void>,
  ): Promise<{ bytes: number; rows: number }> {
    const scratch = `${file}.${process.pid}.partial`;
    const writer = new BackupArchiveWriter(options.on_progress);
    try {
      await Promise.all([writer.#fill(header, work), writer.#save(scratch, options.passphrase)]);
      await rename(scratch, file);
      const written = { rows: writer.#rows, bytes: writer.#bytes };
      options.on_progress(written);
      return written;
    } finally {
      await rm(scratch, { force: true });
    }
  }

  async add({ table, json }: DatabaseRowInBackup): Promise<void> {
    if (table !== this.#table) {
      await this.#flush();
      [this.#table, this.#part] = [table, 0];
    }
    this.#lines.push(json);
    this.#line_bytes += json.length;
    if (this.#line_bytes >= PART_BYTES) await this.#flush();
  }

  async #fill(header: object, work: (writer: BackupArchiveWriter) => Promise<void>): Promise<void> {
    try {
      const head = { format: FORMAT, version: VERSION, ...header };
      await this.#entry(HEADER_FILE, Buffer.from(`${JSON.stringify(head, null, 2)}\n`));
      await work(this);
      await this.#flush();
      await this.#entry(SUMS_FILE, Buffer.from(this.#sums.join('')));
      this.#pack.finalize();
    } catch (error) {
      this.#pack.destroy(error as Error);
      throw error;
    }
  }

  async #flush(): Promise<void> {
    if (this.#lines.length === 0) return;
    const rows = this.#lines.length;
    const text = Buffer.from(`${this.#lines.join('\n')}\n`);
    [this.#lines, this.#line_bytes] = [[], 0];
    const strategy = text.length > rows * LARGE_ROW_BYTES ? constants.Z_HUFFMAN_ONLY : constants.Z_DEFAULT_STRATEGY;
    const name = `${this.#table}/${String(++this.#part).padStart(6, '0')}.jsonl.gz`;
    await this.#entry(name, await promisify(gzip)(text, { level: 1, strategy }));
    this.#rows += rows;
    this.on_progress({ rows: this.#rows, bytes: this.#bytes });
  }

  /** Resolves once the archive has accepted the whole entry. */
  #entry(name: string, bytes: Buffer): Promise<void> {
    this.#sums.push(`${sha256(bytes)}  ${name}\n`);
    return new Promise((done, fail) =>
      this.#pack.entry({ name, size: bytes.length, mode: 0o600 }, bytes, (error) => (error ? fail(error) : done())),
    );
  }

  async #save(scratch: string, passphrase: string | undefined): Promise<void> {
    const handle = await open(scratch, 'w', 0o600);
    try {
      for await (const chunk of passphrase ? await encrypted(this.#pack, passphrase) : this.#pack) {
        await handle.writeFile(chunk as Uint8Array);
        this.#bytes += (chunk as Uint8Array).length;
      }
      await handle.sync();
    } catch (error) {
      this.#pack.destroy(error as Error);
      throw error;
    } finally {
      await handle.close();
    }
  }
}

type Bytes = AsyncIterable<Uint8Array>;

function encrypted(plain: Bytes, passphrase: string): Promise<Bytes> {
  const age = new Encrypter();
  age.setPassphrase(passphrase);
  age.setScryptWorkFactor(SCRYPT_LOG_N);
  return age.encrypt(ReadableStream.from(plain) as Parameters<typeof age.encrypt>[0]) as unknown as Promise<Bytes>;
}

function decrypted(secret: Bytes, passphrase: string): Promise<Bytes> {
  const age = new Decrypter();
  age.addPassphrase(passphrase);
  return age.decrypt(ReadableStream.from(secret) as Parameters<typeof age.decrypt>[0]) as unknown as Promise<Bytes>;
}

/** The parts of a backup, in their order in the file. */
export type BackupArchivePart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'rows'; readonly rows: readonly DatabaseRowInBackup[]; readonly to_byte: number }
  | { readonly kind: 'damaged'; readonly where: string; readonly problem: string };

/**
 * Reads a file part by part. A part that does not match its hash is reported as `damaged`. Its rows
 * may already have been returned, because the hashes are at the end. Throws when the file is
 * encrypted and the passphrase is missing or wrong.
 */
export async function* readBackupArchive(
  file: string,
  passphrase: string | undefined,
): AsyncGenerator<BackupArchivePart> {
  const sums = new Map<string, string>();
  let listed: string | null = null;
  let to_byte = 0;
  const read = async function* () {
    for await (const chunk of createReadStream(file)) {
      to_byte += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  };
  try {
    for await (const { name, bytes } of readEntries(await plainBytes(file, read(), passphrase))) {
      if (listed !== null) throw new Error(`${name} comes after the end`);
      if (name === SUMS_FILE) {
        listed = bytes.toString();
        continue;
      }
      sums.set(name, sha256(bytes));
      const table = PART.exec(name)?.[1];
      if (table) {
        const rows = await rowsOf(table, bytes);
        yield rows
          ? { kind: 'rows', rows, to_byte }
          : { kind: 'damaged', where: name, problem: 'cannot be unpacked to rows' };
      } else if (name === HEADER_FILE) yield { kind: 'header', header: parseHeader(bytes.toString()) };
      else yield { kind: 'damaged', where: name, problem: 'is no part of a backup' };
    }
    if (listed === null) throw new Error('the end is missing');
  } catch (error) {
    if (error instanceof PassphraseError) throw error;
    yield { kind: 'damaged', where: `before byte ${to_byte}`, problem: (error as Error).message };
    return;
  }
  const expected = new Map(listed.split('\n').map((line) => [line.slice(66), line.slice(0, 64)]));
  expected.delete('');
  for (const [name, sum] of sums) {
    if (expected.get(name) !== sum)
      yield { kind: 'damaged', where: name, problem: `does not match its hash in ${SUMS_FILE}` };
    expected.delete(name);
  }
  for (const name of expected.keys()) yield { kind: 'damaged', where: name, problem: 'is missing' };
}

/** Thrown when the passphrase is missing or wrong, as opposed to a damaged file. */
class PassphraseError extends Error {}

const AGE = 'age-encryption.org/v1\n';

async function plainBytes(file: string, bytes: Bytes, passphrase: string | undefined): Promise<Bytes> {
  const handle = await open(file);
  const { buffer } = await handle.read(Buffer.alloc(AGE.length), 0, AGE.length, 0).finally(() => handle.close());
  if (buffer.toString('latin1') !== AGE) return bytes;
  if (!passphrase) throw new PassphraseError('The backup is encrypted: set BACKUP_PASSPHRASE to its passphrase.');
  return decrypted(bytes, passphrase).catch((error: Error) => {
    throw new PassphraseError(`BACKUP_PASSPHRASE does not open the backup (${error.message}).`);
  });
}

/** Yields the files of a tar archive, one at a time in memory. */
async function* readEntries(bytes: Bytes): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const extract = tar.extract();
  const source = Readable.from(bytes);
  source.on('error', (error) => extract.destroy(error));
  source.pipe(extract);
  try {
    for await (const entry of extract) {
      const { name, size = 0, type } = entry.header;
      if (type !== 'file' || size > MAX_PART_BYTES) throw new Error(`${name} is no part of a backup`);
      const chunks: Buffer[] = [];
      for await (const chunk of entry) chunks.push(chunk as Buffer);
      yield { name, bytes: Buffer.concat(chunks) };
    }
  } finally {
    source.destroy();
    extract.destroy();
  }
}

/** Returns the rows of a part, or null when the part is damaged. */
async function rowsOf(table: string, bytes: Buffer): Promise<DatabaseRowInBackup[] | null> {
  const text = await promisify(gunzip)(bytes, { maxOutputLength: MAX_PART_BYTES }).catch(() => null);
  const lines = text?.toString().split('\n') ?? [];
  if (lines.pop() !== '' || lines.some((line) => !/^\{.*\}$/s.test(line))) return null;
  return lines.map((json) => ({ table, json }));
}

function parseHeader(text: string): BackupHeader {
  const { success, data } = Header.safeParse(JSON.parse(text));
  if (!success) throw new Error('is no backup of Threshold');
  if (data.version > VERSION) throw new Error('was made by a newer version of Threshold');
  return data;
}
