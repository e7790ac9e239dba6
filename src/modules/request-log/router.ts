/** The API's operations on the request log. Beta. */
import { defineInputWithExtraFieldsForHosts, defineOutputWithExtraFieldsForHosts } from '@/api/trpc/host-part';
import { defineApiOperation, router } from '@/api/trpc/procedures';
import { toListEnvelope } from '@/shared/lists/pagination';
import * as host from './host.schemas';
import * as schemas from './schemas';
import { serializeLoggedRequest, serializeLoggedRequestDetail } from './serializer';
import * as service from './service';

const read = { method: 'GET', tag: 'Request logs', scope: 'request_logs:read', stability: 'beta' } as const;

export const requestLogsRouter = router({
  list: defineApiOperation({ ...read, path: '/request_logs', summary: 'List requests' })
    .input(defineInputWithExtraFieldsForHosts(schemas.RequestLogListQuery, host.HostRequestLogListQuery))
    .output(defineOutputWithExtraFieldsForHosts(schemas.RequestLogList, host.HostRequestLogList))
    .query(async ({ ctx, input }) =>
      toListEnvelope(await service.listLoggedRequests(ctx.scope, input), '/v1/request_logs', serializeLoggedRequest),
    ),

  retrieve: defineApiOperation({
    ...read,
    path: '/request_logs/{id}',
    summary: 'Retrieve a request',
    errors: ['resource_missing'],
    etag: true,
  })
    .input(defineInputWithExtraFieldsForHosts(schemas.RequestLogId, host.PastedRequestLogId))
    .output(defineOutputWithExtraFieldsForHosts(schemas.RequestLog, host.RequestLogDetail))
    .query(async ({ ctx, input }) =>
      serializeLoggedRequestDetail(await service.retrieveLoggedRequest(ctx.scope, input.id)),
    ),
});
