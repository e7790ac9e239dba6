/**
 * Read-only fields in the body of an update. They are accepted, so that a client can send a
 * resource back as it read it. A changed value is refused, except in a timestamp, which is ignored.
 */
import { z } from 'zod';

/**
 * The beginning of the descriptions of read-only fields. Tools for assistants omit fields with such
 * a description.
 */
export const READ_ONLY_DESCRIPTION_PREFIX = 'Read-only';

type Shape = Record<string, z.ZodType>;
type ReadOnly<S extends Shape, W extends string> = { [Name in Exclude<keyof S, W | 'id'>]: z.ZodOptional<S[Name]> };

export const isTimestampField = (name: string) => /_(at|until)$/.test(name);

/**
 * Returns the resource's fields that an update cannot change, as optional fields. The `id` is
 * omitted, because the path contains it.
 */
export function listReadOnlyFields<S extends Shape, const W extends string>(
  resource: z.ZodObject<S>,
  writable: readonly W[],
): ReadOnly<S, W> {
  const names = Object.keys(resource.shape).filter((name) => name !== 'id' && !writable.includes(name as W));
  const fields = names.map((name) => [name, described(name, resource.shape[name] as z.ZodType)]);
  return Object.fromEntries(fields) as ReadOnly<S, W>;
}

function described(name: string, field: z.ZodType): z.ZodType {
  if (name === 'object') return field.optional().meta(field.meta() ?? {});
  // With the object's own schema, the OpenAPI document would contain a second component of the same
  // name.
  const schema = field instanceof z.ZodObject ? z.record(z.string(), z.unknown()) : field;
  const rule = isTimestampField(name) ? 'accepted and ignored' : 'accepted only with its stored value';
  return schema.optional().meta({ description: `${READ_ONLY_DESCRIPTION_PREFIX}: ${rule}.` });
}

/** Separates the read-only fields of an update from its changes. */
export function separateChangesFromReadOnlyFields<T extends object, F extends Shape>(
  input: T,
  fields: F,
): [changes: Omit<T, keyof F>, read_only: Record<string, unknown>] {
  const of = (wanted: boolean) =>
    Object.fromEntries(Object.entries(input).filter(([name]) => Object.hasOwn(fields, name) === wanted));
  return [of(false) as Omit<T, keyof F>, of(true)];
}
