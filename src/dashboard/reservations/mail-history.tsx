'use client';
import { Mail as MailIcon } from 'lucide-react';
import { useState } from 'react';
import { Refusal } from '../properties/form-parts';
import { readError } from '../read-error';
import { useMe } from '../shell/me';
import { Badge, type Tone } from '../ui/badge';
import { Card, CardHeader } from '../ui/card';
import { DateTime, momentText } from '../ui/date-time';
import { Dialog } from '../ui/dialog';
import { ErrorPanel } from '../ui/error-panel';
import { Skeleton } from '../ui/skeleton';
import { type Mail, useMail, useMails } from './queries';

const TEMPLATES: Record<string, string> = {
  packet: 'The packet',
  reminder_24h: 'Reminder, a day before',
  reminder_2h: 'Reminder, two hours before',
  late_alert: 'Alert to you: not signed in time',
  one_time_code: 'Code to confirm the address',
};

const STATUS: Record<Mail['status'], { label: string; tone: Tone }> = {
  queued: { label: 'Waiting', tone: 'info' },
  sent: { label: 'Sent', tone: 'success' },
  captured: { label: 'Kept here', tone: 'neutral' },
  failed: { label: 'Failed', tone: 'danger' },
  suppressed: { label: 'Address refused', tone: 'danger' },
};

/** Every mail about a reservation, the newest first, as it was rendered. */
export function MailHistory({ id, zone }: { id: string; zone: string | null }) {
  const mails = useMails(id);
  const test = useMe().mode === 'test';
  const [shown, setShown] = useState<Mail | null>(null);
  const rows = mails.data?.data;
  return (
    <Card>
      <CardHeader
        title="Mails"
        description={
          test
            ? 'In test mode every mail is rendered and kept here; nobody receives it.'
            : 'What was mailed, and what became of it.'
        }
      />
      {mails.error && !rows ? (
        <ErrorPanel
          title="The mails could not be loaded"
          message={readError(mails.error).message}
          requestId={readError(mails.error).request_id}
          onRetry={() => void mails.refetch()}
        />
      ) : null}
      {!rows && !mails.error ? (
        <div className="px-5 py-4">
          <Skeleton className="h-5 w-3/5" />
        </div>
      ) : null}
      {rows?.length === 0 ? (
        <p className="px-5 py-4 text-ink-soft text-sm">Nothing yet. Sending the packet is the first.</p>
      ) : null}
      {rows && rows.length > 0 ? (
        <ul aria-label="Mails" className="divide-y divide-line">
          {rows.map((mail) => (
            <li key={mail.id}>
              <button
                type="button"
                onClick={() => setShown(mail)}
                className="flex w-full items-start gap-3 px-5 py-3 text-left text-sm hover:bg-muted/60"
              >
                <MailIcon className="mt-0.5 size-4 shrink-0 text-ink-soft" aria-hidden />
                <span className="grid min-w-0 flex-1 gap-0.5">
                  <span className="font-medium">{TEMPLATES[mail.template] ?? mail.template.replaceAll('_', ' ')}</span>
                  <span className="break-words text-ink-soft text-xs">
                    To {mail.to}, <Moment value={mail.created_at} zone={zone} />
                    {mail.opened_at ? ', opened' : ''}
                  </span>
                  {mail.last_error && mail.status !== 'sent' ? (
                    <span className="break-words text-danger text-xs">{mail.last_error}</span>
                  ) : null}
                </span>
                <Badge tone={STATUS[mail.status].tone}>{STATUS[mail.status].label}</Badge>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {shown ? <MailDialog mail={shown} zone={zone} onClose={() => setShown(null)} /> : null}
    </Card>
  );
}

/** Plain text: inside a button nothing else may take the focus. */
const Moment = ({ value, zone }: { value: string; zone: string | null }) => (
  <time dateTime={value}>{momentText(value, zone)}</time>
);

function MailDialog({ mail, zone, onClose }: { mail: Mail; zone: string | null; onClose: () => void }) {
  const full = useMail(mail.id);
  return (
    <Dialog open onOpenChange={onClose} size="lg" title={mail.subject} description={`To ${mail.to}, from ${mail.from}`}>
      <div className="grid gap-3">
        <p className="text-ink-soft text-sm">
          Rendered <DateTime value={mail.created_at} zone={zone} />
        </p>
        {full.error ? <Refusal refused={readError(full.error)} /> : null}
        {full.data ? (
          // Sandboxed: the mail's links and markup can do nothing here.
          <iframe
            title="The mail as the guest would see it"
            sandbox=""
            srcDoc={full.data.html}
            className="h-[60dvh] w-full rounded-md border bg-white [color-scheme:light]"
          />
        ) : full.error ? null : (
          <Skeleton className="h-[60dvh]" />
        )}
      </div>
    </Dialog>
  );
}
