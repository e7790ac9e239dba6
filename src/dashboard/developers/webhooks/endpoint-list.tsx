'use client';
import { useQuery } from '@tanstack/react-query';
import { Plus, Webhook } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import { ListCard } from '../../list-card';
import { paths } from '../../paths';
import { useTRPC } from '../../trpc';
import type { WebhookEndpointDetail } from '../../types';
import { Button } from '../../ui/button';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { lazyComponent } from '../../ui/lazy-component';
import { PageHeader } from '../../ui/page-header';
import type { Column } from '../../ui/table/data-table';
import { useManageIntegrationsRefusalReason } from '../owners-only';
import { ApiReferenceLink } from '../reference-links';
import { EndpointBadge, WebhookEndpointLabel } from './badges';
import { describeEventSubscription } from './event-groups';

const CreateEndpointDialog = lazyComponent(() => import('./endpoint-form').then((file) => file.CreateEndpointDialog));

const columnsOf = (t: NamespaceTranslator<'webhooks'>): Column<WebhookEndpointDetail>[] => [
  {
    id: 'url',
    header: t('endpoint'),
    cell: (row) => <WebhookEndpointLabel endpoint={row} />,
  },
  { id: 'status', header: t('health'), cell: (row) => <EndpointBadge endpoint={row} /> },
  {
    id: 'events',
    header: t('hears_of'),
    cell: (row) => <span className="block max-w-48 truncate">{describeEventSubscription(row.events, t)}</span>,
  },
  { id: 'day', header: t('last_24_hours'), cell: (row) => <LastDay endpoint={row} /> },
  {
    id: 'waiting',
    header: t('waiting'),
    cell: (row) => <span className="tabular-nums">{row.waiting}</span>,
  },
  { id: 'last', header: t('last_success'), cell: (row) => <DateTime value={row.last_success_at} /> },
];

const cardOf = (t: NamespaceTranslator<'webhooks'>) => (endpoint: WebhookEndpointDetail) => (
  <div className="grid gap-2">
    <WebhookEndpointLabel endpoint={endpoint} />
    <span className="flex flex-wrap items-center gap-2 text-ink-soft text-sm">
      <EndpointBadge endpoint={endpoint} /> {describeEventSubscription(endpoint.events, t)}
    </span>
    <span className="text-sm">
      <LastDay endpoint={endpoint} />
    </span>
  </div>
);

function LastDay({ endpoint: { last_24h } }: { endpoint: WebhookEndpointDetail }) {
  const t = useTranslations('webhooks');
  if (last_24h.succeeded + last_24h.failed === 0) return <span className="text-ink-soft">{t('nothing_sent')}</span>;
  return (
    <span className="whitespace-nowrap tabular-nums">
      {t('count_accepted', { count: last_24h.succeeded })}
      {last_24h.failed > 0 ? (
        <span className="text-danger">, {t('count_failed', { count: last_24h.failed })}</span>
      ) : null}
    </span>
  );
}

export function EndpointList() {
  const t = useTranslations('webhooks');
  const trpc = useTRPC();
  const endpoints = useQuery(trpc.webhook_endpoints.list.queryOptions({}, { refetchInterval: 5_000 }));
  const [creating, setCreating] = useState(false);
  const columns = useMemo(() => columnsOf(t), [t]);
  const full =
    endpoints.data && endpoints.data.data.length >= endpoints.data.limit
      ? t('a_mode_has_at_most', { limit: endpoints.data.limit })
      : null;
  const ownersOnly = useManageIntegrationsRefusalReason();
  const create = (
    <Button disabledReason={ownersOnly ?? full} onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      {t('create_an_endpoint')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('webhooks')}
        description={t('where_your_systems_hear')}
        actions={
          <>
            <ApiReferenceLink />
            {create}
          </>
        }
      />
      <ListCard
        query={endpoints}
        rows={endpoints.data?.data}
        columns={columns}
        label={t('webhook_endpoints')}
        href={(endpoint) => paths.webhook(endpoint.id)}
        card={cardOf(t)}
        empty={
          <EmptyState icon={Webhook} title={t('no_endpoints_yet')} action={create}>
            {t.rich('an_endpoint_is', { code: (name) => <code className="font-mono text-xs">{name}</code> })}
          </EmptyState>
        }
      />
      {creating ? <CreateEndpointDialog onClose={() => setCreating(false)} /> : null}
    </>
  );
}
