/** The operations on events, including events that no endpoint received. Beta. */
import { defineInputWithExtraFieldsForHosts, defineOutputWithExtraFieldsForHosts } from '@/api/trpc/host-part';
import { defineApiOperation, router } from '@/api/trpc/procedures';
import { toListEnvelope } from '@/shared/lists/pagination';
import { findLatestDeliveryAttemptsOfEvent } from '../delivery-log';
import * as host from './host.schemas';
import * as schemas from './schemas';
import * as service from './service';
import { serializeEvent } from './service';

const read = { method: 'GET', tag: 'Events', scope: 'events:read', stability: 'beta' } as const;

export const recordedEventsRouter = router({
  list: defineApiOperation({
    ...read,
    path: '/events',
    summary: 'List events',
    description:
      'Newest first, by `sequence`. Paging with `ending_before` does not miss events that are recorded in the meantime.',
  })
    .input(defineInputWithExtraFieldsForHosts(schemas.RecordedEventListQuery, host.HostEventListQuery))
    .output(defineOutputWithExtraFieldsForHosts(schemas.EventList, host.HostEventList))
    .query(async ({ ctx, input }) =>
      toListEnvelope(await service.listEvents(ctx.scope, input), '/v1/events', serializeEvent),
    ),

  retrieve: defineApiOperation({
    ...read,
    path: '/events/{id}',
    summary: 'Retrieve an event',
    errors: ['resource_missing'],
    etag: true,
  })
    .input(defineInputWithExtraFieldsForHosts(schemas.RecordedEventId, host.HostEventId))
    .output(defineOutputWithExtraFieldsForHosts(schemas.RecordedEvent, host.EventDetail))
    .query(async ({ ctx, input }) => {
      const row = await service.retrieveEvent(ctx.scope, input.id);
      const event = serializeEvent(row);
      return ctx.by_host
        ? { ...event, body: row.body, deliveries: await findLatestDeliveryAttemptsOfEvent(ctx.scope, row.id) }
        : event;
    }),
});
