'use client';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { isEventType } from '@/events/catalogue';
import { DetailPageSkeleton, NotFoundOrErrorCard } from '../../not-found-or-error';
import { paths } from '../../paths';
import { useTRPC } from '../../trpc';
import type { WebhookEventDetail } from '../../types';
import { Badge } from '../../ui/badge';
import { Card, CardBody, CardHeader, DescriptionList } from '../../ui/card';
import { CopyableId } from '../../ui/copy-field';
import { DateTime } from '../../ui/date-time';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { CodeBlock } from '../code-block';
import { ApiObjectIdLink } from '../object-link';
import { DeliveryAttemptBadge, WebhookEndpointLabel } from '../webhooks/badges';
import { useEventTypeMeaning } from './use-meaning';

function useBack() {
  const t = useTranslations('events');
  return { href: paths.events, label: t('events') };
}

export function EventPage({ id }: { id: string }) {
  const t = useTranslations('events');
  const back = useBack();
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
  if (event.data) return <Loaded event={event.data} />;
  return (
    <>
      <PageHeader back={back} title={t('event')} />
      {event.error ? (
        <NotFoundOrErrorCard
          error={event.error}
          noun={t('event_2')}
          missing={t('it_belongs_to_the_other_mode_or')}
          list={{ href: paths.events, label: t('all_events') }}
          onRetry={() => void event.refetch()}
        />
      ) : (
        <DetailPageSkeleton />
      )}
    </>
  );
}

function Loaded({ event }: { event: WebhookEventDetail }) {
  const t = useTranslations('events');
  const meaning = useEventTypeMeaning();
  return (
    <>
      <PageHeader
        back={useBack()}
        title={<span className="break-all font-mono text-lg">{event.type}</span>}
        badge={event.test ? <Badge tone="violet">{t('test_event')}</Badge> : null}
        description={isEventType(event.type) ? meaning(event.type) : undefined}
      />
      <div className="grid gap-5">
        <Card>
          <CardHeader title={t('event')} />
          <CardBody>
            <DescriptionList
              items={[
                { label: t('id'), value: <CopyableId value={event.id} /> },
                { label: event.test ? t('sent_to') : t('about'), value: <ApiObjectIdLink id={event.object_id} /> },
                { label: t('occurred'), value: <DateTime value={event.created_at} seconds /> },
                { label: t('sequence'), value: event.sequence },
                ...(event.request_id
                  ? [{ label: t('made_by_the_request'), value: <ApiObjectIdLink id={event.request_id} /> }]
                  : []),
              ]}
            />
          </CardBody>
        </Card>
        <Deliveries event={event} />
        <Card>
          <CardHeader title={t('payload')} description={t('stored_when_it_happened_and_sent_byte')} />
          <CardBody>
            <CodeBlock label={t('body')} text={event.body} />
          </CardBody>
        </Card>
      </div>
    </>
  );
}

function Deliveries({ event }: { event: WebhookEventDetail }) {
  const t = useTranslations('events');
  return (
    <Card>
      <CardHeader title={t('deliveries')} description={t('the_latest_attempt_at_each_endpoint')} />
      {event.deliveries.length === 0 ? (
        <CardBody className="text-ink-soft text-sm">{t('no_endpoint_that_was_enabled_at_the')}</CardBody>
      ) : (
        <ul className="divide-y divide-line" aria-label={t('deliveries')}>
          {event.deliveries.map((delivery) => (
            <li key={delivery.id} className="flex flex-wrap items-center justify-between gap-3 px-5 py-3 text-sm">
              <Link
                href={`${paths.webhook(delivery.endpoint_id)}?event=${event.id}&delivery=${delivery.id}`}
                className="min-w-0 underline underline-offset-4"
              >
                <WebhookEndpointLabel endpoint={delivery} />
              </Link>
              <span className="flex flex-wrap items-center gap-3">
                <span className="text-ink-soft">{t('attempts', { count: delivery.attempt_number })}</span>
                <DeliveryAttemptBadge attempt={delivery} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
