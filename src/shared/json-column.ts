/**
 * A JSON column of prisma/schema.prisma and what is in it. Prisma knows no more of such a column than that it is JSON;
 * here it is parsed on its way in and on its way out. json-column.test.ts finds a column without one.
 */
import type { z } from 'zod';

/** What Prisma takes for a JSON column. */
type JsonInput = string | number | boolean | JsonInput[] | { [key: string]: JsonInput };

export interface JsonColumn<T> {
  /** What a row holds. Throws where that is something else, without saying what it was: it may be a secret or a guest's. */
  read(stored: unknown): T;
  /** What to write into a row. */
  write(value: T): JsonInput;
}

/** `name` is `Model.column`. Defaults of the schema are for rows that were written before a field was added. */
export function jsonColumn<T>(name: `${string}.${string}`, schema: z.ZodType<T>): JsonColumn<T> {
  const parse = (value: unknown): T => {
    const { data, error } = schema.safeParse(value);
    if (!error) return data;
    const where = error.issues.map(({ path, code }) => `${path.join('.')} (${code})`);
    throw new Error(`${name} holds what it should not: ${where.join(', ')}.`);
  };
  return { read: parse, write: (value) => parse(value) as JsonInput };
}
