'use client';
import { useQuery } from '@tanstack/react-query';
import { Webhook } from 'lucide-react';
import { ListCard } from '../list-card';
import { type Outputs, useTRPC } from '../trpc';
import { Badge, type Tone } from '../ui/badge';
import type { Column } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { PageHeader } from '../ui/page-header';

type Endpoint = Outputs['webhook_endpoints']['list']['data'][number];

const STATUS: Record<Endpoint['status'], { label: string; tone: Tone }> = {
  enabled: { label: 'Enabled', tone: 'success' },
  disabled: { label: 'Disabled', tone: 'neutral' },
  auto_disabled: { label: 'Disabled after failures', tone: 'danger' },
};

const Status = ({ row }: { row: Endpoint }) => (
  <Badge tone={row.status === 'enabled' && row.consecutive_failures > 0 ? 'warning' : STATUS[row.status].tone} dot>
    {row.status === 'enabled' && row.consecutive_failures > 0
      ? `Failing, ${row.consecutive_failures} in a row`
      : STATUS[row.status].label}
  </Badge>
);

const subscribed = (row: Endpoint) =>
  row.events.includes('*') ? 'All events' : `${row.events.length} ${row.events.length === 1 ? 'event' : 'events'}`;

const columns: Column<Endpoint>[] = [
  {
    id: 'url',
    header: 'Endpoint',
    cell: ({ row }) => <span className="block max-w-96 truncate font-mono text-xs">{row.original.url}</span>,
  },
  { id: 'status', header: 'Status', cell: ({ row }) => <Status row={row.original} /> },
  { id: 'events', header: 'Subscribed to', cell: ({ row }) => subscribed(row.original) },
  { id: 'last', header: 'Last success', cell: ({ row }) => <DateTime value={row.original.last_success_at} /> },
];

const card = (row: Endpoint) => (
  <div className="grid gap-1.5">
    <span className="break-all font-mono text-xs">{row.url}</span>
    <span className="flex flex-wrap items-center gap-2 text-ink-soft text-sm">
      <Status row={row} /> {subscribed(row)}
    </span>
  </div>
);

export function EndpointList() {
  const trpc = useTRPC();
  const endpoints = useQuery(trpc.webhook_endpoints.list.queryOptions({ limit: 100 }, { refetchInterval: 15_000 }));
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Where your systems hear of what happens, signed and retried for days."
      />
      <ListCard
        query={endpoints}
        rows={endpoints.data?.data}
        columns={columns}
        label="Webhook endpoints"
        card={card}
        empty={
          <EmptyState icon={Webhook} title="No endpoints yet">
            Create one with <code className="font-mono text-xs">POST /v1/webhook_endpoints</code> to hear when a guest
            signs.
          </EmptyState>
        }
      />
    </>
  );
}
