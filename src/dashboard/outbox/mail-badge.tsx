import { useTranslations } from 'use-intl/react';
import type { Mail } from '../types';
import { Badge, type BadgeTone } from '../ui/badge';

/**
 * The badge colour by status. The label is the message `state_…`. The explanation is the message
 * `meaning_…`.
 */
const TONES: Record<Mail['status'], BadgeTone> = {
  queued: 'info',
  sent: 'success',
  captured: 'neutral',
  failed: 'danger',
  suppressed: 'warning',
};

export const MAIL_STATES = Object.keys(TONES) as Mail['status'][];

export function MailBadge({ mail }: { mail: Pick<Mail, 'status' | 'opened_at'> }) {
  const t = useTranslations('outbox');
  if (mail.opened_at) return <Badge tone="violet">{t('opened')}</Badge>;
  return <Badge tone={TONES[mail.status]}>{t(`state_${mail.status}`)}</Badge>;
}
