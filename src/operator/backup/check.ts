/**
 * Implements `admin backup verify`, which is also the first step of a restore: reads the whole file
 * and lists damage. Writes no data.
 */
import { stat } from 'node:fs/promises';
import { config } from '@/config';
import { type BackupHeader, type BackupProgressListener, type DatabaseRowInBackup, readBackupArchive } from './archive';

/**
 * Maximum number of reported problems. More problems usually have a common cause, such as a bad
 * disk.
 */
const MAX_DAMAGED = 100;

export interface BackupCheckResult {
  /** Whether a restore would accept the file. */
  readonly ok: boolean;
  readonly file: string;
  readonly created_at: string | null;
  readonly bytes: number;
  /** Number of readable rows. */
  readonly rows: number;
  readonly damaged: readonly DamagedBackupPart[];
}

export interface DamagedBackupPart {
  /** The damaged file within the archive, or the place up to which the archive could be read. */
  readonly where: string;
  readonly problem: string;
}

/**
 * Reads the whole file and continues after damaged parts. Throws when there is no such file, or the
 * passphrase is wrong.
 */
export async function checkBackup(
  file: string,
  on_progress: BackupProgressListener = () => {},
): Promise<BackupCheckResult> {
  return (await check(file, on_progress)).check;
}

/**
 * Calls `work` with the header and the rows of a file that is completely readable. Throws a
 * one-line message when it is damaged.
 */
export async function runWithVerifiedBackupRows<Result>(
  file: string,
  on_progress: BackupProgressListener,
  work: (header: BackupHeader, batches: AsyncIterable<readonly DatabaseRowInBackup[]>) => Promise<Result>,
): Promise<Result> {
  const { check: result, header } = await check(file, () => {});
  if (result.ok && header) return work(header, readBatches(file, on_progress, result.bytes));
  const first = result.damaged[0];
  const what = first ? ` ${first.where}: ${first.problem}.` : '';
  throw new Error(`${file} is not a whole backup of Threshold.${what} \`backup verify\` lists all damage.`);
}

async function sizeOf(file: string): Promise<number> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    return stats.size;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`);
  }
}

async function check(file: string, on_progress: BackupProgressListener) {
  const bytes = await sizeOf(file);
  const damaged: DamagedBackupPart[] = [];
  let header: BackupHeader | null = null;
  let rows = 0;
  for await (const piece of readBackupArchive(file, config().backup_passphrase)) {
    if (piece.kind === 'header') header = piece.header;
    else if (piece.kind === 'rows') {
      rows += piece.rows.length;
      on_progress({ rows, bytes: piece.to_byte, of_bytes: bytes });
    } else if (damaged.length < MAX_DAMAGED) damaged.push({ where: piece.where, problem: piece.problem });
  }
  const ok = damaged.length === 0 && header !== null;
  return { header, check: { ok, file, created_at: header?.created_at ?? null, bytes, rows, damaged } };
}

/** Yields the rows of an undamaged file, a part at a time. */
async function* readBatches(
  file: string,
  on_progress: BackupProgressListener,
  of_bytes: number,
): AsyncGenerator<readonly DatabaseRowInBackup[]> {
  let rows = 0;
  for await (const piece of readBackupArchive(file, config().backup_passphrase)) {
    if (piece.kind === 'damaged')
      throw new Error(`The file changed while it was read: ${piece.where}: ${piece.problem}.`);
    if (piece.kind !== 'rows') continue;
    yield piece.rows;
    rows += piece.rows.length;
    on_progress({ rows, bytes: piece.to_byte, of_bytes });
  }
}
