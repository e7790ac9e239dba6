/**
 * Checks the values of read-only fields in an update. This file is separate from read-only.ts,
 * because browsers load read-only.ts with the schemas.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from './errors';
import { isTimestampField } from './read-only';
import { createRefusal } from './refusals/refusal';

/**
 * Throws invalid_field when a read-only field differs from the stored value. Timestamps are
 * ignored.
 */
export function assertReadOnlyFieldsUnchanged(given: Record<string, unknown>, stored: object): void {
  for (const [param, value] of Object.entries(given)) {
    if (value === undefined || isTimestampField(param)) continue;
    if (!isDeepStrictEqual(value, stored[param as keyof typeof stored]))
      throw new AppError('invalid_field', { param, message: createRefusal('field_cannot_change', { field: param }) });
  }
}
