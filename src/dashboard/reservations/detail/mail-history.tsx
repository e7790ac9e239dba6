'use client';
import { useQuery } from '@tanstack/react-query';
import { Mail as MailIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { buildReservationMailsInput } from '../../initial-queries';
import { MailStatusBadge } from '../../outbox/mail-badge';
import { useMailTemplates } from '../../outbox/use-templates';
import { FormErrorMessage } from '../../properties/form-parts';
import { QueryErrorPanel } from '../../query-error';
import { toDisplayableError } from '../../read-error';
import { useMe } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { ListedOutboxMail } from '../../types';
import { Card, CardHeader } from '../../ui/card';
import { DateTime, DateTimeWithoutTooltip } from '../../ui/date-time';
import { lazyComponent } from '../../ui/lazy-component';
import { Dialog } from '../../ui/overlay/dialog';
import { Skeleton } from '../../ui/skeleton';

const MailPreview = lazyComponent(
  () => import('../../outbox/mail-preview').then((file) => file.MailPreview),
  () => <Skeleton className="h-[60dvh]" />,
);

/** Lists every mail about a reservation as it was sent, newest first. */
export function ReservationMailHistory({ id, zone }: { id: string; zone: string | null }) {
  const t = useTranslations('reservation_detail');
  const trpc = useTRPC();
  const mails = useQuery(trpc.mail.list.queryOptions(buildReservationMailsInput(id), { refetchInterval: 15_000 }));
  const templates = useMailTemplates();
  const labelOf = (mail: ListedOutboxMail) =>
    templates.data?.find(({ name }) => name === mail.template)?.label ?? mail.subject;
  const { mode, mail_is_sent } = useMe();
  const [shown, setShown] = useState<ListedOutboxMail | null>(null);
  const rows = mails.data?.data;
  return (
    <Card>
      <CardHeader
        title={t('mails')}
        description={
          mode === 'test'
            ? t('in_test_mode_every_mail_is_rendered')
            : mail_is_sent
              ? t('what_was_mailed_and_what_became_of')
              : t('mail_is_not_set_up_what_would')
        }
      />
      {mails.error && !rows ? <QueryErrorPanel title={t('the_mails_could_not_be_loaded')} query={mails} /> : null}
      {!rows && !mails.error ? (
        <div className="px-5 py-4">
          <Skeleton className="h-5 w-3/5" />
        </div>
      ) : null}
      {rows?.length === 0 ? (
        <p className="px-5 py-4 text-ink-soft text-sm">{t('nothing_yet_sending_the_packet_is_the')}</p>
      ) : null}
      {rows && rows.length > 0 ? (
        <ul aria-label={t('mails')} className="divide-y divide-line">
          {rows.map((mail) => (
            <li key={mail.id}>
              <button
                type="button"
                onClick={() => setShown(mail)}
                className="flex w-full items-start gap-3 px-5 py-3 text-left text-sm hover:bg-muted/60"
              >
                <MailIcon className="mt-0.5 size-4 shrink-0 text-ink-soft" aria-hidden />
                <span className="grid min-w-0 flex-1 gap-0.5">
                  <span className="font-medium">{labelOf(mail)}</span>
                  <span className="break-words text-ink-soft text-xs">
                    {t.rich('to_to', {
                      to: mail.to,
                      time: () => <DateTimeWithoutTooltip value={mail.created_at} zone={zone} />,
                    })}
                  </span>
                  {mail.last_error && mail.status !== 'sent' ? (
                    <span className="break-words text-danger text-xs">{mail.last_error}</span>
                  ) : null}
                </span>
                <MailStatusBadge mail={mail} />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {shown ? <MailDialog mail={shown} zone={zone} onClose={() => setShown(null)} /> : null}
    </Card>
  );
}

function MailDialog({ mail, zone, onClose }: { mail: ListedOutboxMail; zone: string | null; onClose: () => void }) {
  const t = useTranslations('reservation_detail');
  const trpc = useTRPC();
  const full = useQuery(trpc.mail.retrieve.queryOptions({ id: mail.id }));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={mail.subject}
      description={t('to_to_from_from', { to: mail.to, from: mail.from })}
    >
      <div className="grid gap-3">
        <p className="text-ink-soft text-sm">
          {t.rich('rendered', { time: () => <DateTime value={mail.created_at} zone={zone} /> })}
        </p>
        {full.error ? <FormErrorMessage refused={toDisplayableError(full.error)} /> : null}
        {full.data ? (
          <MailPreview html={full.data.html} text={full.data.text} />
        ) : full.error ? null : (
          <Skeleton className="h-[60dvh]" />
        )}
      </div>
    </Dialog>
  );
}
