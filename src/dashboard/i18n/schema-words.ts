/**
 * Converts a schema's validation error to the message that is shown next to the invalid field.
 * Pure.
 */
import type { z } from 'zod';
import { schemaProblem } from '@/shared/refusals/schema-problems';
import type { WordsOf } from './words-of';

export function schemaWords(issue: z.core.$ZodIssue, t: WordsOf<'ui'>): string {
  const problem = schemaProblem(issue);
  if (problem) return t(problem.key, problem.values);
  return `${issue.message.charAt(0).toUpperCase()}${issue.message.slice(1)}.`;
}
