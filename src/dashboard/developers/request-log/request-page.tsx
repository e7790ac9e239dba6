'use client';
import { ERRORS, type ErrorCode } from '@/shared/errors';
import { DetailSkeleton, NotFoundOrError } from '../../not-found-or-error';
import { paths } from '../../paths';
import { Card, CardBody, CardHeader, Facts } from '../../ui/card';
import { CopyableId } from '../../ui/copy-field';
import { DateTime } from '../../ui/date-time';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { useApiKeys } from '../api-keys/queries';
import { CodeBlock } from '../code-block';
import { AskedCard } from './asked-card';
import { OutcomeCard } from './outcome-card';
import { type LoggedRequestDetail, useRequest } from './queries';
import { StatusBadge } from './status-badge';

const back = { href: paths.logs, label: 'Request log' };

export function RequestPage({ id }: { id: string }) {
  const request = useRequest(id);
  if (request.data) return <Loaded request={request.data} />;
  return (
    <>
      <PageHeader back={back} title="Request" />
      {request.error ? (
        <NotFoundOrError
          error={request.error}
          noun="request"
          missing="Requests are kept 30 days, each in the mode of its key. One whose key was refused belongs to nobody and cannot be shown."
          list={{ href: paths.logs, label: 'All requests' }}
          onRetry={() => void request.refetch()}
        />
      ) : (
        <DetailSkeleton />
      )}
    </>
  );
}

function Loaded({ request }: { request: LoggedRequestDetail }) {
  return (
    <>
      <PageHeader
        back={back}
        title={
          <span className="break-all font-mono text-lg">
            {request.method} {request.path}
          </span>
        }
        badge={<StatusBadge status={request.status} />}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <Card>
          <CardHeader title="Request" />
          <CardBody>
            <Facts
              items={[
                { label: 'Request id', value: <CopyableId value={request.id} label="request id" /> },
                { label: 'Received', value: <DateTime value={request.created_at} seconds /> },
                { label: 'Took', value: `${request.duration_ms} ms` },
                { label: 'Key', value: <KeyName id={request.api_key_id} /> },
                { label: 'From', value: request.ip ?? '–' },
                { label: 'Program', value: request.user_agent ?? 'No User-Agent' },
                {
                  label: 'Idempotency-Key',
                  value: request.idempotency_key ? (
                    <CopyableId value={request.idempotency_key} label="key" />
                  ) : (
                    'None sent'
                  ),
                },
              ]}
            />
          </CardBody>
        </Card>
        <AskedCard request={request} />
        <OutcomeCard request={request} />
        {request.error_body ? (
          <Card>
            <CardHeader
              title="What was answered"
              description={request.error_code ? <Advice code={request.error_code} /> : undefined}
            />
            <CardBody>
              <CodeBlock label="Response body" text={request.error_body} />
            </CardBody>
          </Card>
        ) : null}
      </div>
    </>
  );
}

/** What the error catalogue says to do. */
function Advice({ code }: { code: string }) {
  const known = Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode] : null;
  return (
    <>
      {known ? `${known.when} ${known.fix} `.replaceAll('`', '') : ''}
      <a className="text-primary underline underline-offset-4" href={paths.docs_error(code)}>
        About <code className="font-mono text-xs">{code}</code>
      </a>
    </>
  );
}

function KeyName({ id }: { id: string | null }) {
  const keys = useApiKeys();
  const key = keys.data?.data.find((item) => item.id === id);
  if (!id) return <>–</>;
  return (
    <Link className="text-primary underline underline-offset-4" href={`${paths.logs}?key=${id}`}>
      {key ? `${key.name} (…${key.hint.slice(-4)})` : id}
    </Link>
  );
}
