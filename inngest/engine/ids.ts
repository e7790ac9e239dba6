import { monotonicFactory } from 'ulid';

const next = monotonicFactory();

/**
 * Returns a ULID. The ULIDs of a process increase in order of creation, so that jobs of the same
 * millisecond keep their order.
 */
export function generateUlid(now: Date): string {
  return next(now.getTime());
}
