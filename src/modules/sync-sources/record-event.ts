/** What partners hear of sync sources: of those that they know. */
import { recordEvent } from '@/events/record';
import type { SyncSource } from '@/generated/prisma/client';
import type { Scope } from '@/shared/scope';
import { isPublic, serializeSyncSourceForEvent } from './serializer';

type SourceEvent = 'sync_source.created' | 'sync_source.updated' | 'sync_source.run.completed';

/** In the transaction of the change, as its last statement. */
export async function recordSourceEvent(
  scope: Scope,
  type: SourceEvent,
  row: SyncSource,
  data: { run?: object } = {},
): Promise<void> {
  if (!isPublic(row)) return;
  await recordEvent(scope, { type, object_id: row.id, data: { object: serializeSyncSourceForEvent(row), ...data } });
}
