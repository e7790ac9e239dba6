/** The paths of the log's files (https://c2sp.org/tlog-tiles). Pure. */
import { FIRST_LOG_EPOCH_NUMBER } from './epochs';

export const MAX_HASHES_PER_TILE = 256;

export type PublicLogFileRef = { epoch: number } & EpochFile;

const SINGLE = [
  'checkpoint',
  /**
   * The statement about the database restore that began the epoch. The first epoch has no
   * statement.
   */
  'restore',
  'key',
  /** The newest checkpoint with an authority's timestamp, and the token of the timestamp. */
  'stamped-checkpoint',
  'stamped-checkpoint.tst',
  /** The newest checkpoint with the cosignatures of witnesses. */
  'cosigned-checkpoint',
] as const;

type EpochFile =
  | { [Kind in (typeof SINGLE)[number]]: { kind: Kind } }[(typeof SINGLE)[number]]
  | { kind: 'entries'; from: number; width: number }
  | { kind: 'hashes'; level: number; from: number; width: number };

const digits = (text: string, most: number) =>
  /^(0|[1-9]\d*)$/.test(text) && text.length <= most ? Number(text) : null;

/**
 * Parses a path below the log's URL. Returns null for an invalid path. Files of the first epoch are
 * at the top level. Files of a later epoch are below the epoch's number.
 */
export function parsePublicLogFilePath(path: readonly string[]): PublicLogFileRef | null {
  const [number = ''] = path;
  const epoch = /^[1-9]\d{0,5}$/.test(number) ? Number(number) : FIRST_LOG_EPOCH_NUMBER;
  if (number === String(FIRST_LOG_EPOCH_NUMBER)) return null;
  const file = epochFile(epoch === FIRST_LOG_EPOCH_NUMBER ? path : path.slice(1));
  return file && { epoch, ...file };
}

function epochFile(path: readonly string[]): EpochFile | null {
  const [first, kind, ...place] = path;
  const single = SINGLE.find((kind) => kind === first);
  if (path.length === 1 && single) return { kind: single };
  if (first !== 'tile' || kind === undefined) return null;
  const tile = tileOf(place);
  if (!tile) return null;
  const from = tile.index * MAX_HASHES_PER_TILE;
  if (kind === 'entries') return { kind, from, width: tile.width };
  const level = digits(kind, 2);
  return level === null || level > 63 ? null : { kind: 'hashes', level, from, width: tile.width };
}

/**
 * Parses a tile's path. For example, `x001/x234/067` is tile 1234067, and `….p/7` is a partial tile
 * of seven hashes.
 */
function tileOf(place: readonly string[]): { index: number; width: number } | null {
  const parts = [...place];
  let width = MAX_HASHES_PER_TILE;
  if (parts.at(-2)?.endsWith('.p')) {
    width = digits(parts.pop() ?? '', 3) ?? 0;
    parts.push(parts.pop()?.slice(0, -2) ?? '');
    if (width < 1 || width >= MAX_HASHES_PER_TILE) return null;
  }
  const last = parts.pop() ?? '';
  if (parts.length > 2 || parts[0] === 'x000') return null;
  if (!/^\d{3}$/.test(last) || !parts.every((part) => /^x\d{3}$/.test(part))) return null;
  return { index: Number([...parts.map((part) => part.slice(1)), last].join('')), width };
}
