/** The request log in the dashboard, for every member. */
import { memberProcedure, router } from '@/api/trpc/procedures';
import * as schemas from './schemas';
import { serializeRequest, serializeRequestDetail } from './serializer';
import * as service from './service';

export const requestLogRouter = router({
  list: memberProcedure
    .input(schemas.RequestLogQuery)
    .output(schemas.RequestLogPage)
    .query(async ({ ctx, input }) => {
      const { data, has_more } = await service.listRequests(ctx.scope, input);
      return { data: data.map(serializeRequest), has_more };
    }),

  retrieve: memberProcedure
    .input(schemas.RequestLogId)
    .output(schemas.RequestLogDetail)
    .query(async ({ ctx, input }) => serializeRequestDetail(await service.retrieveRequest(ctx.scope, input.id))),
});
