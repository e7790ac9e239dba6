'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import { buildListInputFromCursor, pickAllowedValue } from '../../list/cursor';
import { parseDayRange } from '../../list/day-range';
import { DateFilter, SelectFilter, TextFilter } from '../../list/filter-bar';
import { FilteredList } from '../../list/filtered-list';
import { useListUrl } from '../../list/list-url';
import { paths } from '../../paths';
import { useTRPC } from '../../trpc';
import type { WebhookEvent } from '../../types';
import { Badge } from '../../ui/badge';
import { Card } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { AnchorButton, LinkButton } from '../../ui/link-button';
import { PageHeader } from '../../ui/page-header';
import type { Column } from '../../ui/table/data-table';
import { EVENT_TYPE_OPTIONS } from '../webhooks/event-groups';

function Type({ event }: { event: WebhookEvent }) {
  const t = useTranslations('events');
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="break-all font-mono text-xs">{event.type}</span>
      {event.test ? <Badge tone="violet">{t('test')}</Badge> : null}
    </span>
  );
}

const columnsOf = (t: NamespaceTranslator<'events'>): Column<WebhookEvent>[] => [
  { id: 'type', header: t('type'), cell: (row) => <Type event={row} /> },
  {
    id: 'object',
    header: t('about'),
    cell: (row) => <span className="font-mono text-ink-soft text-xs">{row.object_id}</span>,
  },
  {
    id: 'sequence',
    header: t('sequence'),
    cell: (row) => <span className="tabular-nums">{row.sequence}</span>,
  },
  {
    id: 'when',
    header: t('occurred'),
    cell: (row) => (
      <span className="whitespace-nowrap">
        <DateTime value={row.created_at} seconds />
      </span>
    ),
  },
];

const card = (event: WebhookEvent) => (
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
  const t = useTranslations('events');
  const columns = useMemo(() => columnsOf(t), [t]);
  const list = useListUrl(FILTERS);
  const { values, cursor, set } = list;
  const trpc = useTRPC();
  const events = useQuery(
    trpc.events.list.queryOptions(
      {
        limit: 25,
        type: pickAllowedValue(EVENT_TYPE_NAMES, values.type),
        object_id: values.object,
        ...parseDayRange(values),
        ...buildListInputFromCursor(cursor),
      },
      { placeholderData: keepPreviousData, refetchInterval: 15_000 },
    ),
  );
  return (
    <>
      <PageHeader
        title={t('events')}
        description={t('everything_that_happened_in_the_order_in')}
        actions={
          <AnchorButton variant="secondary" href={paths.docs_events}>
            {t('what_each_type_means')}
          </AnchorButton>
        }
      />
      <Card>
        <FilteredList
          list={list}
          noun={[t('event_2'), t('events_2')]}
          filters={
            <>
              <SelectFilter
                label={t('event_type')}
                any={t('any_type')}
                className="sm:w-80!"
                value={values.type}
                options={EVENT_TYPE_OPTIONS}
                onChange={(type) => set({ type })}
              />
              <TextFilter
                label={t('about_id')}
                placeholder="res_…"
                className="sm:w-72!"
                value={values.object}
                onChange={(object) => set({ object })}
              />
              <DateFilter label={t('from')} value={values.from} max={values.to} onChange={(from) => set({ from })} />
              <DateFilter label={t('to')} value={values.to} min={values.from} onChange={(to) => set({ to })} />
            </>
          }
          query={events}
          columns={columns}
          label={t('events')}
          href={(event) => paths.event(event.id)}
          card={card}
          empty={
            <EmptyState
              icon={Activity}
              title={t('nothing_has_happened_yet')}
              action={
                <LinkButton variant="secondary" href={paths.properties}>
                  {t('create_a_property')}
                </LinkButton>
              }
            >
              {t('creating_a_property_or_a_reservation_sending')}
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}
