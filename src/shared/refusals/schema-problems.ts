/** Maps problems that an API schema finds to keys of the dashboard's texts. Pure. */
import type { z } from 'zod';

/** Messages of schemas by key. `/v1` returns the messages unchanged. */
export const SCHEMA_PROBLEMS = {
  wrong_e_mail: 'must be an email address',
  wrong_url: 'must be an http or https URL',
  wrong_host: 'must be exactly one host name, in ASCII characters',
  wrong_colour: 'must look like #1a2b3c',
  wrong_subdomain: 'must be 3 to 30 lower-case letters, digits and hyphens, starting with a letter',
  wrong_domain: 'must be a host name like rules.example.com',
  wrong_zone: 'must be an IANA time zone like Europe/Lisbon',
  wrong_currency: 'must be a three-letter currency code like EUR',
  wrong_without_letters: 'must contain a letter',
} as const;

export type SchemaProblemMessageKey = keyof typeof SCHEMA_PROBLEMS | 'wrong_too_long';

/**
 * The problem's key by its English message, because zod's issues identify a failed check in no
 * other way.
 */
const KEYS = new Map(Object.entries(SCHEMA_PROBLEMS).map(([key, message]) => [message as string, key]));

/**
 * Returns the key and values of a problem, or null for a problem without its own text. The message
 * of such a problem is English.
 */
export function describeSchemaProblem(
  issue: z.core.$ZodIssue,
): { key: SchemaProblemMessageKey; values: { most?: string } } | null {
  if (issue.code === 'too_big' && issue.origin === 'string')
    return { key: 'wrong_too_long', values: { most: String(issue.maximum) } };
  const key = KEYS.get(issue.message) as SchemaProblemMessageKey | undefined;
  return key ? { key, values: {} } : null;
}
