/** Building blocks of the resource schemas: ids, dates, nullable fields, lists. */

import { z } from 'zod';
import { LANGUAGE_TAG_PATTERN, MAX_LANGUAGE_TAG_LENGTH, toCanonicalLanguageTag } from './guest-text/language-tag';
import { LETTER_PATTERN, normalizeSingleLineText } from './guest-text/names';
import { getIdPattern, type IdKind } from './id-kinds';
import { isRefusal, type Refusal } from './refusals/refusal';
import { SCHEMA_PROBLEMS } from './refusals/schema-problems';

const EXAMPLE_TAIL = '01jd8z6q0v7m3k5n9r2t4w6y8a';
const PREFIX: Partial<Record<IdKind, string>> = {};

/**
 * Returns an error message for a present but invalid value. A missing value keeps its own message
 * (error-translation.ts).
 */
export const createInvalidValueMessage = (message: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? undefined : message;

/** Defines an id in a response or a body, validated by its pattern. */
export function idField(kind: IdKind, description: string) {
  const pattern = getIdPattern(kind);
  PREFIX[kind] ??= pattern.source.slice(1, pattern.source.indexOf('['));
  return z
    .string()
    .regex(pattern, `must look like ${PREFIX[kind]}…`)
    .meta({ description, example: `${PREFIX[kind]}${EXAMPLE_TAIL}` });
}

/** Defines an id in a path. Any text is accepted, because an unknown id is a 404 and not a 400. */
export function urlPathIdField(kind: IdKind, description: string) {
  const pattern = getIdPattern(kind);
  PREFIX[kind] ??= pattern.source.slice(1, pattern.source.indexOf('['));
  return z.string().meta({ description, example: `${PREFIX[kind]}${EXAMPLE_TAIL}` });
}

/**
 * An id that a person pastes into the dashboard, possibly with white space. An invalid id matches
 * nothing.
 */
export const pastedIdField = z.string().trim().min(1).max(100);

/** Defines the `object` field, which contains the name of the resource's type. */
export function objectTypeField<T extends string>(name: T) {
  return z.literal(name).meta({ description: `Always \`${name}\`.` });
}

/** Defines a point in time in a response: ISO 8601, UTC, milliseconds. */
export function timestampField(description: string) {
  return z.iso.datetime().meta({ description, example: '2026-11-21T09:30:00.000Z' });
}

/** Defines an existing calendar day such as `2026-12-24`, since the year 1. */
export function calendarDateField(description: string, example = '2030-12-24') {
  const message = 'must be a calendar day like 2026-12-24';
  return z.iso
    .date({ error: createInvalidValueMessage(message) })
    .refine((day) => day >= '0001-01-01', message)
    .meta({ description, example, pattern: '^(?!0000)\\d{4}-\\d{2}-\\d{2}$' });
}

/** Defines required text. It is trimmed, and white space counts as missing. */
export function requiredTextField(max: number) {
  return z.string().trim().min(1).max(max, `must have at most ${max} characters`).meta({ pattern: '\\S' });
}

/**
 * Defines required text of one line, normalised for storage (names.ts). Invisible text counts as
 * missing.
 */
export function singleLineTextField(max: number) {
  return z
    .string()
    .overwrite(normalizeSingleLineText)
    .min(1)
    .max(max, `must have at most ${max} characters`)
    .meta({ pattern: '\\S' });
}

/** Defines a person's name, normalised for storage (names.ts). Invisible text counts as missing. */
export function personNameField(max: number) {
  return singleLineTextField(max).regex(LETTER_PATTERN, SCHEMA_PROBLEMS.wrong_without_letters).meta({ pattern: '\\S' });
}

/** Defines optional text. It is trimmed. Null and empty text clear it and are stored as null. */
export function optionalTextField(max: number) {
  return z
    .string()
    .trim()
    .max(max, `must have at most ${max} characters`)
    .nullable()
    .transform((text) => text || null);
}

export const EmailAddress = z
  .string()
  .trim()
  .min(1)
  .max(254, 'must have at most 254 characters')
  .pipe(z.email({ error: createInvalidValueMessage(SCHEMA_PROBLEMS.wrong_e_mail) }))
  .meta({ format: 'email', pattern: z.regexes.email.source });

/** A language tag, stored in canonical form. */
export const LanguageTag = z
  .string()
  .trim()
  .overwrite((text) => toCanonicalLanguageTag(text) ?? text)
  .refine((text) => toCanonicalLanguageTag(text) !== null, 'must be a BCP 47 language tag like `de` or `pt-BR`')
  .meta({ maxLength: MAX_LANGUAGE_TAG_LENGTH, pattern: LANGUAGE_TAG_PATTERN.source });

export const listLimitField = z
  .number({ error: 'must be a whole number from 1 to 100' })
  .int('must be a whole number from 1 to 100')
  .min(1, 'must be from 1 to 100')
  .max(100, 'must be from 1 to 100')
  .default(25)
  .meta({ description: 'How many items to return, 1 to 100.', example: 25 });

export const startingAfterCursorField = z
  .string()
  .meta({ description: 'Returns the page after the item with this id (older items).' })
  .optional();
export const endingBeforeCursorField = z
  .string()
  .meta({ description: 'Returns the page before the item with this id (newer items).' })
  .optional();

/** The query of every list: a limit, and the cursors for older and newer items. */
export const paginationQueryFields = {
  limit: listLimitField,
  starting_after: startingAfterCursorField,
  ending_before: endingBeforeCursorField,
};

/** Defines the list envelope (specification, "List envelope"). */
export function defineListEnvelope<T extends z.ZodType>(item: T, id: string) {
  const list = z
    .object({
      object: objectTypeField('list'),
      data: z.array(item).meta({ description: 'The items of this page, the newest first.' }),
      has_more: z.boolean().meta({ description: 'Whether there are more items in the direction of paging.' }),
      url: z.string().meta({ description: 'The path of the list.', example: '/v1/properties' }),
    })
    .meta({ id });
  return makeSchemaParseSynchronously(list);
}

/**
 * Makes tRPC use zod's compiled synchronous parser, which takes half the time. Otherwise tRPC
 * parses every schema asynchronously. Only for schemas without async parts.
 */
export function makeSchemaParseSynchronously<T extends z.ZodType>(schema: T): T {
  schema.parseAsync = async (value, parameters) => schema.parse(value, parameters);
  return schema;
}

/**
 * Defines the input of an operation. `null` is reported as invalid for an optional property, and as
 * missing for a required property.
 */
export function defineRequestInput<T extends z.ZodType>(schema: T): T {
  const error = (issue: { input?: unknown; path?: readonly PropertyKey[] }) =>
    issue.input === null && isOptionalAt(schema, issue.path ?? [])
      ? 'must not be null; leave it out instead'
      : undefined;
  schema.parseAsync = async (value, parameters) => schema.parse(value, { ...parameters, error });
  return schema;
}

/** Returns whether the property at this path is optional. */
function isOptionalAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  let at: z.core.$ZodType | undefined = schema;
  let optional = false;
  for (const part of path) {
    const { def } = unwrapped(at)._zod as {
      def: { shape?: Record<PropertyKey, z.core.$ZodType>; element?: z.core.$ZodType };
    };
    at = def.shape?.[part] ?? def.element;
    if (!at) return false;
    optional = at._zod.optin !== undefined;
  }
  return optional;
}

/** Returns the schema inside `optional`, `default`, `nullable` and a transformation. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType, in: input } = schema._zod.def as { innerType?: z.core.$ZodType; in?: z.core.$ZodType };
  const inner = innerType ?? input;
  return inner ? unwrapped(inner) : schema;
}

/** Defines the response to a deletion. */
export function defineDeletionResponse(object: string, id: string) {
  return z
    .object({
      id: z.string().meta({ description: 'The id of the deleted resource.' }),
      object: objectTypeField(object),
      deleted: z.literal(true).meta({ description: 'Always true.' }),
    })
    .meta({ id, description: 'The deleted resource.' });
}

/** Reports a cross-field problem with a code of the error catalogue. */
export function addCrossFieldSchemaIssue(
  ctx: z.RefinementCtx,
  code: string,
  path: (string | number)[],
  message: string | Refusal,
): void {
  const params = { code, ...(isRefusal(message) && { refusal: message }) };
  ctx.addIssue({ code: 'custom', message: String(message), path, params });
}
