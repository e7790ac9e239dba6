'use client';
import { paths } from '../../paths';
import { readError } from '../../read-error';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, CardHeader } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { ErrorPanel } from '../../ui/error-panel';
import { Link } from '../../ui/link';
import { Skeleton } from '../../ui/skeleton';
import { type Column, DataTable } from '../../ui/table/data-table';
import { Countdown } from '../countdown';
import { type ApiKey, type KeyUsage, useApiKeys, useKeyUsage } from './queries';

interface OldKeyCardProps {
  apiKey: ApiKey;
  cannotRevoke: string | null;
  onRevoke: () => void;
}

/** A rotated key in its last 24 hours: how long it still works, and which calls must move before then. */
export function OldKeyCard({ apiKey, cannotRevoke, onRevoke }: OldKeyCardProps) {
  const usage = useKeyUsage(apiKey.id);
  const keys = useApiKeys();
  return (
    <Card aria-label={`Old key ${apiKey.name}`}>
      <CardHeader
        title={`Move “${apiKey.name}” to its new key`}
        description={
          <>
            The old key <code className="break-all font-mono text-xs">{apiKey.hint}</code> stops working on{' '}
            <DateTime value={apiKey.expires_at} />. Until then its answers carry{' '}
            <code className="font-mono text-xs">Deprecation: true</code>.
          </>
        }
        actions={
          <div className="flex flex-wrap items-center gap-3 text-sm">
            <Badge tone="warning">
              <Countdown until={apiKey.expires_at ?? ''} over="Ended" onOver={() => void keys.refetch()} />
            </Badge>
            <Button variant="secondary" size="sm" disabledReason={cannotRevoke} onClick={onRevoke}>
              End it now
            </Button>
          </div>
        }
      />
      {usage.isPending ? (
        <div className="grid gap-2 px-5 py-4">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-4 w-1/2" />
        </div>
      ) : null}
      {usage.error && !usage.data ? (
        <ErrorPanel
          title="Its calls could not be loaded"
          message={readError(usage.error).message}
          requestId={readError(usage.error).request_id}
          onRetry={() => void usage.refetch()}
        />
      ) : null}
      {usage.data ? <Calls id={apiKey.id} usage={usage.data} /> : null}
    </Card>
  );
}

type Call = KeyUsage['calls'][number] & { id: string };

const Program = ({ call }: { call: Call }) => (
  <span className="grid gap-0.5">
    <span className="max-w-64 truncate">{call.user_agent ?? 'No User-Agent'}</span>
    <span className="text-ink-soft text-xs">{call.ips.join(', ')}</span>
  </span>
);

const columns: Column<Call>[] = [
  {
    id: 'call',
    header: 'Call',
    cell: ({ row }) => (
      <span className="font-mono text-xs">
        {row.original.method} {row.original.route}
      </span>
    ),
  },
  { id: 'program', header: 'Program', cell: ({ row }) => <Program call={row.original} /> },
  { id: 'count', header: 'Times', cell: ({ row }) => <span className="tabular-nums">{row.original.count}</span> },
  { id: 'last', header: 'Last', cell: ({ row }) => <DateTime value={row.original.last_at} /> },
];

const card = (call: Call) => (
  <div className="grid gap-1.5 text-sm">
    <div className="flex items-baseline justify-between gap-3">
      <span className="min-w-0 break-all font-mono text-xs">
        {call.method} {call.route}
      </span>
      <span className="whitespace-nowrap tabular-nums">{call.count} ×</span>
    </div>
    <Program call={call} />
  </div>
);

function Calls({ id, usage }: { id: string; usage: KeyUsage }) {
  if (usage.total === 0) {
    return (
      <p className="px-5 py-4 text-ink-soft text-sm">
        Nothing has called with the old key since it was rotated. It can be ended.
      </p>
    );
  }
  return (
    <>
      <p className="px-5 py-3 text-sm">
        <span className="font-medium">
          {usage.total} {usage.total === 1 ? 'call' : 'calls'}
        </span>{' '}
        since it was rotated, the last <DateTime value={usage.last_at} />.{' '}
        <Link className="text-primary underline underline-offset-4" href={`${paths.logs}?key=${id}`}>
          Show them in the request log
        </Link>
      </p>
      <DataTable
        label="Calls that still use the old key"
        columns={columns}
        data={usage.calls.map((call) => ({ ...call, id: `${call.method} ${call.route} ${call.user_agent}` }))}
        card={card}
      />
    </>
  );
}
