/** What a schema of the API says is wrong, in the host's language; what is not known here as it comes. Pure. */
import type { WordsOf } from './words-of';

/** By what the schemas say. */
export const WRONG = {
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

const LONG = /^must have at most (\d+) characters$/;

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** What is known here, as a sentence; null for anything else. */
export function knownWords(message: string, t: WordsOf<'ui'>): string | null {
  const most = LONG.exec(message)?.[1];
  if (most) return t('wrong_too_long', { most });
  return Object.hasOwn(WRONG, message) ? t(WRONG[message as keyof typeof WRONG]) : null;
}

/** As a sentence, for beside the field. */
export const schemaWords = (message: string, t: WordsOf<'ui'>): string => knownWords(message, t) ?? sentence(message);
