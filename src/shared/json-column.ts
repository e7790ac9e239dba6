/**
 * Describes a JSON column of prisma/schema.prisma by a schema. Prisma only knows that such a column
 * is JSON, so its values are parsed here when written and when read. json-column.test.ts finds
 * columns without a schema.
 */
import type { z } from 'zod';

/** The values that Prisma accepts for a JSON column. */
type JsonInput = string | number | boolean | JsonInput[] | { [key: string]: JsonInput };

export interface JsonColumn<T> {
  /**
   * Parses a stored value. Throws for an invalid value. The error does not quote the value, which
   * may be secret or a guest's data.
   */
  read(stored: unknown): T;
  /** Validates a value for storage. */
  write(value: T): JsonInput;
}

/**
 * Defines a column. `name` is `Model.column`. Defaults in the schema are for rows that are older
 * than the field.
 */
export function defineJsonColumn<T>(name: `${string}.${string}`, schema: z.ZodType<T>): JsonColumn<T> {
  const parse = (value: unknown): T => {
    const { data, error } = schema.safeParse(value);
    if (!error) return data;
    const where = error.issues.map(({ path, code }) => `${path.join('.')} (${code})`);
    throw new Error(`${name} holds what it should not: ${where.join(', ')}.`);
  };
  return { read: parse, write: (value) => parse(value) as JsonInput };
}
