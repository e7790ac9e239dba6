/** Manages sync sources (specification, "Sync sources"). */
import { randomBytes } from 'node:crypto';
import { config, getAppSecret } from '@/config';
import { recordEvent } from '@/events/record';
import type { SyncSource } from '@/generated/prisma/client';
import { lockProperty } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { encryptSecret } from '@/infra/encryption';
import { assertOutboundUrlAllowed } from '@/infra/outbound/url';
import { clock } from '@/shared/clock';
import { AppError, createResourceMissingError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { type FeedEntryInterpretationSettings, feedEntryInterpretationJsonColumn } from './json-columns.schemas';
import { DEFAULT_FEED_ENTRY_INTERPRETATION_SETTINGS } from './plan/entries';
import * as repository from './repository';
import {
  DASHBOARD_SYNC_SOURCE_KINDS,
  type DashboardSyncSourceKind,
  SYNC_SOURCE_KINDS,
  type SyncSourceListQuery,
} from './schemas';
import {
  decryptFeedUrl,
  FEED_URL_ENCRYPTION_PURPOSE,
  isSyncSourceVisibleToPartners,
  serializeSyncSourceForEvent,
} from './serializer';

/** Lists sources. Partners get only sources of the specification's kinds. */
export function listSyncSourcePage(scope: Scope, query: SyncSourceListQuery, by_host: boolean) {
  return repository.listSyncSourceRows(scope, query, by_host ? DASHBOARD_SYNC_SOURCE_KINDS : SYNC_SOURCE_KINDS);
}

/** Returns the property's bookings to which a mail may refer. */
export function listBookingsThatMailMayReferTo(scope: Scope, property_id: string, over_after: string) {
  return repository.listPropertyBookings(scope, property_id, null, over_after);
}

/**
 * Returns a source. Partners get only sources of the specification's kinds. Throws
 * resource_missing.
 */
export async function retrieveSyncSource(scope: Scope, id: string, by_host = true): Promise<SyncSource> {
  const row = await repository.findSyncSource(scope, id);
  if (!row || !(by_host || isSyncSourceVisibleToPartners(row)))
    throw createResourceMissingError(scope, 'sync source', id);
  return row;
}

/**
 * Creates a source. A calendar needs a URL, and forwarded mail gets an address. Throws
 * resource_missing, missing_required_field and the errors about URLs.
 */
export async function createSyncSource(
  scope: Scope,
  input: {
    property_id: string;
    kind: DashboardSyncSourceKind;
    feed_url?: string | null;
    closures_are_blocks?: boolean;
    reading?: FeedEntryInterpretationSettings;
  },
): Promise<SyncSource> {
  const mail = input.kind === 'forward_email';
  if (!mail && !input.feed_url) throw new AppError('missing_required_field', { param: 'feed_url' });
  if (mail && input.feed_url) {
    throw new AppError('invalid_field', { param: 'feed_url', message: createRefusal('forwarding_has_no_url') });
  }
  const url = mail ? null : parseFeedUrl(input.feed_url ?? '');
  return inTransaction(scope, async () => {
    if (!(await lockProperty(scope, input.property_id))) throw createMissingPropertyError(input.property_id);
    // Verified under the lock, so that of two concurrent requests for one calendar the second is
    // refused.
    if (url) await assertFeedUrlNotYetUsedByProperty(scope, input.property_id, url);
    const now = clock().now();
    const row = await repository.insertSyncSourceRow(scope, {
      id: newId('sync_source'),
      property_id: input.property_id,
      kind: input.kind,
      feed_url: url && encryptFeedUrl(url),
      closures_are_blocks: input.closures_are_blocks ?? false,
      reading: feedEntryInterpretationJsonColumn.write(input.reading ?? DEFAULT_FEED_ENTRY_INTERPRETATION_SETTINGS),
      inbound_token: mail ? randomBytes(10).toString('hex') : null,
      next_run_at: mail ? null : now,
      created_at: now,
      updated_at: now,
    });
    await recordSyncSourceEvent(scope, 'sync_source.created', row);
    return row;
  });
}

export const createMissingPropertyError = (id: string) =>
  new AppError('resource_missing', { message: createRefusal('no_such_property', { id }), param: 'property_id' });

/**
 * Returns a feed's URL as it is fetched, with https instead of webcal. Throws url_not_https and
 * url_not_allowed.
 */
export function parseFeedUrl(text: string): string {
  const allow_loopback = config().outbound_allow_loopback;
  return assertOutboundUrlAllowed(text, { param: 'feed_url', allow_loopback, allow_webcal: true }).href;
}

export const encryptFeedUrl = (url: string) => encryptSecret(getAppSecret(), FEED_URL_ENCRYPTION_PURPOSE, url);

/**
 * Verifies that the calendar is not yet connected, because two sources would not recognize each
 * other's bookings.
 */
export async function assertFeedUrlNotYetUsedByProperty(
  scope: Scope,
  property_id: string,
  url: string,
  except_id: string | null = null,
): Promise<void> {
  const sources = await repository.listSyncSourcesOfProperty(scope, property_id);
  if (sources.some((source) => source.id !== except_id && decryptFeedUrl(source) === url)) {
    throw new AppError('invalid_field', { param: 'feed_url', message: createRefusal('calendar_connected_already') });
  }
}

/** Records an event of a source, as the last statement in the transaction of the change. */
export async function recordSyncSourceEvent(
  scope: Scope,
  type: 'sync_source.created' | 'sync_source.updated' | 'sync_source.run.completed',
  row: SyncSource,
  data: { run?: object } = {},
): Promise<void> {
  if (!isSyncSourceVisibleToPartners(row)) return;
  await recordEvent(scope, { type, object_id: row.id, data: { object: serializeSyncSourceForEvent(row), ...data } });
}
