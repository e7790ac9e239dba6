/** Converts a row to a SyncSource, field by field. */

import { getAppSecret } from '@/config';
import type { SyncSource as SyncSourceRow } from '@/generated/prisma/client';
import { decryptSecret } from '@/infra/encryption';
import { parseStoredRefusal, type ResultWithUntranslatedRefusals } from '@/shared/refusals/refusal';
import { SYNC_SOURCE_KINDS, type SyncSource, type SyncSourceKind } from './schemas';

/**
 * The encryption purpose of a feed's URL. The URL is encrypted because it gives access to the
 * calendar.
 */
export const FEED_URL_ENCRYPTION_PURPOSE = 'feed-url';

/**
 * Returns whether the specification defines this kind. Partners do not see sources of other kinds.
 */
export const isSyncSourceVisibleToPartners = ({ kind }: Pick<SyncSourceRow, 'kind'>) =>
  (SYNC_SOURCE_KINDS as readonly string[]).includes(kind);

/** Returns the feed's decrypted URL, or null for forwarded mail. */
export function decryptFeedUrl(row: Pick<SyncSourceRow, 'feed_url'>): string | null {
  return row.feed_url === null ? null : decryptSecret(getAppSecret(), FEED_URL_ENCRYPTION_PURPOSE, row.feed_url);
}

/** Serializes the resource with the feed's URL. */
export function serializeSyncSource(row: SyncSourceRow): ResultWithUntranslatedRefusals<SyncSource> {
  return {
    id: row.id,
    object: 'sync_source',
    kind: row.kind as SyncSourceKind,
    property_id: row.property_id,
    feed_url: decryptFeedUrl(row),
    enabled: row.enabled,
    last_synced_at: row.last_synced_at?.toISOString() ?? null,
    last_status: row.last_status,
    last_error: parseStoredRefusal(row.last_error),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/**
 * Serializes the resource for a webhook. The feed's URL is secret, so only its origin is included.
 */
export function serializeSyncSourceForEvent(row: SyncSourceRow): SyncSource {
  const shown = serializeSyncSource(row);
  const last_error = shown.last_error && String(shown.last_error);
  return { ...shown, last_error, feed_url: shown.feed_url === null ? null : `${new URL(shown.feed_url).origin}/***` };
}
