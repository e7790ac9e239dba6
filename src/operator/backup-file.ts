/**
 * The file of a backup: gzip over lines of JSON. The first line says what it is; every other line is one row,
 * `["table", {column: value, …}]`. `zcat FILE | head` shows it.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { z } from 'zod';

const FORMAT = 'threshold-backup';

const Header = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  created_at: z.iso.datetime(),
  /** The migrations the rows belong to. A restore applies these, loads, and leaves newer ones to the next start. */
  migrations: z.array(z.string()).min(1),
  /** The master secret of an embedded installation: without it nothing encrypted can be read. Null when APP_SECRET is the operator's. */
  app_secret: z.string().nullable(),
  /** Tells whether another APP_SECRET is the right one. */
  app_secret_check: z.string(),
  rows: z.number().int(),
});
export type BackupHeader = z.infer<typeof Header>;

/** One row: its table, and its columns as PostgreSQL's row_to_json gives them, still as text. */
export interface BackupRow {
  readonly table: string;
  readonly json: string;
}

/** A one-way mark of a secret. */
export function secretCheck(secret: string): string {
  return createHash('sha256').update(`threshold-backup\0${secret}`).digest('hex');
}

/** Writes the file, readable by its owner only, replacing one of that name in a single step. Returns its size in bytes. */
export async function writeBackup(
  file: string,
  header: Omit<BackupHeader, 'format' | 'version' | 'rows'>,
  rows: readonly BackupRow[],
): Promise<number> {
  const first = JSON.stringify({ format: FORMAT, version: 1, ...header, rows: rows.length });
  const lines = rows.map(({ table, json }) => `[${JSON.stringify(table)},${json}]`);
  const bytes = await promisify(gzip)(`${[first, ...lines].join('\n')}\n`);
  const scratch = `${file}.${process.pid}.partial`;
  try {
    await writeFile(scratch, bytes, { mode: 0o600 });
    await rename(scratch, file);
  } finally {
    await rm(scratch, { force: true });
  }
  return bytes.length;
}

async function* readLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const plain = createGunzip();
  source.on('error', (error) => plain.destroy(error));
  const lines = createInterface({ input: source.pipe(plain), crlfDelay: Number.POSITIVE_INFINITY });
  // readline does not pass its input's errors on: without this a cut-off file would read as a short one.
  let failure: Error | null = null;
  plain.on('error', (error) => {
    failure = error;
    lines.close();
  });
  yield* lines;
  if (failure) throw failure;
}

/** Reads a whole backup. Throws with one line for the operator when the file is no backup or is cut short. */
export async function readBackup(file: string): Promise<{ header: BackupHeader; rows: BackupRow[] }> {
  const rows: BackupRow[] = [];
  let header: BackupHeader | null = null;
  try {
    for await (const line of readLines(file)) {
      if (header) rows.push(parseRow(line));
      else header = Header.parse(JSON.parse(line));
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw new Error(`There is no file ${file}.`);
    if (code === 'EACCES' || code === 'EISDIR') throw new Error(`${file} cannot be read (${code}).`);
    throw new Error(`${file} is not a whole backup of Threshold.`, { cause: error });
  }
  if (!header || header.rows !== rows.length) throw new Error(`${file} is not a whole backup of Threshold.`);
  return { header, rows };
}

/** The row's own text is kept: parsing it would round numbers beyond 2^53. */
function parseRow(line: string): BackupRow {
  const match = /^\["([a-z0-9_]+)",(\{.*\})\]$/s.exec(line);
  if (!match?.[1] || !match[2]) throw new Error('Not a row.');
  return { table: match[1], json: match[2] };
}
