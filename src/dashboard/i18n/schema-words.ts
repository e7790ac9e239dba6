/**
 * Converts a schema's validation error to the message that is shown next to the invalid field.
 * Pure.
 */
import type { z } from 'zod';
import { describeSchemaProblem } from '@/shared/refusals/schema-problems';
import type { NamespaceTranslator } from './namespace-translator';

export function describeSchemaIssue(issue: z.core.$ZodIssue, t: NamespaceTranslator<'ui'>): string {
  const problem = describeSchemaProblem(issue);
  if (problem) return t(problem.key, problem.values);
  return `${issue.message.charAt(0).toUpperCase()}${issue.message.slice(1)}.`;
}
