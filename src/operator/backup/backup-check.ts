/** `admin backup verify`, and what a restore does first: reads all of a file and says what is damaged. Writes nothing. */
import { type FileHandle, open } from 'node:fs/promises';
import { type BackupHeader, type BackupRow, type OnProgress, parseRow, readPieces } from './backup-file';

/** More stretches than this are one bad disk. */
const MAX_DAMAGED = 100;
/** What a restore hands to the database at once, unless a single row is larger. */
const BATCH_BYTES = 1024 * 1024;

export interface BackupCheck {
  /** Whether a restore would take it. Of a check that began further on, whether what it read is whole. */
  readonly ok: boolean;
  readonly file: string;
  readonly created_at: string | null;
  readonly bytes: number;
  /** Those that could be read. */
  readonly rows: number;
  readonly damaged: readonly DamagedStretch[];
}

export interface DamagedStretch {
  readonly from_byte: number;
  readonly to_byte: number;
  readonly problem: string;
  /** The table whose rows were read last before it; null at the start. */
  readonly after_table: string | null;
}

/**
 * Reads the whole file, past what is damaged. `from_byte` goes on with a check that was interrupted: a file of the
 * present version is one of blocks that each stand for themselves. Throws when there is no such file.
 */
export async function checkBackup(
  file: string,
  on_progress: OnProgress = () => {},
  from_byte = 0,
): Promise<BackupCheck> {
  const handle = await openFile(file);
  try {
    return (await check(handle, file, on_progress, from_byte)).check;
  } finally {
    await handle.close();
  }
}

/** Gives `work` the header and the rows of a file that was read to its end and found whole. Throws with one line when it is not. */
export async function withWholeBackup<Result>(
  file: string,
  on_progress: OnProgress,
  work: (header: BackupHeader, batches: AsyncIterable<readonly BackupRow[]>) => Promise<Result>,
): Promise<Result> {
  const handle = await openFile(file);
  try {
    const { check: result, header } = await check(handle, file, () => {}, 0);
    const first = result.damaged[0];
    if (first || !header) {
      const where = first ? ` Bytes ${first.from_byte} to ${first.to_byte}: ${first.problem}.` : '';
      throw new Error(`${file} is not a whole backup of Threshold.${where} \`backup verify\` reads on and says all.`);
    }
    return await work(header, readBatches(handle, on_progress));
  } finally {
    await handle.close();
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, 'r');
    if (!(await handle.stat()).isDirectory()) return handle;
    await handle.close();
    throw Object.assign(new Error(), { code: 'EISDIR' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Error(`There is no file ${file}.`);
    throw new Error(`${file} cannot be read (${code}).`);
  }
}

async function check(handle: FileHandle, file: string, on_progress: OnProgress, start: number) {
  const { size } = await handle.stat();
  const damaged: DamagedStretch[] = [];
  let header: BackupHeader | null = null;
  let after_table: string | null = null;
  let rows = 0;
  for await (const piece of readPieces(handle, start)) {
    if (piece.kind === 'header') header = piece.header;
    if (piece.kind === 'damaged' && damaged.length < MAX_DAMAGED) {
      const { from_byte, to_byte, problem } = piece;
      damaged.push({ from_byte, to_byte, problem, after_table });
    }
    if (piece.kind !== 'rows') continue;
    for (const line of piece.lines) {
      const row = parseRow(line);
      if (row) [rows, after_table] = [rows + 1, row.table];
      else damaged.push({ from_byte: piece.to_byte, to_byte: piece.to_byte, problem: 'a line is no row', after_table });
    }
    on_progress({ rows, bytes: piece.to_byte, of_bytes: size });
  }
  const ok = damaged.length === 0 && (header !== null || start > 0);
  return { header, check: { ok, file, created_at: header?.created_at ?? null, bytes: size, rows, damaged } };
}

/** The rows of a whole file by tables, a bounded number of bytes at a time. */
async function* readBatches(handle: FileHandle, on_progress: OnProgress): AsyncGenerator<readonly BackupRow[]> {
  const { size } = await handle.stat();
  let batch: BackupRow[] = [];
  let bytes = 0;
  let rows = 0;
  for await (const piece of readPieces(handle)) {
    if (piece.kind === 'damaged') throw new Error(`The file changed while it was read: ${piece.problem}.`);
    if (piece.kind !== 'rows') continue;
    for (const line of piece.lines) {
      const row = parseRow(line);
      if (!row) throw new Error('The file changed while it was read: a line is no row.');
      const other_table = batch[0] !== undefined && batch[0].table !== row.table;
      if (batch.length > 0 && (other_table || bytes + line.length > BATCH_BYTES)) {
        yield batch;
        [batch, bytes] = [[], 0];
      }
      batch.push(row);
      bytes += line.length;
      rows++;
    }
    on_progress({ rows, bytes: piece.to_byte, of_bytes: size });
  }
  if (batch.length > 0) yield batch;
}
