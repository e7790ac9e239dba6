'use client';
import { Store } from 'lucide-react';
import { ListCard } from '../list-card';
import type { Column } from '../ui/data-table';
import { EmptyState } from '../ui/empty-state';
import { PageHeader } from '../ui/page-header';
import { type Property, useProperties } from './queries';

const sending = (row: Property) =>
  !row.auto_send_packet
    ? 'By hand'
    : row.auto_send_offset_hours === null
      ? 'Automatic'
      : `${row.auto_send_offset_hours} h before check-in`;

const columns: Column<Property>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ row }) => (
      <span className="inline-flex items-center gap-2.5">
        <span
          aria-hidden
          className="size-3 shrink-0 rounded-full border"
          style={{ background: row.original.brand_color ?? 'var(--muted)' }}
        />
        <span className="font-medium">{row.original.name}</span>
      </span>
    ),
  },
  { id: 'place', header: 'Place', cell: ({ row }) => row.original.city ?? row.original.address ?? '–' },
  { id: 'zone', header: 'Time zone', cell: ({ row }) => row.original.timezone ?? 'UTC' },
  { id: 'sending', header: 'Sending', cell: ({ row }) => sending(row.original) },
  {
    id: 'reminders',
    header: 'Reminders',
    cell: ({ row }) => (row.original.auto_reminders ? '24 h and 2 h before' : 'Off'),
  },
];

const card = (row: Property) => (
  <div className="grid gap-1">
    <span className="font-medium">{row.name}</span>
    <span className="text-ink-soft text-sm">
      {row.city ?? row.timezone ?? 'UTC'} · {sending(row)}
    </span>
  </div>
);

export function PropertyList() {
  const properties = useProperties();
  return (
    <>
      <PageHeader title="Properties" description="Each has its own packet of rules, fees and arrival details." />
      <ListCard
        query={properties}
        rows={properties.data?.data}
        columns={columns}
        label="Properties"
        card={card}
        empty={
          <EmptyState icon={Store} title="No properties yet">
            A property is a listing you host. Create one with{' '}
            <code className="font-mono text-xs">POST /v1/properties</code>; it is born with a default packet.
          </EmptyState>
        }
      />
    </>
  );
}
