import type { NamespaceTranslator } from '../i18n/namespace-translator';
import { toDisplayableError } from '../read-error';

/** Returns the reason why a code was not accepted. */
export function describeDeviceCodeError(error: unknown, t: NamespaceTranslator<'device'>): string {
  const { code, message } = toDisplayableError(error);
  if (code === 'resource_missing') return t('unknown_code');
  return code === 'rate_limit_exceeded' ? t('too_many_tries') : message;
}
