'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { paths } from '../../paths';
import { useTRPC } from '../../trpc';
import type { LoggedRequestDetail } from '../../types';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { Link } from '../../ui/link';
import { Skeleton } from '../../ui/skeleton';
import { ApiObjectIdLink, findPagePathByObjectId } from '../object-link';
import { DeliveryAttemptBadge, WebhookEndpointLabel } from '../webhooks/badges';

/** The maximum number of events to show. If there are more, only the newest are shown. */
const MOST_EVENTS = 10;

/** Shows the result of a request: its object, its events, and their deliveries. */
export function RequestOutcomeCard({ request }: { request: LoggedRequestDetail }) {
  const t = useTranslations('request_log');
  const trpc = useTRPC();
  const events = useQuery(
    trpc.events.list.queryOptions(
      { request_id: request.id, limit: MOST_EVENTS },
      { placeholderData: keepPreviousData, refetchInterval: 15_000 },
    ),
  );
  const { object_id } = request;
  const made = events.data?.data ?? [];
  return (
    <Card>
      <CardHeader title={t('what_came_of_it')} />
      <CardBody className="grid gap-3 text-sm">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="text-ink-soft">{t('about')}</span>
          {object_id ? (
            <>
              <ApiObjectIdLink id={object_id} />
              <Link
                href={`${paths.events}?object=${object_id}`}
                className="text-primary text-xs underline underline-offset-4"
              >
                {t(findPagePathByObjectId(object_id) ? 'all_events_of_it' : 'all_events_of_this_object')}
              </Link>
            </>
          ) : (
            t('no_single_object')
          )}
        </p>
        {events.isPending ? <Skeleton className="h-5 w-2/3" /> : null}
        {events.data && made.length === 0 ? (
          <p className="text-ink-soft">
            {t(request.status >= 400 ? 'it_made_no_event_it_changed_nothing' : 'it_made_no_event')}
          </p>
        ) : null}
      </CardBody>
      {made.length > 0 ? (
        <ul aria-label={t('events')} className="divide-y divide-line border-t">
          {made.map((event) => (
            <EventOf key={event.id} id={event.id} type={event.type} />
          ))}
        </ul>
      ) : null}
    </Card>
  );
}

function EventOf({ id, type }: { id: string; type: string }) {
  const t = useTranslations('request_log');
  const trpc = useTRPC();
  const event = useQuery(
    trpc.events.retrieve.queryOptions(
      { id },
      {
        refetchInterval: (query) =>
          query.state.data?.deliveries.some((delivery) => delivery.status === 'pending') ? 5_000 : false,
      },
    ),
  );
  return (
    <li className="grid gap-2 px-5 py-3 text-sm">
      <span className="flex flex-wrap items-baseline gap-x-3">
        <Link href={paths.event(id)} className="break-all font-mono text-primary text-xs underline underline-offset-4">
          {type}
        </Link>
        <span className="break-all font-mono text-ink-soft text-xs">{id}</span>
      </span>
      {event.data?.deliveries.length === 0 ? (
        <span className="text-ink-soft">{t('no_endpoint_asked_for_it')}</span>
      ) : null}
      {event.data && event.data.deliveries.length > 0 ? (
        <ul aria-label={t('deliveries_of_type', { type })} className="grid gap-2">
          {event.data.deliveries.map((delivery) => (
            <li key={delivery.id} className="flex flex-wrap items-center justify-between gap-2">
              <Link
                href={`${paths.webhook(delivery.endpoint_id)}?event=${id}&delivery=${delivery.id}`}
                className="min-w-0 underline underline-offset-4"
              >
                <WebhookEndpointLabel endpoint={delivery} />
              </Link>
              <DeliveryAttemptBadge attempt={delivery} />
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}
