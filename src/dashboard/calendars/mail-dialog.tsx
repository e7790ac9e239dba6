'use client';
import { useState } from 'react';
import { Notice } from '../developers/notice';
import { paths } from '../paths';
import { readError } from '../read-error';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Facts } from '../ui/card';
import { CopyField } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { ErrorPanel } from '../ui/error-panel';
import { Link } from '../ui/link';
import { Dialog } from '../ui/overlay/dialog';
import { toast } from '../ui/overlay/toaster';
import { Skeleton } from '../ui/skeleton';
import { COMPLETION_FORM, CompletionForm } from './completion-form';
import { MAIL_REASONS, MAIL_STATUS } from './labels';
import { type MailDetail, useCompleteMail, useMail, useMoveMail } from './queries';

/** One mail: what it says, what was read from it, and the form to complete it. */
export function MailDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const mail = useMail(id);
  const complete = useCompleteMail(() => {
    toast.success('The reservation is complete.');
    onClose();
  });
  const dismiss = useMoveMail('dismiss', () => {
    toast.success('The mail is set aside. It stays under “All”.');
    onClose();
  });
  const reopen = useMoveMail('reopen', () => void mail.refetch());
  const [pair, setPair] = useState<string | null>(null);
  const data = mail.data;
  const reservation_id = data?.reservation_id ?? pair;
  const asks = data?.status === 'inbox' && data.confirmation !== null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={data?.subject || 'Mail'}
      description={data?.reason ? (MAIL_REASONS[data.reason] ?? data.reason) : undefined}
      footer={
        data?.status === 'inbox' ? (
          <>
            <Button variant="secondary" pending={dismiss.isPending} onClick={() => dismiss.mutate({ id })}>
              {asks ? 'Done' : 'Set aside'}
            </Button>
            {asks ? null : (
              <Button type="submit" form={COMPLETION_FORM} pending={complete.isPending}>
                {reservation_id ? 'Complete the reservation' : 'Make the reservation'}
              </Button>
            )}
          </>
        ) : data?.status === 'dismissed' ? (
          <Button variant="secondary" pending={reopen.isPending} onClick={() => reopen.mutate({ id })}>
            Take it back
          </Button>
        ) : null
      }
    >
      {data ? (
        <Loaded mail={data}>
          {data.status === 'inbox' && !asks ? (
            <CompletionForm
              mail={data}
              reservation_id={reservation_id}
              onPair={setPair}
              error={complete.error}
              onSubmit={(values) => complete.mutate({ id, ...values })}
            />
          ) : null}
        </Loaded>
      ) : mail.error ? (
        <ErrorPanel title="The mail could not be loaded" message={readError(mail.error).message} />
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
  const { label, tone } = MAIL_STATUS[mail.status];
  return (
    <div className="grid gap-5">
      {mail.confirmation ? <Confirmation confirmation={mail.confirmation} /> : null}
      {mail.unread.length > 0 ? (
        <Notice tone="warning" title={`Not read: ${mail.unread.join(', ')}`}>
          Only Outlook reads this format, and at most 20 attached mails are read. Open the booking’s own mail and
          forward that, not as an attachment; or save it as a file that ends in .eml and send that. Or complete the
          reservation by hand.
        </Notice>
      ) : null}
      <Facts
        items={[
          { label: 'State', value: <Badge tone={tone}>{label}</Badge> },
          {
            label: 'Property',
            value: (
              <Link className="text-primary underline underline-offset-4" href={paths.property(mail.property_id)}>
                {mail.property_name}
              </Link>
            ),
          },
          { label: 'Came', value: <DateTime value={mail.received_at} /> },
          { label: 'From', value: mail.original_from ?? mail.from_address ?? 'Unknown' },
          {
            label: 'Proven to be the channel’s',
            value: mail.verified
              ? 'Yes, by its signature'
              : mail.forwarding === 'redirected'
                ? 'No'
                : `No: forwarded by ${mail.from_address ?? 'a person'}`,
          },
          ...(mail.reservation_id
            ? [
                {
                  label: 'Reservation',
                  value: (
                    <Link
                      className="text-primary underline underline-offset-4"
                      href={paths.reservation(mail.reservation_id)}
                    >
                      Open the reservation
                    </Link>
                  ),
                },
              ]
            : []),
        ]}
      />
      {children}
      <section className="grid gap-2">
        <h3 className="font-semibold text-sm">What the mail says</h3>
        {mail.text === null ? (
          <p className="text-ink-soft text-sm">Its text is gone: mails are kept for 30 days.</p>
        ) : (
          <section
            aria-label="Text of the mail"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
            tabIndex={0}
            className="max-h-80 overflow-auto rounded-lg border bg-muted/60"
          >
            <pre className="whitespace-pre-wrap break-words p-3 font-mono text-xs leading-relaxed">
              {mail.text.trim() || 'It has no text.'}
            </pre>
          </section>
        )}
      </section>
    </div>
  );
}

function Confirmation({ confirmation }: { confirmation: NonNullable<MailDetail['confirmation']> }) {
  const { link, code, mailbox } = confirmation;
  return (
    <Notice
      tone="info"
      title={`Gmail asks whether ${mailbox ?? 'a mailbox'} may forward mail here.`}
      actions={
        link ? (
          <Button asChild size="sm">
            <a href={link} target="_blank" rel="noreferrer noopener">
              Confirm at Google
            </a>
          </Button>
        ) : null
      }
    >
      <div className="grid gap-2">
        <p>Confirm only if it is your own mailbox. Then make a filter in Gmail that forwards the channel’s mails.</p>
        {code ? <CopyField value={code} label="confirmation code" /> : null}
      </div>
    </Notice>
  );
}
