'use client';
import { Inbox } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter, useSearchParams } from 'next/navigation';
import { useMemo, useState } from 'react';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import { cursorInput, oneOf } from '../../list/cursor';
import { FilterSelect, FilterText } from '../../list/filter-bar';
import { FilteredList } from '../../list/filtered-list';
import { useListUrl } from '../../list/list-url';
import { paths } from '../../paths';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, CardHeader } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import type { Column } from '../../ui/table/data-table';
import { OutcomeBadge } from './badges';
import { EVENT_OPTIONS } from './event-groups';
import { TRIGGERS } from './outcome';
import { type Delivery, type Endpoint, useDeliveries } from './queries';

// Each is loaded when somebody asks for it.
const DeliveryDialog = dynamic(() => import('./delivery-dialog').then((file) => file.DeliveryDialog), { ssr: false });
const RedeliverFailedDialog = dynamic(() => import('./redeliver-dialog').then((file) => file.RedeliverFailedDialog), {
  ssr: false,
});

type Row = Delivery & { endpoint_status: Endpoint['status']; open: () => void };

const EventButton = ({ row }: { row: Row }) => (
  <button
    type="button"
    onClick={row.open}
    className="break-all text-left font-medium font-mono text-xs underline-offset-4 hover:underline"
  >
    {row.event_type}
  </button>
);

const columns: Column<Row>[] = [
  {
    id: 'event',
    header: 'Event',
    cell: ({ row }) => (
      <div className="grid gap-0.5">
        <EventButton row={row.original} />
        <span className="font-mono text-ink-soft text-xs">{row.original.event_id}</span>
      </div>
    ),
  },
  { id: 'outcome', header: 'Outcome', cell: ({ row }) => <OutcomeBadge attempt={row.original} /> },
  { id: 'attempt', header: 'Attempt', cell: ({ row }) => <AttemptLabel row={row.original} /> },
  {
    id: 'duration',
    header: 'Took',
    cell: ({ row }) => (
      <span className="whitespace-nowrap tabular-nums">
        {row.original.duration_ms === null ? '–' : `${row.original.duration_ms} ms`}
      </span>
    ),
  },
  {
    id: 'when',
    header: 'When',
    cell: ({ row }) => (
      <span className="whitespace-nowrap">
        <When row={row.original} />
      </span>
    ),
  },
];

const card = (row: Row) => (
  <div className="grid gap-2">
    <div className="flex items-start justify-between gap-3">
      <EventButton row={row} />
      <OutcomeBadge attempt={row} />
    </div>
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft text-sm">
      <AttemptLabel row={row} />
      <When row={row} />
      {row.duration_ms === null ? null : <span>{row.duration_ms} ms</span>}
    </div>
  </div>
);

const AttemptLabel = ({ row }: { row: Row }) => (
  <span className="flex items-center gap-2 whitespace-nowrap">
    <span className="tabular-nums">{row.attempt_number}</span>
    <Badge tone={row.trigger === 'test' ? 'violet' : row.trigger === 'redelivery' ? 'info' : 'neutral'}>
      {TRIGGERS[row.trigger]}
    </Badge>
  </span>
);

/** When it was made; when it will be; and after a failure when the next one follows. */
function When({ row }: { row: Row }) {
  if (row.status === 'pending') return <DateTime value={row.due_at} />;
  return (
    <span className="grid gap-0.5">
      <DateTime value={row.attempted_at ?? row.created_at} seconds />
      {row.status === 'failed' && row.next_retry_at ? (
        <span className="text-ink-soft text-xs">
          Next attempt <DateTime value={row.next_retry_at} />
        </span>
      ) : null}
    </span>
  );
}

const FILTERS = ['status', 'type', 'event'] as const;
const STATUSES = [
  { value: 'succeeded', label: 'Accepted' },
  { value: 'failed', label: 'Failed' },
  { value: 'pending', label: 'Waiting' },
] as const;

export function DeliveryLog({ endpoint }: { endpoint: Endpoint }) {
  const router = useRouter();
  const search = useSearchParams();
  const list = useListUrl(FILTERS);
  const { values, cursor, set } = list;
  const [redelivering, setRedelivering] = useState(false);
  const deliveries = useDeliveries({
    id: endpoint.id,
    limit: 25,
    status: STATUSES.find((status) => status.value === values.status)?.value,
    event_type: oneOf(EVENT_TYPE_NAMES, values.type),
    event_id: values.event,
    ...cursorInput(cursor),
  });

  const shown = search.get('delivery');
  const show = useMemo(
    () => (id: string | null) => {
      const params = new URLSearchParams(search);
      if (id) params.set('delivery', id);
      else params.delete('delivery');
      router.replace(`${paths.webhook(endpoint.id)}?${params}`, { scroll: false });
    },
    [search, router, endpoint.id],
  );
  const page = useMemo(
    () =>
      deliveries.data && {
        ...deliveries.data,
        data: deliveries.data.data.map(
          (row): Row => ({
            ...row,
            endpoint_status: endpoint.status,
            open: () => show(row.id),
          }),
        ),
      },
    [deliveries.data, show, endpoint.status],
  );
  return (
    <Card>
      <CardHeader
        title="Deliveries"
        description="Every attempt, newest first."
        actions={
          <Button variant="secondary" onClick={() => setRedelivering(true)}>
            Redeliver failed
          </Button>
        }
      />
      <FilteredList
        list={list}
        noun={['delivery', 'deliveries']}
        filters={
          <>
            <FilterSelect
              label="Outcome"
              any="Any outcome"
              value={values.status}
              options={STATUSES}
              onChange={(status) => set({ status })}
            />
            <FilterSelect
              label="Event type"
              any="Any type"
              className="sm:w-72"
              value={values.type}
              options={EVENT_OPTIONS}
              onChange={(type) => set({ type })}
            />
            <FilterText
              label="Event id"
              placeholder="evt_…"
              value={values.event}
              onChange={(event) => set({ event })}
            />
          </>
        }
        query={{ ...deliveries, data: page }}
        columns={columns}
        label="Deliveries"
        card={card}
        empty={
          <EmptyState icon={Inbox} title="Nothing was sent yet">
            The first event after the endpoint was created shows here. Send a test event to see one now.
          </EmptyState>
        }
      />
      {shown ? <DeliveryDialog id={shown} onShow={show} onClose={() => show(null)} /> : null}
      {redelivering ? <RedeliverFailedDialog endpoint={endpoint} onClose={() => setRedelivering(false)} /> : null}
    </Card>
  );
}
