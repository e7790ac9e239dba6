/** Queries on packets. */
import type { Packet, PacketRevision, Prisma as PrismaTypes } from '@/generated/prisma/client';
import { Prisma, scopedDb, transactionDb } from '@/infra/db/scoped-client';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';

export function findPacket(scope: Scope, id: string): Promise<Packet | null> {
  return scopedDb(scope).packet.findFirst({ where: { id } });
}

export async function propertyExists(scope: Scope, id: string): Promise<boolean> {
  return (await scopedDb(scope).property.findFirst({ where: { id }, select: { id: true } })) !== null;
}

export function findDefaultPacket(scope: Scope, property_id: string): Promise<Packet | null> {
  return scopedDb(scope).packet.findFirst({ where: { property_id, is_default: true, status: 'active' } });
}

/** The default packets of several properties, by property; those without one are not in it. */
export async function findDefaultPackets(scope: Scope, property_ids: readonly string[]): Promise<Map<string, Packet>> {
  const rows = await scopedDb(scope).packet.findMany({
    where: { property_id: { in: [...property_ids] }, is_default: true, status: 'active' },
  });
  return new Map(rows.map((row) => [row.property_id, row]));
}

/** Active ones first, then archived; within each, oldest first, so that the list a host arranges keeps its order. */
export function listPackets(scope: Scope, property_id: string): Promise<Packet[]> {
  return scopedDb(scope).packet.findMany({
    where: { property_id },
    orderBy: [{ status: 'asc' }, { created_at: 'asc' }, { id: 'asc' }],
  });
}

export function countActive(scope: Scope, property_id: string): Promise<number> {
  return scopedDb(scope).packet.count({ where: { property_id, status: 'active' } });
}

export async function isReferenced(scope: Scope, id: string): Promise<boolean> {
  return (await scopedDb(scope).reservation.findFirst({ where: { packet_id: id }, select: { id: true } })) !== null;
}

export function insertPacket(
  scope: Scope,
  data: Omit<PrismaTypes.PacketUncheckedCreateInput, 'team_id' | 'mode'>,
): Promise<Packet> {
  return scopedDb(scope).packet.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/** Saves only when the row is still at `version`; null when another change came first. */
export async function savePacket(
  scope: Scope,
  id: string,
  version: number,
  changes: PrismaTypes.PacketUncheckedUpdateManyInput,
): Promise<Packet | null> {
  const rows = await scopedDb(scope).packet.updateManyAndReturn({
    where: { id, version },
    data: { ...changes, version: { increment: 1 } },
  });
  return rows[0] ?? null;
}

/** Takes the default flag from whichever active packet of the property has it. */
export function demoteDefault(scope: Scope, property_id: string, now: Date): Promise<Packet[]> {
  return scopedDb(scope).packet.updateManyAndReturn({
    where: { property_id, is_default: true },
    data: { is_default: false, updated_at: now, version: { increment: 1 } },
  });
}

/** Waits for who is about to reference the packet, so that the count of references that follows is true. */
export async function lockPacket(scope: Scope, id: string): Promise<void> {
  await transactionDb(scope).$queryRaw(Prisma.sql`
    SELECT 1 FROM packets WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR UPDATE`);
}

/** With its revisions. */
export async function deletePacket(scope: Scope, id: string, version: number): Promise<boolean> {
  const { count } = await scopedDb(scope).packet.deleteMany({ where: { id, version } });
  return count === 1;
}

/** Keeps what a packet was before a change. */
export async function insertRevision(
  scope: Scope,
  before: Packet,
  content: PrismaTypes.InputJsonValue,
  changed_by: string,
  now: Date,
): Promise<void> {
  const { team_id, mode } = scope;
  await scopedDb(scope).packetRevision.create({
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
