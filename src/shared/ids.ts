/**
 * Generates prefixed, time-sortable ids: `res_` + ULID in lower case. Within one process, ids of
 * the same millisecond increase, so that "newest first, then id" is the order of creation.
 */
import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import { clock } from './clock';
import { ID_PREFIXES, type IdKind } from './id-kinds';

/**
 * Random bytes are generated in blocks. Generating one at a time, as ulid does, took 3 % of the
 * time of a read request.
 */
const block = new Uint8Array(4_096);
let drawn = block.length;
function random(): number {
  if (drawn === block.length) {
    randomFillSync(block);
    drawn = 0;
  }
  return (block[drawn++] as number) / 256;
}

let next = monotonicFactory(random);

/** Resets the last id. Only for tests, because a test file may set the clock back. */
export function resetIdSequence(): void {
  next = monotonicFactory(random);
}

/** Returns a new id of the kind, for example `prop_01jd…`. */
export function newId(kind: IdKind): string {
  return ID_PREFIXES[kind] + next(clock().now().getTime()).toLowerCase();
}
