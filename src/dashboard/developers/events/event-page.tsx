'use client';
import { EVENT_TYPES, isEventType } from '@/events/catalogue';
import { DetailSkeleton, NotFoundOrError } from '../../not-found-or-error';
import { paths } from '../../paths';
import { Badge } from '../../ui/badge';
import { Card, CardBody, CardHeader, Facts } from '../../ui/card';
import { CopyableId } from '../../ui/copy-field';
import { DateTime } from '../../ui/date-time';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { CodeBlock } from '../code-block';
import { ObjectLink } from '../object-link';
import { EndpointName, OutcomeBadge } from '../webhooks/badges';
import { type EventDetail, useEvent } from './queries';

const back = { href: paths.events, label: 'Events' };

export function EventPage({ id }: { id: string }) {
  const event = useEvent(id);
  if (event.data) return <Loaded event={event.data} />;
  return (
    <>
      <PageHeader back={back} title="Event" />
      {event.error ? (
        <NotFoundOrError
          error={event.error}
          noun="event"
          missing="It belongs to the other mode, or the id is not whole."
          list={{ href: paths.events, label: 'All events' }}
          onRetry={() => void event.refetch()}
        />
      ) : (
        <DetailSkeleton />
      )}
    </>
  );
}

function Loaded({ event }: { event: EventDetail }) {
  return (
    <>
      <PageHeader
        back={back}
        title={<span className="break-all font-mono text-lg">{event.type}</span>}
        badge={event.test ? <Badge tone="violet">Test event</Badge> : null}
        description={isEventType(event.type) ? EVENT_TYPES[event.type].replaceAll('`', '') : undefined}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <Card>
          <CardHeader title="Event" />
          <CardBody>
            <Facts
              items={[
                { label: 'Id', value: <CopyableId value={event.id} /> },
                { label: event.test ? 'Sent to' : 'About', value: <ObjectLink id={event.object_id} /> },
                { label: 'Occurred', value: <DateTime value={event.created_at} seconds /> },
                { label: 'Sequence', value: event.sequence },
                ...(event.request_id
                  ? [{ label: 'Made by the request', value: <ObjectLink id={event.request_id} /> }]
                  : []),
              ]}
            />
          </CardBody>
        </Card>
        <Deliveries event={event} />
        <Card>
          <CardHeader title="Payload" description="Stored when it happened, and sent byte for byte on every attempt." />
          <CardBody>
            <CodeBlock label="Body" text={event.body} />
          </CardBody>
        </Card>
      </div>
    </>
  );
}

function Deliveries({ event }: { event: EventDetail }) {
  return (
    <Card>
      <CardHeader title="Deliveries" description="The latest attempt at each endpoint." />
      {event.deliveries.length === 0 ? (
        <CardBody className="text-ink-soft text-sm">
          No endpoint that was enabled at the time had asked for it. An endpoint’s “Redeliver failed” sends it what it
          missed.
        </CardBody>
      ) : (
        <ul className="divide-y divide-line" aria-label="Deliveries">
          {event.deliveries.map((delivery) => (
            <li key={delivery.id} className="flex flex-wrap items-center justify-between gap-3 px-5 py-3 text-sm">
              <Link
                href={`${paths.webhook(delivery.endpoint_id)}?event=${event.id}&delivery=${delivery.id}`}
                className="min-w-0 underline underline-offset-4"
              >
                <EndpointName endpoint={delivery} />
              </Link>
              <span className="flex flex-wrap items-center gap-3">
                <span className="text-ink-soft">
                  {delivery.attempt_number} {delivery.attempt_number === 1 ? 'attempt' : 'attempts'}
                </span>
                <OutcomeBadge attempt={delivery} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
