/** How an attempt ended, in words. Pure. */
import type { Tone } from '../../ui/badge';

export interface Outcome {
  status: 'pending' | 'succeeded' | 'failed';
  status_code: number | null;
  error_kind: string | null;
  due_at: string;
  /** Of the endpoint: while it is disabled, what is pending waits. */
  endpoint_status: string;
}

const KINDS: Record<string, string> = {
  dns: 'Name not found',
  tls: 'TLS failed',
  timeout: 'Timed out',
  refused: 'Connection refused',
  redirect: 'Redirected',
  blocked_address: 'Address not allowed',
  reset: 'Connection lost',
  body_too_large: 'Answer too large',
  protocol: 'Not HTTP',
};

/** The label and tone of an attempt's badge. `now` in ms tells what is due from what is scheduled. */
export function outcomeOf(attempt: Outcome, now: number): { label: string; tone: Tone } {
  switch (attempt.status) {
    case 'succeeded':
      return { label: `Accepted, ${attempt.status_code}`, tone: 'success' };
    case 'pending':
      if (attempt.endpoint_status !== 'enabled') return { label: 'Waits until enabled', tone: 'neutral' };
      return Date.parse(attempt.due_at) > now
        ? { label: 'Scheduled', tone: 'neutral' }
        : { label: 'Being sent', tone: 'info' };
    case 'failed':
      return { label: failureOf(attempt), tone: 'danger' };
  }
}

function failureOf({ error_kind, status_code }: Outcome): string {
  // An answer that was cut off has a status too, which is not why it failed.
  if (error_kind) return KINDS[error_kind] ?? 'Could not be sent';
  return status_code === null ? 'Failed' : `Refused, ${status_code}`;
}

export const TRIGGERS = {
  event: 'First attempt',
  retry: 'Retry',
  redelivery: 'Redelivery',
  test: 'Test',
} as const;
