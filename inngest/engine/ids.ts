import { monotonicFactory } from 'ulid';

const next = monotonicFactory();

/** A ULID; those of one process grow in the order of creation, so that jobs of one millisecond keep their order. */
export function newUlid(now: Date): string {
  return next(now.getTime());
}
