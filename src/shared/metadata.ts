/** Metadata: a partner's own keys and values on a resource. */
import { z } from 'zod';
import { createRefusal } from './refusals/refusal';
import { addCrossFieldSchemaIssue } from './schemas';

export type Metadata = Record<string, string>;
/** Values to set. Null or an empty text removes the key. */
export type MetadataChange = Record<string, string | null>;

export const METADATA_MAX_KEYS = 50;
const LONGEST_KEY = 40;
const LONGEST_VALUE = 500;

const example = { booking_id: 'BK-20418' };

/** A resource's metadata. */
export const Metadata = z
  .record(z.string(), z.string())
  .meta({ description: 'Your own keys and values. Never shown to guests. Beta.', example });

/** Metadata in a request. */
export const MetadataChange = z
  .record(z.string(), z.string().max(LONGEST_VALUE, `must have at most ${LONGEST_VALUE} characters`).nullable())
  .superRefine((given, ctx) => {
    const wrong = Object.keys(given).find((key) => key.length < 1 || key.length > LONGEST_KEY);
    if (wrong !== undefined)
      addCrossFieldSchemaIssue(ctx, 'invalid_field', [], createRefusal('metadata_key_length', { most: LONGEST_KEY }));
  })
  .meta({
    description: `Your own keys and values, at most ${METADATA_MAX_KEYS}. Null or empty text removes a key. Others stay. Never shown to guests. Beta.`,
    propertyNames: { type: 'string', minLength: 1, maxLength: LONGEST_KEY },
    example,
  });
