/** The operations on sync sources. */
import { defineInputWithExtraFieldsForHosts, defineOutputWithExtraFieldsForHosts } from '@/api/trpc/host-part';
import { defineApiOperation, router } from '@/api/trpc/procedures';
import { translateMessages } from '@/api/trpc/translate-messages';
import { toListEnvelope } from '@/shared/lists/pagination';
import { HostSourceList, HostSyncSourceListQuery, SyncSourceDetail } from './host.schemas';
import * as host from './host.service';
import { runSyncOfSource } from './run/run';
import * as schemas from './schemas';
import { serializeSyncSource } from './serializer';
import * as service from './service';

const read = { method: 'GET', tag: 'Sync sources', scope: 'sync_sources:read' } as const;

const SHOWN =
  'Channels’ calendars and forwarding addresses. Calendars that do not belong to a channel are not listed. Their reservations have `external_source: "other_ical"`.';

export const syncSourcesRouter = router({
  list: defineApiOperation({ ...read, path: '/sync_sources', summary: 'List sync sources', description: SHOWN })
    .input(defineInputWithExtraFieldsForHosts(schemas.SyncSourceListQuery, HostSyncSourceListQuery))
    .output(defineOutputWithExtraFieldsForHosts(schemas.SyncSourceList, HostSourceList))
    .query(async ({ ctx, input }) => {
      const page = await service.listSyncSourcePage(ctx.scope, input, ctx.by_host);
      const list = toListEnvelope(page, '/v1/sync_sources', serializeSyncSource);
      return translateMessages(
        ctx.by_host ? { ...list, data: await host.loadSyncSourceDetails(ctx.scope, page.data) } : list,
        ctx,
      );
    }),

  retrieve: defineApiOperation({
    ...read,
    path: '/sync_sources/{id}',
    summary: 'Retrieve a sync source',
    errors: ['resource_missing'],
    etag: true,
  })
    .input(schemas.SyncSourceId)
    .output(defineOutputWithExtraFieldsForHosts(schemas.SyncSource, SyncSourceDetail))
    .query(async ({ ctx, input }) =>
      translateMessages(
        ctx.by_host
          ? await host.retrieveSyncSourceDetail(ctx.scope, input.id)
          : serializeSyncSource(await service.retrieveSyncSource(ctx.scope, input.id, false)),
        ctx,
      ),
    ),

  run: defineApiOperation({
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
    .output(defineOutputWithExtraFieldsForHosts(schemas.SyncSource, SyncSourceDetail))
    .mutation(async ({ ctx, input }) => {
      if (!ctx.by_host) await service.retrieveSyncSource(ctx.scope, input.id, false);
      const row = await runSyncOfSource(ctx.scope, input.id, 'forced');
      return translateMessages(
        ctx.by_host ? await host.retrieveSyncSourceDetail(ctx.scope, row.id) : serializeSyncSource(row),
        ctx,
      );
    }),
});
