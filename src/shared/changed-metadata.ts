/**
 * Applies changes of metadata. This file is separate from metadata.ts, because browsers load
 * metadata.ts with the schemas.
 */
import { AppError } from './errors';
import { METADATA_MAX_KEYS, type Metadata, type MetadataChange } from './metadata';
import { createRefusal } from './refusals/refusal';

/** Returns the metadata after a change. Throws invalid_field (`metadata`) for too many keys. */
export function applyMetadataChange(stored: Metadata, change: MetadataChange): Metadata {
  const merged = Object.entries({ ...stored, ...change }).filter((entry): entry is [string, string] => !!entry[1]);
  if (merged.length > METADATA_MAX_KEYS)
    throw new AppError('invalid_field', {
      param: 'metadata',
      message: createRefusal('metadata_most_keys', { most: METADATA_MAX_KEYS }),
    });
  return Object.fromEntries(merged);
}

/** Returns whether two values are equal, regardless of the order of their keys. */
export const isSameMetadata = (one: Metadata, other: Metadata): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => Object.hasOwn(other, key) && other[key] === value);
