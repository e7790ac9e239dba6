/** Queries on packets. */
import type { Packet, PacketRevision, Prisma as PrismaTypes } from '@/generated/prisma/client';
import { Prisma, type ScopedDb, scopedDb } from '@/infra/db/scoped-client';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';

export function findPacket(scope: Scope, id: string, db = scopedDb(scope)): Promise<Packet | null> {
  return db.packet.findFirst({ where: { id } });
}

export async function propertyExists(scope: Scope, id: string, db = scopedDb(scope)): Promise<boolean> {
  return (await db.property.findFirst({ where: { id }, select: { id: true } })) !== null;
}

export function findDefaultPacket(scope: Scope, property_id: string, db = scopedDb(scope)): Promise<Packet | null> {
  return db.packet.findFirst({ where: { property_id, is_default: true, status: 'active' } });
}

/** Active ones first, then archived; within each, oldest first, so that the list a host arranges keeps its order. */
export function listPackets(scope: Scope, property_id: string, db = scopedDb(scope)): Promise<Packet[]> {
  return db.packet.findMany({
    where: { property_id },
    orderBy: [{ status: 'asc' }, { created_at: 'asc' }, { id: 'asc' }],
  });
}

export function countActive(_scope: Scope, property_id: string, db: ScopedDb): Promise<number> {
  return db.packet.count({ where: { property_id, status: 'active' } });
}

export async function isReferenced(_scope: Scope, id: string, db: ScopedDb): Promise<boolean> {
  return (await db.reservation.findFirst({ where: { packet_id: id }, select: { id: true } })) !== null;
}

export function insertPacket(
  scope: Scope,
  data: Omit<PrismaTypes.PacketUncheckedCreateInput, 'team_id' | 'mode'>,
  db: ScopedDb,
): Promise<Packet> {
  return db.packet.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/** Saves only when the row is still at `version`; null when another change came first. */
export async function savePacket(
  _scope: Scope,
  id: string,
  version: number,
  changes: PrismaTypes.PacketUncheckedUpdateManyInput,
  db: ScopedDb,
): Promise<Packet | null> {
  const rows = await db.packet.updateManyAndReturn({
    where: { id, version },
    data: { ...changes, version: { increment: 1 } },
  });
  return rows[0] ?? null;
}

/** Takes the default flag from whichever active packet of the property has it. */
export async function demoteDefault(_scope: Scope, property_id: string, now: Date, db: ScopedDb): Promise<void> {
  await db.packet.updateMany({
    where: { property_id, is_default: true },
    data: { is_default: false, updated_at: now, version: { increment: 1 } },
  });
}

/** Waits for who is about to reference the packet, so that the count of references that follows is true. */
export async function lockPacket(scope: Scope, id: string, db: ScopedDb): Promise<void> {
  await db.$queryRaw(Prisma.sql`
    SELECT 1 FROM packets WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR UPDATE`);
}

/** With its revisions. */
export async function deletePacket(_scope: Scope, id: string, version: number, db: ScopedDb): Promise<boolean> {
  const { count } = await db.packet.deleteMany({ where: { id, version } });
  return count === 1;
}

/** Keeps what a packet was before a change. */
export async function insertRevision(
  scope: Scope,
  before: Packet,
  content: PrismaTypes.InputJsonValue,
  changed_by: string,
  now: Date,
  db: ScopedDb,
): Promise<void> {
  const { team_id, mode } = scope;
  await db.packetRevision.create({
    data: {
      id: newId('packet_revision'),
      team_id,
      mode,
      packet_id: before.id,
      version: before.version,
      content,
      changed_by,
      created_at: now,
    },
  });
}

export function listRevisions(scope: Scope, packet_id: string): Promise<PacketRevision[]> {
  return scopedDb(scope).packetRevision.findMany({ where: { packet_id }, orderBy: { version: 'desc' }, take: 50 });
}
