'use client';
import { Notice } from '../developers/notice';
import { ObjectLink } from '../developers/object-link';
import { DetailSkeleton, NotFoundOrError } from '../not-found-or-error';
import { paths } from '../paths';
import { Card, CardBody, CardHeader, Facts } from '../ui/card';
import { CopyableId } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { PageHeader } from '../ui/page-header';
import { MailBadge, meaningOf } from './mail-badge';
import { MailPreview } from './mail-preview';
import { type MailDetail, useMail, useTemplates } from './queries';

const back = { href: paths.outbox, label: 'Outbox' };

export function MailPage({ id }: { id: string }) {
  const mail = useMail(id);
  if (mail.data) return <Loaded mail={mail.data} />;
  return (
    <>
      <PageHeader back={back} title="Mail" />
      {mail.error ? (
        <NotFoundOrError
          error={mail.error}
          noun="mail"
          missing="It may belong to the other mode, or to another team."
          list={{ href: paths.outbox, label: 'All mails' }}
          onRetry={() => void mail.refetch()}
        />
      ) : (
        <DetailSkeleton />
      )}
    </>
  );
}

function Loaded({ mail }: { mail: MailDetail }) {
  const templates = useTemplates();
  const template = templates.data?.find(({ name }) => name === mail.template);
  return (
    <>
      <PageHeader back={back} title={mail.subject} badge={<MailBadge mail={mail} />} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {mail.last_error ? (
          <Notice
            tone={mail.status === 'failed' ? 'danger' : 'warning'}
            title={mail.status === 'queued' ? 'The last attempt failed; it is tried again' : meaningOf(mail.status)}
          >
            {mail.last_error}
          </Notice>
        ) : null}
        <Card>
          <CardHeader title={template?.label ?? mail.template} description={template?.when} />
          <CardBody>
            <Facts
              items={[
                { label: 'To', value: <span className="break-all">{mail.to}</span> },
                { label: 'From', value: <span className="break-all">{mail.from}</span> },
                { label: 'State', value: meaningOf(mail.status) },
                { label: 'Attempts', value: mail.attempts },
                { label: 'Written', value: <DateTime value={mail.created_at} seconds /> },
                { label: 'Sent', value: <DateTime value={mail.sent_at} seconds /> },
                { label: 'Opened', value: <DateTime value={mail.opened_at} seconds /> },
                {
                  label: 'Reservation',
                  value: mail.reservation_id ? <ObjectLink id={mail.reservation_id} /> : '–',
                },
                ...(mail.attachment ? [{ label: 'Attached', value: <ObjectLink id={mail.attachment} /> }] : []),
                { label: 'Mail id', value: <CopyableId value={mail.id} label="mail id" /> },
              ]}
            />
          </CardBody>
        </Card>
        <Card>
          <CardBody>
            <MailPreview html={mail.html} text={mail.text} />
          </CardBody>
        </Card>
      </div>
    </>
  );
}
