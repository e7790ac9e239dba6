/** The operations on the request log. Beta. */
import { operation, router } from '@/api/trpc/procedures';
import { toList } from '@/shared/list';
import * as schemas from './partner.schemas';
import { serializeLogged } from './serializer';
import * as service from './service';

const read = { method: 'GET', tag: 'Request logs', scope: 'request_logs:read', stability: 'beta' } as const;

export const requestLogsRouter = router({
  list: operation({ ...read, path: '/request_logs', summary: 'List requests' })
    .input(schemas.RequestLogListQuery)
    .output(schemas.RequestLogList)
    .query(async ({ ctx, input }) =>
      toList(await service.listRequests(ctx.scope, input), '/v1/request_logs', serializeLogged),
    ),

  retrieve: operation({
    ...read,
    path: '/request_logs/{id}',
    summary: 'Retrieve a request',
    errors: ['resource_missing'],
    etag: true,
  })
    .input(schemas.RequestLogId)
    .output(schemas.RequestLog)
    .query(async ({ ctx, input }) => serializeLogged(await service.retrieveRequest(ctx.scope, input.id))),
});
