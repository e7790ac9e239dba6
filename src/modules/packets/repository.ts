/** Queries on packets. */
import type { Packet, PacketRevision, Prisma as PrismaTypes } from '@/generated/prisma/client';
import { Prisma, requireTransactionDb, scopedDb } from '@/infra/db/scoped-client';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';

export function findPacket(scope: Scope, id: string): Promise<Packet | null> {
  return scopedDb(scope).packet.findFirst({ where: { id } });
}

export async function doesPropertyExist(scope: Scope, id: string): Promise<boolean> {
  return (await scopedDb(scope).property.findFirst({ where: { id }, select: { id: true } })) !== null;
}

export function findDefaultPacket(scope: Scope, property_id: string): Promise<Packet | null> {
  return scopedDb(scope).packet.findFirst({ where: { property_id, is_default: true, status: 'active' } });
}

/**
 * Returns a team's active packets with the names of their properties, ordered by property and age.
 */
export function listActivePackets(scope: Scope, limit: number) {
  return scopedDb(scope).packet.findMany({
    where: { status: 'active' },
    include: { property: { select: { name: true } } },
    orderBy: [{ property: { name: 'asc' } }, { property_id: 'asc' }, { created_at: 'asc' }, { id: 'asc' }],
    take: limit,
  });
}

/** Returns the active packets of several properties. Each property's default packet comes first. */
export function listActivePacketsForProperties(
  scope: Scope,
  property_ids: readonly string[],
  limit: number,
): Promise<Packet[]> {
  return scopedDb(scope).packet.findMany({
    where: { property_id: { in: [...property_ids] }, status: 'active' },
    orderBy: [{ is_default: 'desc' }, { created_at: 'asc' }, { id: 'asc' }],
    take: limit,
  });
}

/** Returns active packets before archived ones, oldest first. */
export function listPackets(scope: Scope, property_id: string): Promise<Packet[]> {
  return scopedDb(scope).packet.findMany({
    where: { property_id },
    orderBy: [{ status: 'asc' }, { created_at: 'asc' }, { id: 'asc' }],
  });
}

export function countActivePackets(scope: Scope, property_id: string): Promise<number> {
  return scopedDb(scope).packet.count({ where: { property_id, status: 'active' } });
}

export async function isPacketUsedByReservation(scope: Scope, id: string): Promise<boolean> {
  return (await scopedDb(scope).reservation.findFirst({ where: { packet_id: id }, select: { id: true } })) !== null;
}

export function insertPacket(
  scope: Scope,
  data: Omit<PrismaTypes.PacketUncheckedCreateInput, 'team_id' | 'mode'>,
): Promise<Packet> {
  return scopedDb(scope).packet.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/** Saves the packet only if its version is still `version`. Otherwise returns null. */
export async function savePacketIfVersionUnchanged(
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

/** Removes the default flag from the property's default packet. */
export function removeDefaultFlagFromPropertyPacket(scope: Scope, property_id: string, now: Date): Promise<Packet[]> {
  return scopedDb(scope).packet.updateManyAndReturn({
    where: { property_id, is_default: true },
    data: { is_default: false, updated_at: now, version: { increment: 1 } },
  });
}

/**
 * Locks the packet and waits for transactions that insert a reference to it. Afterwards no
 * reference can be added, so references can be counted.
 */
export async function lockPacket(scope: Scope, id: string): Promise<void> {
  await requireTransactionDb(scope).$queryRaw(Prisma.sql`
    SELECT 1 FROM packets WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR UPDATE`);
}

/** Deletes a packet with its revisions. Returns false when the packet's version has changed. */
export async function deletePacket(scope: Scope, id: string, version: number): Promise<boolean> {
  const { count } = await scopedDb(scope).packet.deleteMany({ where: { id, version } });
  return count === 1;
}

/** Stores a packet's content from before a change. */
export async function insertPacketRevision(
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
