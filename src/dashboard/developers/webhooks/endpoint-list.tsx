'use client';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { ListCard } from '../../list-card';
import { paths } from '../../paths';
import { Button } from '../../ui/button';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { later } from '../../ui/later';
import { PageHeader } from '../../ui/page-header';
import type { Column } from '../../ui/table/data-table';
import { ReferenceLinks } from '../reference-links';
import { EndpointBadge, EndpointName } from './badges';
import { subscription } from './event-groups';
import { type Endpoint, useEndpoints } from './queries';

// Each is loaded when somebody asks for it.
const CreateEndpointDialog = later(() => import('./endpoint-form').then((file) => file.CreateEndpointDialog));

const columns: Column<Endpoint>[] = [
  {
    id: 'url',
    header: 'Endpoint',
    cell: ({ row }) => <EndpointName endpoint={row.original} />,
  },
  { id: 'status', header: 'Health', cell: ({ row }) => <EndpointBadge endpoint={row.original} /> },
  {
    id: 'events',
    header: 'Hears of',
    cell: ({ row }) => <span className="block max-w-48 truncate">{subscription(row.original.events)}</span>,
  },
  { id: 'day', header: 'Last 24 hours', cell: ({ row }) => <LastDay endpoint={row.original} /> },
  { id: 'waiting', header: 'Waiting', cell: ({ row }) => <span className="tabular-nums">{row.original.waiting}</span> },
  { id: 'last', header: 'Last success', cell: ({ row }) => <DateTime value={row.original.last_success_at} /> },
];

const card = (endpoint: Endpoint) => (
  <div className="grid gap-2">
    <EndpointName endpoint={endpoint} />
    <span className="flex flex-wrap items-center gap-2 text-ink-soft text-sm">
      <EndpointBadge endpoint={endpoint} /> {subscription(endpoint.events)}
    </span>
    <span className="text-sm">
      <LastDay endpoint={endpoint} />
    </span>
  </div>
);

function LastDay({ endpoint: { last_24h } }: { endpoint: Endpoint }) {
  if (last_24h.succeeded + last_24h.failed === 0) return <span className="text-ink-soft">Nothing sent</span>;
  return (
    <span className="whitespace-nowrap tabular-nums">
      {last_24h.succeeded} accepted
      {last_24h.failed > 0 ? <span className="text-danger">, {last_24h.failed} failed</span> : null}
    </span>
  );
}

export function EndpointList() {
  const endpoints = useEndpoints();
  const [creating, setCreating] = useState(false);
  const full =
    endpoints.data && endpoints.data.data.length >= endpoints.data.limit
      ? `A mode has at most ${endpoints.data.limit} endpoints. Delete one that is not needed.`
      : null;
  const create = (
    <Button disabledReason={full} onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create an endpoint
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Where your systems hear of what happens, signed and retried for days."
        actions={
          <>
            <ReferenceLinks />
            {create}
          </>
        }
      />
      <ListCard
        query={endpoints}
        rows={endpoints.data?.data}
        columns={columns}
        label="Webhook endpoints"
        href={(endpoint) => paths.webhook(endpoint.id)}
        card={card}
        empty={
          <EmptyState icon={Webhook} title="No endpoints yet" action={create}>
            An endpoint is an address of yours that we post events to: release the door code when{' '}
            <code className="font-mono text-xs">reservation.arrival_details_released</code> arrives, not before.
          </EmptyState>
        }
      />
      {creating ? <CreateEndpointDialog onClose={() => setCreating(false)} /> : null}
    </>
  );
}
