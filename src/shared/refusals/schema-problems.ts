/** What a schema of the API finds wrong with a value, as a key of the dashboard's words. Pure. */
import type { z } from 'zod';

/** By the messages of the schemas, which `/v1` answers as they are. */
export const SCHEMA_PROBLEMS = {
  'must be an e-mail address': 'wrong_e_mail',
  'must be an http or https URL': 'wrong_url',
  'must name one host, in plain characters': 'wrong_host',
  'must look like #1a2b3c': 'wrong_colour',
  'must be 3 to 30 lower-case letters, digits and hyphens, starting with a letter': 'wrong_subdomain',
  'must be a host name like rules.example.com': 'wrong_domain',
  'must be an IANA time zone like Europe/Lisbon': 'wrong_zone',
  'must be a three-letter currency like EUR': 'wrong_currency',
  'must contain a letter': 'wrong_without_letters',
} as const;

export type SchemaProblemKey = (typeof SCHEMA_PROBLEMS)[keyof typeof SCHEMA_PROBLEMS] | 'wrong_too_long';

export interface SchemaProblem {
  key: SchemaProblemKey;
  values: { most?: string };
}

/** Returns null for a problem without words of its own: its message is English. */
export function schemaProblem(issue: z.core.$ZodIssue): SchemaProblem | null {
  if (issue.code === 'too_big' && issue.origin === 'string')
    return { key: 'wrong_too_long', values: { most: String(issue.maximum) } };
  if (!Object.hasOwn(SCHEMA_PROBLEMS, issue.message)) return null;
  return { key: SCHEMA_PROBLEMS[issue.message as keyof typeof SCHEMA_PROBLEMS], values: {} };
}
