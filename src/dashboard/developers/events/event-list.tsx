'use client';
import { Activity } from 'lucide-react';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import { cursorInput, oneOf } from '../../list/cursor';
import { dayRange } from '../../list/day-range';
import { FilterDate, FilterSelect, FilterText } from '../../list/filter-bar';
import { FilteredList } from '../../list/filtered-list';
import { useListUrl } from '../../list/list-url';
import { paths } from '../../paths';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import type { Column } from '../../ui/table/data-table';
import { EVENT_OPTIONS } from '../webhooks/event-groups';
import { type EventEntry, useEvents } from './queries';

const Type = ({ event }: { event: EventEntry }) => (
  <span className="flex flex-wrap items-center gap-2">
    <span className="break-all font-mono text-xs">{event.type}</span>
    {event.test ? <Badge tone="violet">Test</Badge> : null}
  </span>
);

const columns: Column<EventEntry>[] = [
  { id: 'type', header: 'Type', cell: ({ row }) => <Type event={row.original} /> },
  {
    id: 'object',
    header: 'About',
    cell: ({ row }) => <span className="font-mono text-ink-soft text-xs">{row.original.object_id}</span>,
  },
  {
    id: 'sequence',
    header: 'Sequence',
    cell: ({ row }) => <span className="tabular-nums">{row.original.sequence}</span>,
  },
  {
    id: 'when',
    header: 'Occurred',
    cell: ({ row }) => (
      <span className="whitespace-nowrap">
        <DateTime value={row.original.created_at} seconds />
      </span>
    ),
  },
];

const card = (event: EventEntry) => (
  <div className="grid gap-1.5">
    <Type event={event} />
    <span className="break-all font-mono text-ink-soft text-xs">{event.object_id}</span>
    <span className="text-ink-soft text-sm">
      <DateTime value={event.created_at} seconds />
    </span>
  </div>
);

const FILTERS = ['type', 'object', 'from', 'to'] as const;

export function EventList() {
  const list = useListUrl(FILTERS);
  const { values, cursor, set } = list;
  const events = useEvents({
    limit: 25,
    type: oneOf(EVENT_TYPE_NAMES, values.type),
    object_id: values.object,
    ...dayRange(values),
    ...cursorInput(cursor),
  });
  return (
    <>
      <PageHeader
        title="Events"
        description="Everything that happened, in the order in which it was committed, as webhooks tell it."
        actions={
          <Button asChild variant="secondary">
            <a href={paths.docs_events}>What each type means</a>
          </Button>
        }
      />
      <Card>
        <FilteredList
          list={list}
          noun={['event', 'events']}
          filters={
            <>
              <FilterSelect
                label="Event type"
                any="Any type"
                className="sm:w-80"
                value={values.type}
                options={EVENT_OPTIONS}
                onChange={(type) => set({ type })}
              />
              <FilterText
                label="About (id)"
                placeholder="res_…"
                className="sm:w-72"
                value={values.object}
                onChange={(object) => set({ object })}
              />
              <FilterDate label="From" value={values.from} max={values.to} onChange={(from) => set({ from })} />
              <FilterDate label="To" value={values.to} min={values.from} onChange={(to) => set({ to })} />
            </>
          }
          query={events}
          columns={columns}
          label="Events"
          href={(event) => paths.event(event.id)}
          card={card}
          empty={
            <EmptyState
              icon={Activity}
              title="Nothing has happened yet"
              action={
                <Button asChild variant="secondary">
                  <Link href={paths.properties}>Create a property</Link>
                </Button>
              }
            >
              Creating a property or a reservation, sending a packet, a guest’s signature: each leaves an event here,
              with the body that your endpoints get.
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}
