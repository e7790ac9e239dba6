/** The operations on sync sources. */
import { operation, router } from '@/api/trpc/procedures';
import { toList } from '@/shared/list';
import { runSource } from './run/run';
import * as schemas from './schemas';
import { serializeSyncSource } from './serializer';
import * as service from './service';

const read = { method: 'GET', tag: 'Sync sources', scope: 'sync_sources:read' } as const;

export const syncSourcesRouter = router({
  list: operation({ ...read, path: '/sync_sources', summary: 'List sync sources' })
    .input(schemas.SyncSourceListQuery)
    .output(schemas.SyncSourceList)
    .query(async ({ ctx, input }) =>
      toList(await service.listSources(ctx.scope, input.limit), '/v1/sync_sources', serializeSyncSource),
    ),

  retrieve: operation({
    ...read,
    path: '/sync_sources/{id}',
    summary: 'Retrieve a sync source',
    errors: ['resource_missing'],
    etag: true,
  })
    .input(schemas.SyncSourceId)
    .output(schemas.SyncSource)
    .query(async ({ ctx, input }) => serializeSyncSource(await service.retrieveSource(ctx.scope, input.id))),

  run: operation({
    method: 'POST',
    path: '/sync_sources/{id}/run',
    tag: 'Sync sources',
    scope: 'sync_sources:run',
    summary: 'Run a calendar sync now',
    description:
      'Fetches the calendar, applies what changed and answers the source with its new `last_status`. A calendar that cannot be read is an answer too: `last_error` says what is wrong.',
    errors: ['resource_missing', 'sync_source_disabled', 'sync_in_progress', 'sync_not_supported'],
    own_transactions: true,
  })
    .input(schemas.SyncSourceId)
    .output(schemas.SyncSource)
    .mutation(async ({ ctx, input }) => serializeSyncSource(await runSource(ctx.scope, input.id, 'forced'))),
});
