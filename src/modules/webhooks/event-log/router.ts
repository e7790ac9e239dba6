/** The operations on events: what was delivered, or would have been. Beta. */
import { operation, router } from '@/api/trpc/procedures';
import { toList } from '@/shared/list';
import * as schemas from './partner.schemas';
import { serializeRecorded } from './serializer';
import * as service from './service';

const read = { method: 'GET', tag: 'Events', scope: 'events:read', stability: 'beta' } as const;

export const eventsRouter = router({
  list: operation({
    ...read,
    path: '/events',
    summary: 'List events',
    description:
      'The newest first, in the order of their `sequence`: paging with `ending_before` misses none that was recorded meanwhile.',
  })
    .input(schemas.EventListQuery)
    .output(schemas.EventList)
    .query(async ({ ctx, input }) =>
      toList(await service.listRecorded(ctx.scope, input), '/v1/events', serializeRecorded),
    ),

  retrieve: operation({
    ...read,
    path: '/events/{id}',
    summary: 'Retrieve an event',
    errors: ['resource_missing'],
    etag: true,
  })
    .input(schemas.RecordedEventId)
    .output(schemas.RecordedEvent)
    .query(async ({ ctx, input }) => serializeRecorded(await service.retrieveEvent(ctx.scope, input.id))),
});
