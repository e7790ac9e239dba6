import { Badge, type Tone } from '../ui/badge';
import type { Mail } from './queries';

const STATES: Record<Mail['status'], { tone: Tone; label: string; meaning: string }> = {
  queued: { tone: 'info', label: 'Waiting', meaning: 'It will be handed to the mail provider, again if that failed.' },
  sent: { tone: 'success', label: 'Sent', meaning: 'The mail provider took it.' },
  captured: {
    tone: 'neutral',
    label: 'Kept here',
    meaning: 'Nobody got it: this is test mode, or no mail provider is configured.',
  },
  failed: { tone: 'danger', label: 'Failed', meaning: 'It was not delivered and is not tried again.' },
  suppressed: {
    tone: 'warning',
    label: 'Held back',
    meaning: 'The address refused mail before or its owner complained, so that nothing more is sent there.',
  },
};

export const MAIL_STATES = Object.keys(STATES) as Mail['status'][];
export const MAIL_STATE_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({ value, label }));

export const meaningOf = (status: Mail['status']) => STATES[status].meaning;

export function MailBadge({ mail }: { mail: Pick<Mail, 'status' | 'opened_at'> }) {
  if (mail.opened_at) return <Badge tone="violet">Opened</Badge>;
  const { tone, label } = STATES[mail.status];
  return <Badge tone={tone}>{label}</Badge>;
}
