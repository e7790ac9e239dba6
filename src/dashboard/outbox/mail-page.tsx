'use client';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../developers/notice';
import { ApiObjectIdLink } from '../developers/object-link';
import { DetailPageSkeleton, NotFoundOrErrorCard } from '../not-found-or-error';
import { paths } from '../paths';
import { useTRPC } from '../trpc';
import type { OutboxMailDetail } from '../types';
import { Card, CardBody, CardHeader, DescriptionList } from '../ui/card';
import { CopyableId } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { PageHeader } from '../ui/page-header';
import { MailStatusBadge } from './mail-badge';
import { MailPreview } from './mail-preview';
import { useMailTemplates } from './use-templates';

function useBack() {
  const t = useTranslations('outbox');
  return { href: paths.outbox, label: t('outbox') };
}

export function MailDetailPage({ id }: { id: string }) {
  const back = useBack();
  const t = useTranslations('outbox');
  const trpc = useTRPC();
  const mail = useQuery(trpc.mail.retrieve.queryOptions({ id }));
  if (mail.data) return <Loaded mail={mail.data} />;
  return (
    <>
      <PageHeader back={back} title={t('mail')} />
      {mail.error ? (
        <NotFoundOrErrorCard
          error={mail.error}
          noun={t('mail_2')}
          missing={t('it_may_belong_to_the_other_mode')}
          list={{ href: paths.outbox, label: t('all_mails') }}
          onRetry={() => void mail.refetch()}
        />
      ) : (
        <DetailPageSkeleton />
      )}
    </>
  );
}

function Loaded({ mail }: { mail: OutboxMailDetail }) {
  const back = useBack();
  const t = useTranslations('outbox');
  const templates = useMailTemplates();
  const template = templates.data?.find(({ name }) => name === mail.template);
  return (
    <>
      <PageHeader back={back} title={mail.subject} badge={<MailStatusBadge mail={mail} />} />
      <div className="grid gap-5">
        {mail.last_error ? (
          <Notice
            tone={mail.status === 'failed' ? 'danger' : 'warning'}
            title={mail.status === 'queued' ? t('the_last_attempt_failed_it_is_tried') : t(`meaning_${mail.status}`)}
          >
            {mail.last_error}
          </Notice>
        ) : null}
        <Card>
          <CardHeader title={template?.label ?? mail.template} description={template?.when} />
          <CardBody>
            <DescriptionList
              items={[
                { label: t('to'), value: <span className="break-all">{mail.to}</span> },
                { label: t('from'), value: <span className="break-all">{mail.from}</span> },
                { label: t('state'), value: t(`meaning_${mail.status}`) },
                { label: t('attempts'), value: mail.attempts },
                { label: t('written'), value: <DateTime value={mail.created_at} seconds /> },
                { label: t('sent'), value: <DateTime value={mail.sent_at} seconds /> },
                { label: t('opened'), value: <DateTime value={mail.opened_at} seconds /> },
                {
                  label: t('reservation'),
                  value: mail.reservation_id ? <ApiObjectIdLink id={mail.reservation_id} /> : '–',
                },
                ...(mail.attachment ? [{ label: t('attached'), value: <ApiObjectIdLink id={mail.attachment} /> }] : []),
                { label: t('mail_id'), value: <CopyableId value={mail.id} label={t('mail_id_2')} /> },
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
