/** Computes the `previous_attributes` of an event. Pure. */
import { isDeepStrictEqual } from 'node:util';

/**
 * Returns the previous values of the changed fields. A change of `updated_at` alone does not count.
 */
export function getPreviousAttributes<Resource extends object>(before: Resource, after: Resource): Partial<Resource> {
  const changed = Object.entries(before).filter(
    ([field, value]) => field !== 'updated_at' && !isDeepStrictEqual(value, after[field as keyof Resource]),
  );
  return Object.fromEntries(changed) as Partial<Resource>;
}
