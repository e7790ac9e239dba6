'use client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import { paths } from '../../paths';
import { QueryErrorPanel } from '../../query-error';
import { useTRPC } from '../../trpc';
import type { ApiKey, ApiKeyUsageSummary } from '../../types';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, CardHeader } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { Link } from '../../ui/link';
import { Skeleton } from '../../ui/skeleton';
import { type Column, DataTable } from '../../ui/table/data-table';
import { Countdown } from '../countdown';

interface OldKeyCardProps {
  apiKey: ApiKey;
  cannotRevoke: string | null;
  onRevoke: () => void;
}

/**
 * Shows how long a rotated key still works, and which callers still use it. A rotated key expires
 * after 24 hours.
 */
export function OldApiKeyAfterRotationCard({ apiKey, cannotRevoke, onRevoke }: OldKeyCardProps) {
  const t = useTranslations('api_keys');
  const trpc = useTRPC();
  const usage = useQuery(trpc.api_keys.usage.queryOptions({ id: apiKey.id }, { refetchInterval: 15_000 }));
  const keys = useQuery(trpc.api_keys.list.queryOptions(undefined, { refetchInterval: 15_000 }));
  return (
    <Card aria-label={t('old_key_name', { name: apiKey.name })}>
      <CardHeader
        title={t('move_name_to_its_new_key', { name: apiKey.name })}
        description={t.rich('the_old_key_stops_working_on', {
          code: () => <code className="break-all font-mono text-xs">{apiKey.hint}</code>,
          time: () => <DateTime value={apiKey.expires_at} />,
          header: () => <code className="font-mono text-xs">Deprecation: true</code>,
        })}
        actions={
          <div className="flex flex-wrap items-center gap-3 text-sm">
            <Badge tone="warning">
              <Countdown until={apiKey.expires_at ?? ''} over={t('ended')} onOver={() => void keys.refetch()} />
            </Badge>
            <Button variant="secondary" size="sm" disabledReason={cannotRevoke} onClick={onRevoke}>
              {t('end_it_now')}
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
      {usage.error && !usage.data ? <QueryErrorPanel title={t('its_calls_could_not_be_loaded')} query={usage} /> : null}
      {usage.data ? <Calls id={apiKey.id} usage={usage.data} /> : null}
    </Card>
  );
}

type Call = ApiKeyUsageSummary['calls'][number] & { id: string };

function Program({ call }: { call: Call }) {
  const t = useTranslations('api_keys');
  return (
    <span className="grid gap-0.5">
      <span className="max-w-64 truncate">{call.user_agent ?? t('no_user_agent')}</span>
      <span className="text-ink-soft text-xs">{call.ips.join(', ')}</span>
    </span>
  );
}

const columnsOf = (t: NamespaceTranslator<'api_keys'>): Column<Call>[] => [
  {
    id: 'call',
    header: t('call'),
    cell: (row) => (
      <span className="font-mono text-xs">
        {row.method} {row.route}
      </span>
    ),
  },
  { id: 'program', header: t('program'), cell: (row) => <Program call={row} /> },
  { id: 'count', header: t('times'), cell: (row) => <span className="tabular-nums">{row.count}</span> },
  { id: 'last', header: t('last'), cell: (row) => <DateTime value={row.last_at} /> },
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

function Calls({ id, usage }: { id: string; usage: ApiKeyUsageSummary }) {
  const t = useTranslations('api_keys');
  const columns = useMemo(() => columnsOf(t), [t]);
  if (usage.total === 0) {
    return <p className="px-5 py-4 text-ink-soft text-sm">{t('nothing_has_called_with_the_old_key')}</p>;
  }
  return (
    <>
      <p className="px-5 py-3 text-sm">
        {t.rich('calls_since_it_was_rotated', {
          count: usage.total,
          b: (calls) => <span className="font-medium">{calls}</span>,
          time: () => <DateTime value={usage.last_at} />,
        })}{' '}
        <Link className="text-primary underline underline-offset-4" href={`${paths.logs}?key=${id}`}>
          {t('show_them_in_the_request_log')}
        </Link>
      </p>
      <DataTable
        label={t('calls_that_still_use_the_old_key')}
        columns={columns}
        data={usage.calls.map((call) => ({ ...call, id: `${call.method} ${call.route} ${call.user_agent}` }))}
        card={card}
      />
    </>
  );
}
