import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { SCHEMA_PROBLEMS } from '@/shared/refusals/schema-problems';
import { createEnglishTranslator } from './english-words';
import { describeSchemaIssue } from './schema-words';

const t = createEnglishTranslator('ui');
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const issueOf = (schema: z.ZodType, value: unknown) => {
  const issue = schema.safeParse(value).error?.issues[0];
  if (!issue) throw new Error('It was accepted.');
  return issue;
};

it.each([...Object.values(SCHEMA_PROBLEMS), 'must be something new'])('a schema error is translated: %s', (message) => {
  expect(describeSchemaIssue(issueOf(z.string().regex(/^a$/, message), 'b'), t)).toBe(sentence(message));
});

it('the error for a text that is too long contains the limit', () => {
  const message = 'must have at most 120 characters';
  expect(describeSchemaIssue(issueOf(z.string().max(120, message), 'x'.repeat(121)), t)).toBe(sentence(message));
});

it('every translated problem is still used in a schema', () => {
  const schemas = ['src/shared/schemas.ts', 'src/modules/packets/schemas.ts', 'src/modules/properties/schemas.ts']
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(Object.keys(SCHEMA_PROBLEMS).filter((key) => !schemas.includes(`SCHEMA_PROBLEMS.${key}`))).toEqual([]);
});
