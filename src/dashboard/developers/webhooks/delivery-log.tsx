'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useMemo, useState } from 'react';
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
import type { EventDelivery, ListedWebhookDelivery, WebhookEndpointDetail } from '../../types';
import { Button } from '../../ui/button';
import { Card, CardHeader } from '../../ui/card';
import { cn } from '../../ui/cn';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { lazyComponent } from '../../ui/lazy-component';
import type { Column } from '../../ui/table/data-table';
import { DeliveryAttemptBadge } from './badges';
import { EVENT_TYPE_OPTIONS } from './event-groups';
import { describeDeliveryAttemptOutcome } from './outcome';

const DeliveryDialog = lazyComponent(() => import('./delivery-dialog').then((file) => file.DeliveryDialog));
const RedeliverFailedDialog = lazyComponent(() =>
  import('./redeliver-dialog').then((file) => file.RedeliverFailedDialog),
);

type Row = EventDelivery & { endpoint_status: WebhookEndpointDetail['status']; open: (delivery: string) => void };

/** Returns the latest attempt, which decides the state of the delivery. */
const latest = (row: Row): ListedWebhookDelivery => row.attempts.at(-1) as ListedWebhookDelivery;

const EventButton = ({ row }: { row: Row }) => (
  <button
    type="button"
    onClick={() => row.open(latest(row).id)}
    className="break-all text-left font-medium font-mono text-xs underline-offset-4 hover:underline"
  >
    {row.event_type}
  </button>
);

const columnsOf = (t: NamespaceTranslator<'webhooks'>): Column<Row>[] => [
  {
    id: 'event',
    header: t('event'),
    cell: (row) => (
      <div className="grid gap-0.5">
        <EventButton row={row} />
        <span className="font-mono text-ink-soft text-xs">{row.event_id}</span>
      </div>
    ),
  },
  { id: 'outcome', header: t('outcome'), cell: (row) => <Outcome row={row} /> },
  { id: 'attempts', header: t('attempts'), cell: (row) => <Attempts row={row} /> },
  {
    id: 'duration',
    header: t('took'),
    cell: (row) => <Took attempt={latest(row)} />,
  },
  {
    id: 'when',
    header: t('when'),
    cell: (row) => (
      <span className="whitespace-nowrap">
        <When attempt={latest(row)} />
      </span>
    ),
  },
];

const card = (row: Row) => (
  <div className="grid gap-2">
    <div className="flex items-start justify-between gap-3">
      <EventButton row={row} />
      <Outcome row={row} />
    </div>
    <Attempts row={row} />
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft text-sm">
      <When attempt={latest(row)} />
      <Took attempt={latest(row)} />
    </div>
  </div>
);

const Outcome = ({ row }: { row: Row }) => (
  <DeliveryAttemptBadge attempt={{ ...latest(row), endpoint_status: row.endpoint_status }} />
);

const Took = ({ attempt: { duration_ms } }: { attempt: ListedWebhookDelivery }) => (
  <span className="whitespace-nowrap tabular-nums">{duration_ms === null ? '–' : `${duration_ms} ms`}</span>
);

const ATTEMPT: Record<ListedWebhookDelivery['status'], string> = {
  succeeded: 'border-success/50 bg-success-tint text-success',
  failed: 'border-danger/50 bg-danger-tint text-danger',
  pending: 'border-line-strong border-dashed text-ink-soft',
};

/** Lists the attempts by number. Clicking an attempt opens its details. */
function Attempts({ row }: { row: Row }) {
  const t = useTranslations('webhooks');
  const outcomes = useTranslations('developers');
  return (
    <ul aria-label={t('attempts_of', { event: row.event_id })} className="flex max-w-64 flex-wrap gap-1">
      {row.attempts.map((attempt) => {
        const { label } = describeDeliveryAttemptOutcome(
          { ...attempt, endpoint_status: row.endpoint_status },
          Date.now(),
          outcomes,
        );
        const words = t('attempt_ended', {
          number: attempt.attempt_number,
          trigger: t(`trigger_${attempt.trigger}`),
          outcome: label,
        });
        return (
          <li key={attempt.id}>
            <button
              type="button"
              aria-label={words}
              title={words}
              onClick={() => row.open(attempt.id)}
              className={cn(
                'min-w-6 rounded-sm border px-1 py-0.5 text-center text-xs tabular-nums hover:brightness-95',
                ATTEMPT[attempt.status],
              )}
            >
              {attempt.attempt_number}
              {attempt.status === 'failed' ? <span aria-hidden>✕</span> : null}
              {attempt.status === 'succeeded' ? <span aria-hidden>✓</span> : null}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Shows when a pending attempt is due, or when a finished attempt was made. */
function When({ attempt }: { attempt: ListedWebhookDelivery }) {
  if (attempt.status === 'pending') return <DateTime value={attempt.due_at} />;
  return <DateTime value={attempt.attempted_at ?? attempt.created_at} seconds />;
}

const FILTERS = ['status', 'type', 'event', 'from', 'to'] as const;
const STATUSES = ['succeeded', 'failed', 'pending'] as const;

export function DeliveryLog({ endpoint }: { endpoint: WebhookEndpointDetail }) {
  const t = useTranslations('webhooks');
  const router = useRouter();
  const search = useSearchParams();
  const list = useListUrl(FILTERS);
  const { values, cursor, set } = list;
  const [redelivering, setRedelivering] = useState(false);
  const trpc = useTRPC();
  const deliveries = useQuery(
    trpc.webhook_endpoints.list_event_deliveries.queryOptions(
      {
        id: endpoint.id,
        limit: 25,
        status: pickAllowedValue(STATUSES, values.status),
        event_type: pickAllowedValue(EVENT_TYPE_NAMES, values.type),
        event_id: values.event,
        ...parseDayRange(values),
        ...buildListInputFromCursor(cursor),
      },
      {
        placeholderData: keepPreviousData,
        refetchInterval: 5_000,
      },
    ),
  );

  const columns = useMemo(() => columnsOf(t), [t]);
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
            open: show,
          }),
        ),
      },
    [deliveries.data, show, endpoint.status],
  );
  return (
    <Card>
      <CardHeader
        title={t('deliveries')}
        description={t('event_by_event')}
        actions={
          <Button variant="secondary" onClick={() => setRedelivering(true)}>
            {t('redeliver_failed')}
          </Button>
        }
      />
      <FilteredList
        list={list}
        noun={[t('event_noun'), t('event_noun_many')]}
        filters={
          <>
            <SelectFilter
              label={t('outcome')}
              className="sm:w-48!"
              any={t('any_outcome')}
              value={values.status}
              options={STATUSES.map((status) => ({ value: status, label: t(`status_${status}`) }))}
              onChange={(status) => set({ status })}
            />
            <SelectFilter
              label={t('event_type')}
              any={t('any_type')}
              className="sm:w-72!"
              value={values.type}
              options={EVENT_TYPE_OPTIONS}
              onChange={(type) => set({ type })}
            />
            <TextFilter
              label={t('event_id')}
              placeholder="evt_…"
              value={values.event}
              onChange={(event) => set({ event })}
            />
            <DateFilter label={t('from')} value={values.from} max={values.to} onChange={(from) => set({ from })} />
            <DateFilter label={t('to')} value={values.to} min={values.from} onChange={(to) => set({ to })} />
          </>
        }
        query={{ ...deliveries, data: page }}
        columns={columns}
        label={t('deliveries')}
        card={card}
        empty={
          <EmptyState icon={Inbox} title={t('nothing_was_sent_yet')}>
            {t('the_first_event_shows_here')}
          </EmptyState>
        }
      />
      {shown ? <DeliveryDialog id={shown} onShow={show} onClose={() => show(null)} /> : null}
      {redelivering ? <RedeliverFailedDialog endpoint={endpoint} onClose={() => setRedelivering(false)} /> : null}
    </Card>
  );
}
