/**
 * The file of a backup: lines of JSON in compressed blocks (backup-blocks.ts); `zcat FILE | head -c 1000` shows it. The
 * first line says what it is, every other line is one row, `["table", {column: value, …}]`, and the last one counts
 * them. Version 1, one gzip stream whose first line has the count, is still read.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { encodeBlock, readBlocks, startsWithBlock } from './backup-blocks';

const FORMAT = 'threshold-backup';
const VERSION = 2;
/** Text in a block: what a backup, a check and a restore each hold at a time, unless a single row is larger. */
const BLOCK_BYTES = 1024 * 1024;
const MAX_LINE_BYTES = 0x1fff_0000;
const NEWLINE = 10;
const CHUNK_BYTES = 64 * 1024;

const Header = z.object({
  format: z.literal(FORMAT),
  version: z.number().int(),
  created_at: z.iso.datetime(),
  /** The migrations the rows belong to. A restore applies these, loads, and leaves newer ones to the next start. */
  migrations: z.array(z.string()).min(1),
  /** The master secret of an embedded installation: without it nothing encrypted can be read. Null when APP_SECRET is the operator's. */
  app_secret: z.string().nullable(),
  /** Tells whether another APP_SECRET is the right one. */
  app_secret_check: z.string(),
  /** Of version 1. */
  rows: z.number().int().optional(),
});
export type BackupHeader = z.infer<typeof Header>;

const End = z.object({ end: z.literal(true), rows: z.number().int() });

/** One row: its table, and its columns as PostgreSQL's row_to_json gives them, still as text. */
export interface BackupRow {
  readonly table: string;
  readonly json: string;
}

/** How far a backup, a check or a restore is. */
export interface Progress {
  readonly rows: number;
  /** Of the file. */
  readonly bytes: number;
  /** The file's size, where it is known. */
  readonly of_bytes?: number;
}
export type OnProgress = (progress: Progress) => void;

/** A one-way mark of a secret. */
export function secretCheck(secret: string): string {
  return createHash('sha256').update(`threshold-backup\0${secret}`).digest('hex');
}

/** Takes rows one by one and writes a block whenever there are enough. */
export class BackupWriter {
  #lines: string[] = [];
  #waiting_bytes = 0;
  #waiting_rows = 0;
  #index = 0;
  #rows = 0;
  #bytes = 0;
  readonly #id = randomBytes(16);

  private constructor(
    private readonly file: FileHandle,
    private readonly on_progress: OnProgress,
  ) {}

  /**
   * Has `work` fill the file, which is readable by its owner only and replaces one of that name in a single step at the
   * end. Returns its size and rows.
   */
  static async write(
    file: string,
    header: Omit<BackupHeader, 'format' | 'version' | 'rows'>,
    work: (writer: BackupWriter) => Promise<void>,
    on_progress: OnProgress,
  ): Promise<{ bytes: number; rows: number }> {
    const scratch = `${file}.${process.pid}.partial`;
    try {
      const handle = await open(scratch, 'w', 0o600);
      const writer = new BackupWriter(handle, on_progress);
      try {
        await writer.#block(JSON.stringify({ format: FORMAT, version: VERSION, ...header }));
        await work(writer);
        await writer.#flush();
        await writer.#block(JSON.stringify({ end: true, rows: writer.#rows }));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(scratch, file);
      return { bytes: writer.#bytes, rows: writer.#rows };
    } finally {
      await rm(scratch, { force: true });
    }
  }

  async add({ table, json }: BackupRow): Promise<void> {
    const line = `[${JSON.stringify(table)},${json}]`;
    this.#lines.push(line);
    this.#waiting_bytes += line.length;
    this.#waiting_rows++;
    if (this.#waiting_bytes >= BLOCK_BYTES) await this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#lines.join('\n');
    const rows = this.#waiting_rows;
    [this.#lines, this.#waiting_bytes, this.#waiting_rows] = [[], 0, 0];
    if (rows > 0) await this.#block(text, rows);
  }

  async #block(text: string, rows = 0): Promise<void> {
    const block = await encodeBlock(this.#index++, rows, this.#id, Buffer.from(`${text}\n`));
    await this.file.writeFile(block);
    this.#bytes += block.length;
    this.#rows += rows;
    this.on_progress({ rows: this.#rows, bytes: this.#bytes });
  }
}

/** What is read of a file, in its order. A stretch that cannot be read is `damaged`; the rest is whole. */
export type Piece =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'rows'; readonly lines: readonly string[]; readonly to_byte: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'damaged'; readonly from_byte: number; readonly to_byte: number; readonly problem: string };

/** Reads a file piece by piece, from a byte on where the version has blocks. */
export async function* readPieces(handle: FileHandle, from_byte = 0): AsyncGenerator<Piece> {
  if (from_byte > 0 || (await startsWithBlock(handle))) yield* readVersion2(handle, from_byte);
  else yield* readVersion1(handle);
}

function parseHeader(line: string): BackupHeader {
  const header = Header.parse(JSON.parse(line));
  if (header.version > VERSION) throw new Error('was made by a newer version of Threshold');
  return header;
}

async function* readVersion2(handle: FileHandle, start: number): AsyncGenerator<Piece> {
  const { size } = await handle.stat();
  let expected = start > 0 ? null : 0;
  let id: string | null = null;
  let rows = start > 0 ? null : 0;
  let ended = false;
  for await (const block of readBlocks(handle, start)) {
    const { from_byte, to_byte } = block;
    if ('problem' in block) {
      yield { kind: 'damaged', from_byte, to_byte, problem: block.problem };
      [expected, rows] = [null, null];
      continue;
    }
    id ??= block.id;
    const problem =
      block.id !== id
        ? 'is of another backup'
        : ended
          ? 'comes after the end'
          : expected !== null && block.index !== expected
            ? `is block ${block.index} where ${expected} belongs`
            : null;
    if (problem) yield { kind: 'damaged', from_byte, to_byte, problem };
    if (block.id !== id || ended) continue;
    expected = block.index + 1;
    const lines = block.text.toString('utf8').trimEnd().split('\n');
    if (block.rows > 0) {
      if (rows !== null) rows += block.rows;
      yield { kind: 'rows', lines, to_byte };
    } else if (block.index === 0) {
      yield { kind: 'header', header: parseHeader(lines[0] ?? '') };
    } else {
      ended = true;
      const end = End.parse(JSON.parse(lines[0] ?? ''));
      if (rows !== null && rows !== end.rows) {
        yield { kind: 'damaged', from_byte, to_byte, problem: `counts ${end.rows} rows where ${rows} are` };
      }
      yield { kind: 'end' };
    }
  }
  if (!ended) yield { kind: 'damaged', from_byte: size, to_byte: size, problem: 'the end is missing' };
}

async function* readVersion1(handle: FileHandle): AsyncGenerator<Piece> {
  const { size } = await handle.stat();
  let header: BackupHeader | null = null;
  let rows = 0;
  let position = 0;
  const read = async function* () {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  };
  const source = Readable.from(read());
  const plain = createGunzip();
  source.on('error', (error) => plain.destroy(error));
  try {
    for await (const line of splitLines(source.pipe(plain))) {
      if (header) {
        rows++;
        yield { kind: 'rows', lines: [line], to_byte: position };
      } else {
        header = parseHeader(line);
        if (header.version !== 1) throw new Error('is packed in another way than it was written');
        yield { kind: 'header', header };
      }
    }
    if (!header || header.rows !== rows) throw new Error(`counts ${header?.rows ?? 0} rows where ${rows} are`);
    yield { kind: 'end' };
  } catch (error) {
    const problem =
      error instanceof z.ZodError || error instanceof SyntaxError ? 'is no backup' : (error as Error).message;
    yield { kind: 'damaged', from_byte: 0, to_byte: size, problem };
  } finally {
    source.destroy();
    plain.destroy();
  }
}

async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      parts.push(chunk.subarray(from, end));
      yield Buffer.concat(parts).toString('utf8');
      [parts, bytes, from] = [[], 0, end + 1];
    }
    const rest = chunk.subarray(from);
    bytes += rest.length;
    if (bytes > MAX_LINE_BYTES) throw new Error('has a line that is too long');
    if (rest.length > 0) parts.push(rest);
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString('utf8');
}

/** The row's own text is kept: parsing it would round numbers beyond 2^53. Null when the line is no row. */
export function parseRow(line: string): BackupRow | null {
  const match = /^\["([a-z0-9_]+)",(\{.*\})\]$/s.exec(line);
  return match?.[1] && match[2] ? { table: match[1], json: match[2] } : null;
}
