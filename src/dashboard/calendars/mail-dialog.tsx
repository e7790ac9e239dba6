'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../developers/notice';
import { paths } from '../paths';
import { toDisplayableError } from '../read-error';
import { useTRPC } from '../trpc';
import type { InboxMailDetail as MailDetail } from '../types';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { DescriptionList } from '../ui/card';
import { CopyField } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { ErrorPanel } from '../ui/error-panel';
import { Link } from '../ui/link';
import { AnchorButton } from '../ui/link-button';
import { Dialog } from '../ui/overlay/dialog';
import { toast } from '../ui/overlay/toaster';
import { Skeleton } from '../ui/skeleton';
import { BOOKING_COMPLETION_FORM_ID, BookingCompletionForm } from './completion-form';
import { describeForwardedMailStatusReason, FORWARDED_MAIL_STATUS_BADGE_TONES } from './labels';
import { ProposedReservationChange } from './mail-proposed-change';

/** Shows one mail: its text, the data read from it, and the form to complete the data. */
export function ForwardedMailDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations('calendar_mail');
  const trpc = useTRPC();
  const mail = useQuery(trpc.inbox.retrieve.queryOptions({ id }));
  const complete = useMutation(
    trpc.inbox.complete.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => {
        toast.success(t('the_reservation_is_complete'));
        onClose();
      },
    }),
  );
  const dismiss = useMutation(
    trpc.inbox.dismiss.mutationOptions({
      onSuccess: () => {
        toast.success(t('the_mail_is_set_aside'));
        onClose();
      },
    }),
  );
  const reopen = useMutation(trpc.inbox.reopen.mutationOptions({ onSuccess: () => void mail.refetch() }));
  const [pair, setPair] = useState<string | null>(null);
  const data = mail.data;
  const reservation_id = data?.reservation_id ?? pair;
  const asks = data?.status === 'inbox' && data.confirmation !== null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={data?.subject || t('mail')}
      description={data?.reason ? describeForwardedMailStatusReason(data.reason, t) : undefined}
      footer={
        data?.status === 'inbox' ? (
          <>
            <Button variant="secondary" pending={dismiss.isPending} onClick={() => dismiss.mutate({ id })}>
              {t(asks ? 'done' : 'set_aside')}
            </Button>
            {asks || data.proposal ? null : (
              <Button type="submit" form={BOOKING_COMPLETION_FORM_ID} pending={complete.isPending}>
                {t(reservation_id ? 'complete_the_reservation' : 'make_the_reservation')}
              </Button>
            )}
          </>
        ) : data?.status === 'dismissed' ? (
          <Button variant="secondary" pending={reopen.isPending} onClick={() => reopen.mutate({ id })}>
            {t('take_it_back')}
          </Button>
        ) : null
      }
    >
      {data ? (
        <Loaded mail={data}>
          {data.status === 'inbox' && !asks && !data.proposal ? (
            <BookingCompletionForm
              mail={data}
              reservation_id={reservation_id}
              onPair={setPair}
              error={complete.error}
              onSubmit={(values) => complete.mutate({ id, ...values })}
            />
          ) : null}
        </Loaded>
      ) : mail.error ? (
        <ErrorPanel title={t('the_mail_could_not_be_loaded')} message={toDisplayableError(mail.error).message} />
      ) : (
        <div className="grid gap-3">
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="h-32" />
        </div>
      )}
    </Dialog>
  );
}

function Loaded({ mail, children }: { mail: MailDetail; children: React.ReactNode }) {
  const t = useTranslations('calendar_mail');
  return (
    <div className="grid gap-5">
      {mail.confirmation ? <Confirmation confirmation={mail.confirmation} /> : null}
      <ProposedReservationChange mail={mail} />
      {mail.unread.length > 0 ? (
        <Notice tone="warning" title={t('not_read', { names: mail.unread.join(', ') })}>
          {t('only_outlook_reads_this_format')}
        </Notice>
      ) : null}
      <DescriptionList
        items={[
          {
            label: t('state'),
            value: <Badge tone={FORWARDED_MAIL_STATUS_BADGE_TONES[mail.status]}>{t(`status_${mail.status}`)}</Badge>,
          },
          {
            label: t('property'),
            value: (
              <Link className="text-primary underline underline-offset-4" href={paths.property(mail.property_id)}>
                {mail.property_name}
              </Link>
            ),
          },
          { label: t('came'), value: <DateTime value={mail.received_at} /> },
          { label: t('from'), value: mail.original_from ?? mail.from_address ?? t('unknown') },
          {
            label: t('proven_to_be_the_channels'),
            value: mail.verified
              ? t('yes_by_its_signature')
              : mail.forwarding === 'redirected'
                ? t('no')
                : t('no_forwarded_by', { who: mail.from_address ?? t('a_person') }),
          },
          ...(mail.reservation_id
            ? [
                {
                  label: t('reservation'),
                  value: (
                    <Link
                      className="text-primary underline underline-offset-4"
                      href={paths.reservation(mail.reservation_id)}
                    >
                      {t('open_the_reservation')}
                    </Link>
                  ),
                },
              ]
            : []),
        ]}
      />
      {children}
      <section className="grid gap-2">
        <h3 className="font-semibold text-sm">{t('what_the_mail_says')}</h3>
        {mail.text === null ? (
          <p className="text-ink-soft text-sm">{t('its_text_is_gone')}</p>
        ) : (
          <section
            aria-label={t('text_of_the_mail')}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: users must be able to scroll with the keyboard.
            tabIndex={0}
            className="max-h-80 overflow-auto rounded-lg border bg-muted/60"
          >
            <pre className="whitespace-pre-wrap break-words p-3 font-mono text-xs leading-relaxed">
              {mail.text.trim() || t('it_has_no_text')}
            </pre>
          </section>
        )}
      </section>
    </div>
  );
}

function Confirmation({ confirmation }: { confirmation: NonNullable<MailDetail['confirmation']> }) {
  const t = useTranslations('calendar_mail');
  const { link, code, mailbox } = confirmation;
  return (
    <Notice
      tone="info"
      title={t('gmail_asks', { mailbox: mailbox ?? t('a_mailbox') })}
      actions={
        link ? (
          <AnchorButton size="sm" href={link} target="_blank" rel="noreferrer noopener">
            {t('confirm_at_google')}
          </AnchorButton>
        ) : null
      }
    >
      <div className="grid gap-2">
        <p>{t('confirm_only_if_it_is_your_own_mailbox')}</p>
        {code ? <CopyField value={code} label={t('confirmation_code')} /> : null}
      </div>
    </Notice>
  );
}
