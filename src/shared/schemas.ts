/** Building blocks of the resource schemas: ids, dates, nullable fields, lists. */

import { z } from 'zod';
import { canonicalLanguageTag, LANGUAGE_TAG, LONGEST_LANGUAGE_TAG } from './guest-text/language-tag';
import { LETTER, visibleLine } from './guest-text/names';
import { type IdKind, idPattern } from './id-kinds';
import { isRefusal, type Refusal } from './refusals/refusal';

const EXAMPLE_TAIL = '01jd8z6q0v7m3k5n9r2t4w6y8a';
const PREFIX: Partial<Record<IdKind, string>> = {};

/** An error message for a value that is there and wrong; an absent one keeps its own (error-translation.ts). */
export const says = (message: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? undefined : message;

/** An id in a response or a body, held to its pattern. */
export function idOf(kind: IdKind, description: string) {
  const pattern = idPattern(kind);
  PREFIX[kind] ??= pattern.source.slice(1, pattern.source.indexOf('['));
  return z
    .string()
    .regex(pattern, `must look like ${PREFIX[kind]}…`)
    .meta({ description, example: `${PREFIX[kind]}${EXAMPLE_TAIL}` });
}

/** An id in a path. Any text: one that names nothing is a 404, not a 400. */
export function pathId(kind: IdKind, description: string) {
  const pattern = idPattern(kind);
  PREFIX[kind] ??= pattern.source.slice(1, pattern.source.indexOf('['));
  return z.string().meta({ description, example: `${PREFIX[kind]}${EXAMPLE_TAIL}` });
}

/** An id that a person gives the dashboard: pasted, with what is around it. What is no id is found nowhere. */
export const pastedId = z.string().trim().min(1).max(100);

/** The name of a resource in its `object`. */
export function objectName<T extends string>(name: T) {
  return z.literal(name).meta({ description: `Always \`${name}\`.` });
}

/** A point in time in a response: ISO 8601, UTC, milliseconds. */
export function timestamp(description: string) {
  return z.iso.datetime().meta({ description, example: '2026-11-21T09:30:00.000Z' });
}

/** A calendar day, `2026-12-24`, that exists; the calendar begins with the year 1. */
export function calendarDate(description: string, example = '2030-12-24') {
  const message = 'must be a calendar day like 2026-12-24';
  return z.iso
    .date({ error: says(message) })
    .refine((day) => day >= '0001-01-01', message)
    .meta({ description, example, pattern: '^(?!0000)\\d{4}-\\d{2}-\\d{2}$' });
}

/** Required text: trimmed, and only spaces count as missing. */
export function requiredText(max: number) {
  return z.string().trim().min(1).max(max, `must have at most ${max} characters`).meta({ pattern: '\\S' });
}

/** Required text of one line, as it is kept (names.ts); what shows nothing counts as missing. */
export function lineText(max: number) {
  return z
    .string()
    .overwrite(visibleLine)
    .min(1)
    .max(max, `must have at most ${max} characters`)
    .meta({ pattern: '\\S' });
}

/** A person's name as it is kept (names.ts); what shows nothing counts as missing. */
export function nameText(max: number) {
  return lineText(max).regex(LETTER, 'must contain a letter').meta({ pattern: '\\S' });
}

/** Optional text: trimmed; null clears it, and so does an empty text, which is stored and answered as null. */
export function optionalText(max: number) {
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
  .pipe(z.email({ error: says('must be an e-mail address') }))
  .meta({ format: 'email', pattern: z.regexes.email.source });

/** A language as it is kept: canonical. */
export const LanguageTag = z
  .string()
  .trim()
  .overwrite((text) => canonicalLanguageTag(text) ?? text)
  .refine((text) => canonicalLanguageTag(text) !== null, 'must be a BCP 47 language tag like `de` or `pt-BR`')
  .meta({ maxLength: LONGEST_LANGUAGE_TAG, pattern: LANGUAGE_TAG.source });

export const listLimit = z
  .number({ error: 'must be a whole number from 1 to 100' })
  .int('must be a whole number from 1 to 100')
  .min(1, 'must be from 1 to 100')
  .max(100, 'must be from 1 to 100')
  .default(25)
  .meta({ description: 'How many items to return, 1 to 100.', example: 25 });

export const startingAfter = z
  .string()
  .meta({ description: 'An item id: the page begins after it (older items).' })
  .optional();
export const endingBefore = z
  .string()
  .meta({ description: 'An item id: the page ends before it (newer items).' })
  .optional();

/** The query of every list: a limit and the cursors, without which older items could not be reached. */
export const pageFields = { limit: listLimit, starting_after: startingAfter, ending_before: endingBefore };

/** The list envelope (specification, "List envelope"). */
export function listOf<T extends z.ZodType>(item: T, id: string) {
  const list = z
    .object({
      object: objectName('list'),
      data: z.array(item).meta({ description: 'The items of this page, the newest first.' }),
      has_more: z.boolean().meta({ description: 'Whether there are more items in the direction of paging.' }),
      url: z.string().meta({ description: 'The path of the list.', example: '/v1/properties' }),
    })
    .meta({ id });
  return compiled(list);
}

/** Puts a schema without async parts on zod's compiled path, at half the time: tRPC awaits every schema, for which zod has none. */
export function compiled<T extends z.ZodType>(schema: T): T {
  schema.parseAsync = async (value, parameters) => schema.parse(value, parameters);
  return schema;
}

/**
 * The input of an operation. An optional property that is null is wrong there, not missing: zod does not tell the two
 * apart, so that the message of a null is chosen by where it stands.
 */
export function request<T extends z.ZodType>(schema: T): T {
  const error = (issue: { input?: unknown; path?: readonly PropertyKey[] }) =>
    issue.input === null && isOptionalAt(schema, issue.path ?? [])
      ? 'must not be null; leave it out instead'
      : undefined;
  schema.parseAsync = async (value, parameters) => schema.parse(value, { ...parameters, error });
  return schema;
}

/** Whether the property at this path may be left out. */
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

/** The schema behind `optional`, `default`, `nullable` and a transformation. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType, in: input } = schema._zod.def as { innerType?: z.core.$ZodType; in?: z.core.$ZodType };
  const inner = innerType ?? input;
  return inner ? unwrapped(inner) : schema;
}

/** The answer to a deletion. */
export function deletedOf(object: string, id: string) {
  return z
    .object({
      id: z.string().meta({ description: 'The id of what was deleted.' }),
      object: objectName(object),
      deleted: z.literal(true).meta({ description: 'Always true.' }),
    })
    .meta({ id, description: 'What was deleted.' });
}

/** A cross-field problem with a code of the error catalogue. */
export function refuse(ctx: z.RefinementCtx, code: string, path: (string | number)[], message: string | Refusal): void {
  const params = { code, ...(isRefusal(message) && { refusal: message }) };
  ctx.addIssue({ code: 'custom', message: String(message), path, params });
}
