'use client';
import { useQuery } from '@tanstack/react-query';
import { CalendarSync } from 'lucide-react';
import { ListCard } from '../list-card';
import { type Outputs, useTRPC } from '../trpc';
import { Badge } from '../ui/badge';
import type { Column } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { PageHeader } from '../ui/page-header';

type SyncSource = Outputs['sync_sources']['list']['data'][number];

const KIND: Record<SyncSource['kind'], string> = {
  channel_a_ical: 'Channel A calendar',
  channel_b_ical: 'Channel B calendar',
  channel_c_ical: 'Channel C calendar',
  forward_email: 'Forwarded mail',
};

function Health({ row }: { row: SyncSource }) {
  if (!row.enabled) return <Badge>Disabled</Badge>;
  if (row.last_error) return <Badge tone="danger">Needs attention</Badge>;
  return row.last_synced_at ? <Badge tone="success">Healthy</Badge> : <Badge tone="info">Not run yet</Badge>;
}

const columns: Column<SyncSource>[] = [
  { id: 'kind', header: 'Source', cell: ({ row }) => <span className="font-medium">{KIND[row.original.kind]}</span> },
  {
    id: 'property',
    header: 'Property',
    cell: ({ row }) => <code className="font-mono text-xs">{row.original.property_id}</code>,
  },
  { id: 'health', header: 'Health', cell: ({ row }) => <Health row={row.original} /> },
  { id: 'last', header: 'Last run', cell: ({ row }) => <DateTime value={row.original.last_synced_at} /> },
  {
    id: 'error',
    header: 'Last problem',
    cell: ({ row }) => <span className="text-ink-soft">{row.original.last_error ?? '–'}</span>,
  },
];

const card = (row: SyncSource) => (
  <div className="grid gap-1.5">
    <div className="flex items-center justify-between gap-3">
      <span className="font-medium">{KIND[row.kind]}</span>
      <Health row={row} />
    </div>
    <span className="text-ink-soft text-sm">{row.last_error ?? <DateTime value={row.last_synced_at} />}</span>
  </div>
);

export function CalendarList() {
  const trpc = useTRPC();
  const sources = useQuery(trpc.sync_sources.list.queryOptions({ limit: 100 }, { refetchInterval: 30_000 }));
  return (
    <>
      <PageHeader title="Calendars" description="Feeds and forwarded mail that create reservations by themselves." />
      <ListCard
        query={sources}
        rows={sources.data?.data}
        columns={columns}
        label="Calendars"
        card={card}
        empty={
          <EmptyState icon={CalendarSync} title="No calendars yet">
            Connect a booking channel’s calendar and its bookings arrive as reservations, ready to be sent.
          </EmptyState>
        }
      />
    </>
  );
}
