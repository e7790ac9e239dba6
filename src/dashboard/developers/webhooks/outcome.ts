/** Describes the outcome of an attempt. Pure. */
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import type { BadgeTone } from '../../ui/badge';

export interface DeliveryAttemptOutcome {
  status: 'pending' | 'succeeded' | 'failed';
  status_code: number | null;
  error_kind: string | null;
  due_at: string;
  /** The endpoint's status. Attempts to a disabled endpoint stay pending until it is enabled. */
  endpoint_status: string;
}

type Words = NamespaceTranslator<'developers'>;

/**
 * Returns the label and tone of an attempt's badge. A pending attempt that is not yet due at `now`
 * (in ms) is labelled as scheduled.
 */
export function describeDeliveryAttemptOutcome(
  attempt: DeliveryAttemptOutcome,
  now: number,
  t: Words,
): { label: string; tone: BadgeTone } {
  switch (attempt.status) {
    case 'succeeded':
      return { label: t('accepted_status', { status: String(attempt.status_code) }), tone: 'success' };
    case 'pending':
      if (attempt.endpoint_status !== 'enabled') return { label: t('waits_until_enabled'), tone: 'neutral' };
      return Date.parse(attempt.due_at) > now
        ? { label: t('scheduled'), tone: 'neutral' }
        : { label: t('being_sent'), tone: 'info' };
    case 'failed':
      return { label: failureOf(attempt, t), tone: 'danger' };
  }
}

function failureOf({ error_kind, status_code }: DeliveryAttemptOutcome, t: Words): string {
  // The error takes precedence, because a response that was cut off has a status code too.
  if (error_kind) {
    const key = `error_${error_kind}` as 'error_dns';
    return t.has(key) ? t(key) : t('could_not_be_sent');
  }
  return status_code === null ? t('failed') : t('refused_status', { status: String(status_code) });
}
