import type { WordsOf } from '../i18n/words-of';
import { readError } from '../read-error';

/** Returns the reason why a code was not accepted. */
export function refusal(error: unknown, t: WordsOf<'device'>): string {
  const { code, message } = readError(error);
  if (code === 'resource_missing') return t('unknown_code');
  return code === 'rate_limit_exceeded' ? t('too_many_tries') : message;
}
