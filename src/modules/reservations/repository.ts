/** Queries on reservations and their trail. */
import type { Packet, Prisma as PrismaTypes, Property, Reservation, TrailEntry } from '@/generated/prisma/client';
import { Prisma, type ScopedDb, scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

/** A reservation with the packet its guest sees. */
export interface ReservationWithPacket {
  row: Reservation;
  packet: Packet | null;
}

/** A reservation with everything its rules ask about. */
export interface LoadedReservation extends ReservationWithPacket {
  property: Property;
}

export async function findReservation(
  scope: Scope,
  id: string,
  db = scopedDb(scope),
): Promise<ReservationWithPacket | null> {
  const row = await db.reservation.findFirst({ where: { id } });
  return row ? { row, packet: (await findPackets(scope, [row], db)).get(row.id) ?? null } : null;
}

export async function findLoaded(scope: Scope, id: string, db = scopedDb(scope)): Promise<LoadedReservation | null> {
  const found = await findReservation(scope, id, db);
  if (!found) return null;
  const property = await db.property.findFirst({ where: { id: found.row.property_id } });
  return property ? { ...found, property } : null;
}

/** The packet of each reservation, by reservation id: its own variant, or the active default of its property. One query for all. */
export async function findPackets(
  scope: Scope,
  rows: readonly Pick<Reservation, 'id' | 'packet_id' | 'property_id'>[],
  db = scopedDb(scope),
): Promise<Map<string, Packet>> {
  if (rows.length === 0) return new Map();
  const variants = [...new Set(rows.flatMap((row) => row.packet_id ?? []))];
  const properties = [...new Set(rows.filter((row) => !row.packet_id).map((row) => row.property_id))];
  const packets = await db.packet.findMany({
    where: {
      OR: [
        ...(variants.length > 0 ? [{ id: { in: variants } }] : []),
        ...(properties.length > 0 ? [{ property_id: { in: properties }, is_default: true, status: 'active' }] : []),
      ],
    },
  });
  const by_id = new Map(packets.map((packet) => [packet.id, packet]));
  const defaults = new Map(packets.filter((packet) => packet.is_default).map((packet) => [packet.property_id, packet]));
  return new Map(
    rows.flatMap((row) => {
      const packet = row.packet_id ? by_id.get(row.packet_id) : defaults.get(row.property_id);
      return packet ? [[row.id, packet] as const] : [];
    }),
  );
}

/** Keeps a packet that is about to be referenced from being deleted until the transaction ends. */
export async function holdPacket(scope: Scope, id: string, db: ScopedDb): Promise<void> {
  await db.$queryRaw(Prisma.sql`
    SELECT 1 FROM packets WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR KEY SHARE`);
}

export function insertReservation(
  scope: Scope,
  data: Omit<PrismaTypes.ReservationUncheckedCreateInput, 'team_id' | 'mode'>,
  db: ScopedDb,
): Promise<Reservation> {
  return db.reservation.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/** Saves only when the row is still at `version`; null when another change came first. */
export async function saveReservation(
  _scope: Scope,
  id: string,
  version: number,
  changes: PrismaTypes.ReservationUncheckedUpdateManyInput,
  db: ScopedDb,
): Promise<Reservation | null> {
  const rows = await db.reservation.updateManyAndReturn({
    where: { id, version },
    data: { ...changes, version: { increment: 1 } },
  });
  return rows[0] ?? null;
}

export async function deleteReservation(_scope: Scope, id: string, version: number, db: ScopedDb): Promise<boolean> {
  const { count } = await db.reservation.deleteMany({ where: { id, version } });
  if (count === 1) await deleteBelongings([id], db);
  return count === 1;
}

/** What has no meaning without its reservation. */
export async function deleteBelongings(ids: string[], db: ScopedDb): Promise<void> {
  await db.trailEntry.deleteMany({ where: { reservation_id: { in: ids } } });
  await db.retiredToken.deleteMany({ where: { reservation_id: { in: ids } } });
  await db.guestCode.deleteMany({ where: { reservation_id: { in: ids } } });
}

export function listTrail(scope: Scope, reservation_id: string, db = scopedDb(scope)): Promise<TrailEntry[]> {
  return db.trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } });
}

export function lastTrailEntry(_scope: Scope, reservation_id: string, db: ScopedDb): Promise<TrailEntry | null> {
  return db.trailEntry.findFirst({ where: { reservation_id }, orderBy: { seq: 'desc' } });
}

export async function insertTrail(
  scope: Scope,
  entries: Omit<PrismaTypes.TrailEntryCreateManyInput, 'team_id' | 'mode'>[],
  db: ScopedDb,
): Promise<void> {
  await db.trailEntry.createMany({
    data: entries.map((entry) => ({ ...entry, team_id: scope.team_id, mode: scope.mode })),
  });
}

export async function retireToken(
  scope: Scope,
  hash: string,
  reservation_id: string,
  reason: string,
  now: Date,
  db: ScopedDb,
) {
  await db.retiredToken.createMany({
    data: [{ hash, reservation_id, reason, created_at: now, team_id: scope.team_id, mode: scope.mode }],
    skipDuplicates: true,
  });
}

export function findLatestPreview(scope: Scope, reservation_id: string, now: Date) {
  return scopedDb(scope).mailMessage.findFirst({
    where: { reservation_id, preview_until: { gt: now } },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
  });
}
