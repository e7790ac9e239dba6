/** Events in the dashboard, for every member. */
import { memberProcedure, router } from '@/api/trpc/procedures';
import { latestAttemptsOfEvent } from '../delivery-log';
import * as schemas from './schemas';
import { serializeEvent } from './serializer';
import * as service from './service';

export const eventLogRouter = router({
  list: memberProcedure
    .input(schemas.EventQuery)
    .output(schemas.EventPage)
    .query(async ({ ctx, input }) => {
      const { data, has_more } = await service.listEvents(ctx.scope, input);
      return { data: data.map(serializeEvent), has_more };
    }),

  retrieve: memberProcedure
    .input(schemas.EventId)
    .output(schemas.EventDetail)
    .query(async ({ ctx, input }) => {
      const row = await service.retrieveEvent(ctx.scope, input.id);
      const deliveries = await latestAttemptsOfEvent(ctx.scope, row.id);
      return { ...serializeEvent(row), body: row.body, deliveries };
    }),
});
