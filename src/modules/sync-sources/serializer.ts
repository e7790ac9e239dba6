/** Row -> SyncSource, field by field. */
import { appSecret } from '@/config';
import type { SyncSource as SyncSourceRow } from '@/generated/prisma/client';
import { decryptSecret } from '@/infra/encryption';
import { SYNC_SOURCE_KINDS, type SyncSource, type SyncSourceKind } from './schemas';

/** What encrypts a feed's address at rest: who knows it can read the calendar. */
export const FEED_PURPOSE = 'feed-url';

/** Whether partners know sources of this kind: the specification's enum has no name for the others. */
export const isPublic = ({ kind }: Pick<SyncSourceRow, 'kind'>) =>
  (SYNC_SOURCE_KINDS as readonly string[]).includes(kind);

/** The feed's address in clear; null for forwarded mail. */
export function feedUrl(row: Pick<SyncSourceRow, 'feed_url'>): string | null {
  return row.feed_url === null ? null : decryptSecret(appSecret(), FEED_PURPOSE, row.feed_url);
}

/** The resource as its owner sees it. */
export function serializeSyncSource(row: SyncSourceRow): SyncSource {
  return {
    id: row.id,
    object: 'sync_source',
    kind: row.kind as SyncSourceKind,
    property_id: row.property_id,
    feed_url: feedUrl(row),
    enabled: row.enabled,
    last_synced_at: row.last_synced_at?.toISOString() ?? null,
    last_status: row.last_status,
    last_error: row.last_error,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The resource in a webhook: the feed's address is a secret, so only its host is shown. */
export function serializeSyncSourceForEvent(row: SyncSourceRow): SyncSource {
  const shown = serializeSyncSource(row);
  return { ...shown, feed_url: shown.feed_url === null ? null : `${new URL(shown.feed_url).origin}/***` };
}
