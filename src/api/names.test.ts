/**
 * Tests every field for a name in every procedure of the router: it must have a length limit and
 * refuse empty text. New fields are found automatically.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { appRouter } from './router';
import { selectHostVariantOfSchema } from './trpc/host-part';

const LONGEST = 200;
const NAME = /(^|_)(name|names|label|title)$/;

type Found = { path: string; schema: z.ZodType };

/** Finds the fields of a schema, through all wrappers. */
function fieldsOf(schema: unknown, path: string): Found[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, field]) => [
      { path: `${path}.${key}`, schema: field as z.ZodType },
      ...fieldsOf(field, `${path}.${key}`),
    ]);
  }
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element, `${path}[]`);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsOf(option, path));
  if (schema instanceof z.ZodRecord) return fieldsOf(schema.valueType, `${path}{}`);
  if (schema instanceof z.ZodPipe) return [...fieldsOf(schema.in, path), ...fieldsOf(schema.out, path)];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return fieldsOf(schema.unwrap(), path);
  return [];
}

const inputs = Object.entries(appRouter._def.procedures).flatMap(([name, procedure]) => {
  const { type, inputs } = (procedure as unknown as { _def: { type: string; inputs: unknown[] } })._def;
  return type === 'mutation' ? inputs.flatMap((input) => fieldsOf(selectHostVariantOfSchema(input), name)) : [];
});
const names = inputs.filter(({ path, schema }) => NAME.test(path.split('.').at(-1) ?? '') && takesText(schema));

/**
 * Name fields whose value is stored. A preview stores nothing, and `delete_team` only compares the
 * name.
 */
const kept = names.filter(({ path }) => !/\.preview\.|\.delete_team\./.test(path));

function takesText(schema: z.ZodType): boolean {
  return ['Harbour Loft', 'harbour'].some((text) => schema.safeParse(text).success);
}

describe('name fields in the inputs of mutations', () => {
  it('are found by this test', () => {
    const paths = names.map(({ path }) => path);
    for (const known of ['properties.create.name', 'reservations.create.guest_name', 'accounts.create_team.name'])
      expect(paths).toContain(known);
  });

  it.each(names.map(({ path, schema }) => [path, schema] as const))(
    `%s has at most ${LONGEST} characters`,
    (_path, schema) => {
      expect(schema.safeParse('x'.repeat(LONGEST + 1)).success).toBe(false);
    },
  );

  it.each(kept.map(({ path, schema }) => [path, schema] as const))(
    '%s never stores empty or blank text',
    (_path, schema) => {
      for (const text of ['', '   ', '\n\t']) {
        const result = schema.safeParse(text);
        // Empty text in an optional name field counts as no name.
        expect(result.success ? (result.data ?? null) : null).toBeNull();
      }
    },
  );
});
