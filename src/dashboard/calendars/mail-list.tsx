'use client';
import { useQuery } from '@tanstack/react-query';
import { MailCheck, MailOpen } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { QueryErrorPanel } from '../query-error';
import { useTRPC } from '../trpc';
import type { InboxMail as Mail } from '../types';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { lazyComponent } from '../ui/lazy-component';
import { Skeleton } from '../ui/skeleton';
import { describeForwardedMailStatusReason, FORWARDED_MAIL_STATUS_BADGE_TONES } from './labels';

const MailDialog = lazyComponent(() => import('./mail-dialog').then((file) => file.ForwardedMailDialog));

/**
 * Lists the mails forwarded to one address or to all addresses. With `waiting`, lists only mails
 * that need the host.
 */
export function InboxMailList({ source_id, waiting }: { source_id?: string; waiting: boolean }) {
  const t = useTranslations('calendar_mail');
  const trpc = useTRPC();
  const mails = useQuery(
    trpc.inbox.list.queryOptions(
      { waiting, ...(source_id && { sync_source_id: source_id }) },
      { refetchInterval: 10_000 },
    ),
  );
  const [open, setOpen] = useState<string | null>(null);
  return (
    <Card>
      {source_id ? <CardHeader title={t('mail')} description={t('what_came_to_this_address')} /> : null}
      {mails.error && !mails.data ? (
        <QueryErrorPanel title={t('the_mails_could_not_be_loaded')} query={mails} />
      ) : mails.data?.data.length === 0 ? (
        <EmptyState icon={waiting ? MailCheck : MailOpen} title={t(waiting ? 'nothing_waits_for_you' : 'no_mail_yet')}>
          {t(waiting ? 'forwarded_mails_wait_here' : 'forward_a_confirmation_mail')}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line" aria-label={t('mails')}>
          {mails.data ? null : (
            <li className="grid gap-2 px-5 py-4">
              <Skeleton className="h-4 w-2/5" />
              <Skeleton className="h-3 w-3/5" />
            </li>
          )}
          {mails.data?.data.map((mail) => (
            <Row key={mail.id} mail={mail} onOpen={() => setOpen(mail.id)} />
          ))}
        </ul>
      )}
      {open ? <MailDialog id={open} onClose={() => setOpen(null)} /> : null}
    </Card>
  );
}

function Row({ mail, onOpen }: { mail: Mail; onOpen: () => void }) {
  const t = useTranslations('calendar_mail');
  const subject = mail.subject || t('without_a_subject');
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 py-4 text-sm">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <span className="break-words font-medium">{subject}</span>
        <span className="break-words text-ink-soft">
          {mail.property_name} · {mail.original_from ?? mail.from_address ?? t('unknown_sender')} ·{' '}
          <DateTime value={mail.received_at} />
        </span>
        {mail.reason ? (
          <span className="text-ink-soft">{describeForwardedMailStatusReason(mail.reason, t)}</span>
        ) : null}
      </div>
      <div className="flex items-center gap-2">
        <Badge tone={FORWARDED_MAIL_STATUS_BADGE_TONES[mail.status]}>{t(`status_${mail.status}`)}</Badge>
        <Button variant="secondary" size="sm" aria-label={t('open_subject', { subject })} onClick={onOpen}>
          {t('open')}
        </Button>
      </div>
    </li>
  );
}
