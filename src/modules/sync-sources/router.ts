/** The operations on sync sources. */
import { withHostInputFields, withHostOutputFields } from '@/api/trpc/host-part';
import { defineOperation, router } from '@/api/trpc/procedures';
import { translateMessages } from '@/api/trpc/translate-messages';
import { toListEnvelope } from '@/shared/lists/pagination';
import { HostSourceList, HostSourceListQuery, SourceDetail } from './host.schemas';
import * as host from './host.service';
import { runSource } from './run/run';
import * as schemas from './schemas';
import { serializeSyncSource } from './serializer';
import * as service from './service';

const read = { method: 'GET', tag: 'Sync sources', scope: 'sync_sources:read' } as const;

const SHOWN =
  'Channels’ calendars and forwarding addresses. Calendars that do not belong to a channel are not listed. Their reservations have `external_source: "other_ical"`.';

export const syncSourcesRouter = router({
  list: defineOperation({ ...read, path: '/sync_sources', summary: 'List sync sources', description: SHOWN })
    .input(withHostInputFields(schemas.SyncSourceListQuery, HostSourceListQuery))
    .output(withHostOutputFields(schemas.SyncSourceList, HostSourceList))
    .query(async ({ ctx, input }) => {
      const page = await service.listSources(ctx.scope, input, ctx.by_host);
      const list = toListEnvelope(page, '/v1/sync_sources', serializeSyncSource);
      return translateMessages(
        ctx.by_host ? { ...list, data: await host.loadSourceDetails(ctx.scope, page.data) } : list,
        ctx,
      );
    }),

  retrieve: defineOperation({
    ...read,
    path: '/sync_sources/{id}',
    summary: 'Retrieve a sync source',
    errors: ['resource_missing'],
    etag: true,
  })
    .input(schemas.SyncSourceId)
    .output(withHostOutputFields(schemas.SyncSource, SourceDetail))
    .query(async ({ ctx, input }) =>
      translateMessages(
        ctx.by_host
          ? await host.retrieveSourceDetail(ctx.scope, input.id)
          : serializeSyncSource(await service.retrieveSource(ctx.scope, input.id, false)),
        ctx,
      ),
    ),

  run: defineOperation({
    method: 'POST',
    path: '/sync_sources/{id}/run',
    effect: 'irreversible',
    tag: 'Sync sources',
    scope: 'sync_sources:run',
    summary: 'Run a calendar sync now',
    description:
      'Fetches the calendar, applies its changes and returns the source with its new `last_status`. A calendar that cannot be read also returns 200. `last_error` then gives the reason.',
    errors: ['resource_missing', 'sync_source_disabled', 'sync_in_progress', 'sync_not_supported'],
    own_transactions: true,
  })
    .input(schemas.SyncSourceId)
    .output(withHostOutputFields(schemas.SyncSource, SourceDetail))
    .mutation(async ({ ctx, input }) => {
      if (!ctx.by_host) await service.retrieveSource(ctx.scope, input.id, false);
      const row = await runSource(ctx.scope, input.id, 'forced');
      return translateMessages(
        ctx.by_host ? await host.retrieveSourceDetail(ctx.scope, row.id) : serializeSyncSource(row),
        ctx,
      );
    }),
});
