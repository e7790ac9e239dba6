/** A deleted property takes its calendars and forwarding addresses along. */
import type { ScopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

export async function deleteSyncSourcesOfProperty(_scope: Scope, property_id: string, db: ScopedDb): Promise<void> {
  const sources = await db.syncSource.findMany({ where: { property_id }, select: { id: true } });
  const sync_source_id = { in: sources.map((source) => source.id) };
  await db.syncRun.deleteMany({ where: { sync_source_id } });
  await db.inboundMail.deleteMany({ where: { sync_source_id } });
  await db.syncSource.deleteMany({ where: { property_id } });
}
