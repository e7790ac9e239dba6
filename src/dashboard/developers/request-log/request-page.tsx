'use client';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { DetailPageSkeleton, NotFoundOrErrorCard } from '../../not-found-or-error';
import { paths } from '../../paths';
import { useTRPC } from '../../trpc';
import type { LoggedRequestDetail } from '../../types';
import { Card, CardBody, CardHeader, DescriptionList } from '../../ui/card';
import { CopyableId } from '../../ui/copy-field';
import { DateTime } from '../../ui/date-time';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { CodeBlock } from '../code-block';
import { LoggedRequestCard } from './logged-request-card';
import { RequestOutcomeCard } from './outcome-card';
import { HttpStatusBadge } from './status-badge';

function useBack() {
  const t = useTranslations('request_log');
  return { href: paths.logs, label: t('request_log') };
}

export function LoggedRequestPage({ id }: { id: string }) {
  const t = useTranslations('request_log');
  const back = useBack();
  const trpc = useTRPC();
  // A logged request never changes.
  const request = useQuery(trpc.request_logs.retrieve.queryOptions({ id }, { staleTime: Number.POSITIVE_INFINITY }));
  if (request.data) return <Loaded request={request.data} />;
  return (
    <>
      <PageHeader back={back} title={t('request')} />
      {request.error ? (
        <NotFoundOrErrorCard
          error={request.error}
          noun={t('request_2')}
          missing={t('requests_are_kept_30_days_each_in')}
          list={{ href: paths.logs, label: t('all_requests') }}
          onRetry={() => void request.refetch()}
        />
      ) : (
        <DetailPageSkeleton />
      )}
    </>
  );
}

function Loaded({ request }: { request: LoggedRequestDetail }) {
  const t = useTranslations('request_log');
  return (
    <>
      <PageHeader
        back={useBack()}
        title={
          <span className="break-all font-mono text-lg">
            {request.method} {request.path}
          </span>
        }
        badge={<HttpStatusBadge status={request.status} />}
      />
      <div className="grid gap-5">
        <Card>
          <CardHeader title={t('request')} />
          <CardBody>
            <DescriptionList
              items={[
                { label: t('request_id'), value: <CopyableId value={request.id} label={t('request_id_2')} /> },
                { label: t('received'), value: <DateTime value={request.created_at} seconds /> },
                { label: t('took'), value: `${request.duration_ms} ms` },
                request.assistant === null
                  ? { label: t('key'), value: <KeyName id={request.api_key_id} /> }
                  : { label: t('assistant'), value: request.assistant },
                { label: t('from_where'), value: request.ip ?? '–' },
                { label: t('program'), value: request.user_agent ?? t('no_user_agent') },
                {
                  label: 'Idempotency-Key',
                  value: request.idempotency_key ? (
                    <CopyableId value={request.idempotency_key} label={t('key_2')} />
                  ) : (
                    t('none_sent')
                  ),
                },
              ]}
            />
          </CardBody>
        </Card>
        <LoggedRequestCard request={request} />
        <RequestOutcomeCard request={request} />
        {request.error_body ? (
          <Card>
            <CardHeader
              title={t('what_was_answered')}
              description={request.error_code ? <Advice code={request.error_code} /> : undefined}
            />
            <CardBody>
              <CodeBlock label={t('response_body')} text={request.error_body} />
            </CardBody>
          </Card>
        ) : null}
      </div>
    </>
  );
}

/** Shows the remedy from the error catalogue. */
function Advice({ code }: { code: string }) {
  const t = useTranslations('request_log');
  const advice = useTranslations('error_advice');
  const key = `advice_${code}` as 'advice_invalid_field';
  return (
    <>
      {advice.has(key) ? `${advice(key)} ` : null}
      <a className="text-primary underline underline-offset-4" href={paths.docs_error(code)}>
        {t.rich('about_code', { code: () => <code className="font-mono text-xs">{code}</code> })}
      </a>
    </>
  );
}

function KeyName({ id }: { id: string | null }) {
  const trpc = useTRPC();
  const keys = useQuery(trpc.api_keys.list.queryOptions(undefined, { refetchInterval: 15_000 }));
  const key = keys.data?.data.find((item) => item.id === id);
  if (!id) return <>–</>;
  return (
    <Link className="text-primary underline underline-offset-4" href={`${paths.logs}?key=${id}`}>
      {key ? `${key.name} (…${key.hint.slice(-4)})` : id}
    </Link>
  );
}
