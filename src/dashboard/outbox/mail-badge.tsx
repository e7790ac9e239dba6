import { useTranslations } from 'use-intl/react';
import type { ListedOutboxMail } from '../types';
import { Badge, type BadgeTone } from '../ui/badge';

/**
 * The badge colour by status. The label is the message `state_…`. The explanation is the message
 * `meaning_…`.
 */
const TONES: Record<ListedOutboxMail['status'], BadgeTone> = {
  queued: 'info',
  sent: 'success',
  captured: 'neutral',
  failed: 'danger',
  suppressed: 'warning',
};

export const OUTBOX_MAIL_STATUSES = Object.keys(TONES) as ListedOutboxMail['status'][];

export function MailStatusBadge({ mail }: { mail: Pick<ListedOutboxMail, 'status' | 'opened_at'> }) {
  const t = useTranslations('outbox');
  if (mail.opened_at) return <Badge tone="violet">{t('opened')}</Badge>;
  return <Badge tone={TONES[mail.status]}>{t(`state_${mail.status}`)}</Badge>;
}
