/** Queries on reservations. */
import type { Packet, Prisma as PrismaTypes, Property, Reservation } from '@/generated/prisma/client';
import { Prisma, queryRowsInOpenScopeTransaction, queryRowsInScope, scopedDb } from '@/infra/db/scoped-client';
import { SIGNING_LINK_MAIL_TEMPLATES } from '@/modules/mail/rules/delivery.rules';
import { getCurrentTimeAtProperty, loadPropertyCurrentTimeLookup } from '@/modules/test-clocks/time';
import type { buildFirstTrailEntry } from '@/modules/trail/service';
import { parseCalendarDay } from '@/shared/calendar-day';
import { clock } from '@/shared/clock';
import type { SenderDetails } from '@/shared/guest-text/sender';
import type { Scope } from '@/shared/scope';
import { AWAITING_SIGNATURE_STATUSES } from './rules/transitions';

/** A reservation with its guest's packet. */
export interface ReservationWithPacket {
  row: Reservation;
  packet: Packet | null;
}

/** A reservation with everything that its rules need. */
export interface ReservationWithPropertyAndPacket extends ReservationWithPacket {
  property: Property;
  /** The team's details as the guest sees them. */
  sender: SenderDetails;
  /**
   * The current time at the property: the time of its test clock if it has one
   * (modules/test-clocks/time.ts). Rules use it as `now`.
   */
  now: Date;
}

export async function findReservation(scope: Scope, id: string): Promise<ReservationWithPacket | null> {
  const row = await scopedDb(scope).reservation.findFirst({ where: { id } });
  return row ? { row, packet: (await findPacketsByReservation(scope, [row])).get(row.id) ?? null } : null;
}

export async function findReservationWithPropertyAndPacket(
  scope: Scope,
  id: string,
): Promise<ReservationWithPropertyAndPacket | null> {
  const found = await findReservation(scope, id);
  if (!found) return null;
  const owned = await scopedDb(scope).property.findFirst({
    where: { id: found.row.property_id },
    include: SENDER,
  });
  if (!owned) return null;
  const { team, ...property } = owned;
  return { ...found, property, sender: senderOf(team), now: await getCurrentTimeAtProperty(scope, property) };
}

/** Returns several reservations by id, in three queries. Omits missing ones. */
export async function findReservationsWithPropertyAndPacket(
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, ReservationWithPropertyAndPacket>> {
  const db = scopedDb(scope);
  const rows = await db.reservation.findMany({ where: { id: { in: [...ids] } } });
  const packets = await findPacketsByReservation(scope, rows);
  const owned = await db.property.findMany({
    where: { id: { in: [...new Set(rows.map(({ property_id }) => property_id))] } },
    include: SENDER,
  });
  const properties = new Map(owned.map((property) => [property.id, property]));
  const now = await loadPropertyCurrentTimeLookup(scope, [...properties.keys()]);
  return new Map(
    rows.flatMap((row) => {
      const found = properties.get(row.property_id);
      if (!found) return [];
      const { team, ...property } = found;
      const packet = packets.get(row.id) ?? null;
      return [[row.id, { row, packet, property, sender: senderOf(team), now: now(property.id) }] as const];
    }),
  );
}

const SENDER = {
  team: { select: { name: true, legal_name: true, postal_address: true, contact_email: true } },
} as const;

const senderOf = ({ name: team_name, ...sender }: SenderDetails & { name: string }): SenderDetails => ({
  ...sender,
  team_name,
});

/**
 * Returns packets by reservation id: the reservation's own packet or the property's active default.
 * Makes one query for all.
 */
export async function findPacketsByReservation(
  scope: Scope,
  rows: readonly Pick<Reservation, 'id' | 'packet_id' | 'property_id'>[],
): Promise<Map<string, Packet>> {
  if (rows.length === 0) return new Map();
  const variants = [...new Set(rows.flatMap((row) => row.packet_id ?? []))];
  const properties = [...new Set(rows.filter((row) => !row.packet_id).map((row) => row.property_id))];
  const packets = await scopedDb(scope).packet.findMany({
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

/** The columns of a packet that determine which reservations use it. */
export type PacketReference = Pick<Packet, 'id' | 'property_id' | 'is_default'>;

/**
 * Returns guests who have a link to one of these packets, or signed it, and whose stay ends after
 * `today`.
 */
export function listCurrentGuestsOfPackets(
  scope: Scope,
  packets: readonly PacketReference[],
  today: string,
  limit: number,
) {
  const ids = packets.map(({ id }) => id);
  const properties = packets.filter(({ is_default }) => is_default).map(({ property_id }) => property_id);
  return scopedDb(scope).reservation.findMany({
    where: {
      checkout_date: { gte: parseCalendarDay(today) },
      OR: [{ packet_id: { in: ids } }, { packet_id: null, property_id: { in: properties } }],
      AND: {
        OR: [{ status: { in: [...AWAITING_SIGNATURE_STATUSES] } }, { status: 'signed', signature_id: { not: null } }],
      },
    },
    select: { id: true, packet_id: true, property_id: true, guest_name: true, checkin_date: true, status: true },
    orderBy: [{ checkin_date: 'asc' }, { id: 'asc' }],
    take: limit,
  });
}

/** Locks a packet against deletion until the transaction ends, because a row will reference it. */
export async function lockPacketAgainstDeletion(scope: Scope, id: string): Promise<void> {
  await queryRowsInOpenScopeTransaction(
    scope,
    Prisma.sql`
    SELECT 1 FROM packets WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR KEY SHARE`,
  );
}

/** SQL casts for parameters, by column. Other columns need no cast. */
const CASTS: Record<string, string> = {
  mode: '"Mode"',
  source: '"ReservationSource"',
  status: '"ReservationStatus"',
  initial_status: '"ReservationStatus"',
  checkin_date: 'date',
  checkout_date: 'date',
  data: 'jsonb',
  metadata: 'jsonb',
};

const plainValue = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
};

/**
 * Returns columns and values for a plain INSERT. An undefined value selects the column's default.
 */
function columnsOf(rows: readonly object[]): { names: Prisma.Sql; values: Prisma.Sql } {
  const names = [
    ...new Set(
      rows.flatMap((row) => Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : name))),
    ),
  ];
  const values = rows.map((row) => {
    const cells = names.map((name) => {
      const value = (row as Record<string, unknown>)[name];
      if (value === undefined) return Prisma.raw('DEFAULT');
      const cast = value instanceof Date ? (CASTS[name] ?? 'timestamptz') : CASTS[name];
      const plain = plainValue(value);
      return cast ? Prisma.sql`${plain}::${Prisma.raw(cast)}` : Prisma.sql`${plain}`;
    });
    return Prisma.sql`(${Prisma.join(cells)})`;
  });
  return { names: Prisma.raw(names.map((name) => `"${name}"`).join(', ')), values: Prisma.join(values) };
}

export interface NewReservationWithTrail {
  row: Omit<PrismaTypes.ReservationUncheckedCreateInput, 'team_id' | 'mode' | 'arrival_override_groups'>;
  /** The first entry of the reservation's trail. */
  entry: ReturnType<typeof buildFirstTrailEntry>;
}

/**
 * Inserts reservations and the first entries of their trails in one statement, in the given order.
 * Prisma would need two statements, which is slower (stress/bench/results.md).
 */
export async function insertReservationRowsAndTrails(
  scope: Scope,
  given: readonly NewReservationWithTrail[],
): Promise<Reservation[]> {
  const owner = { team_id: scope.team_id, mode: scope.mode };
  const reservations = columnsOf(given.map(({ row }) => ({ ...row, ...owner })));
  const entries = columnsOf(given.map(({ entry }) => ({ ...entry, ...owner })));
  const rows = await queryRowsInScope<Reservation>(
    scope,
    Prisma.sql`
    WITH entries AS (INSERT INTO trail_entries (${entries.names}) VALUES ${entries.values})
    INSERT INTO reservations (${reservations.names}) VALUES ${reservations.values} RETURNING *`,
  );
  const by_id = new Map(rows.map((row) => [row.id, row]));
  return given.map(({ row }) => {
    const inserted = by_id.get(row.id);
    if (!inserted) throw new Error('The reservation was not inserted.');
    return inserted;
  });
}

/** Saves only if the row is still at `version`. Returns null if another change was saved first. */
export async function saveReservationIfVersionUnchanged(
  scope: Scope,
  id: string,
  version: number,
  changes: PrismaTypes.ReservationUncheckedUpdateManyInput,
): Promise<Reservation | null> {
  const rows = await scopedDb(scope).reservation.updateManyAndReturn({
    where: { id, version },
    data: { updated_at: clock().now(), ...changes, version: { increment: 1 } },
  });
  return rows[0] ?? null;
}

export async function deleteReservation(scope: Scope, id: string, version: number): Promise<boolean> {
  const { count } = await scopedDb(scope).reservation.deleteMany({ where: { id, version } });
  if (count === 1) await deleteTrails(scope, [id]);
  return count === 1;
}

/**
 * Deletes trails. They have no foreign key that would cascade, because the trail of a signed
 * reservation must outlive the reservation.
 */
async function deleteTrails(scope: Scope, ids: string[]): Promise<void> {
  await scopedDb(scope).trailEntry.deleteMany({ where: { reservation_id: { in: ids } } });
}

export async function retireSigningLinkToken(
  scope: Scope,
  hash: string,
  reservation_id: string,
  reason: string,
  now: Date,
) {
  await scopedDb(scope).retiredToken.createMany({
    data: [{ hash, reservation_id, reason, created_at: now, team_id: scope.team_id, mode: scope.mode }],
    skipDuplicates: true,
  });
}

/**
 * Locks the reservation, and thereby its trail, against other writers until the transaction ends.
 * Returns null when the reservation does not exist.
 */
export async function lockReservation(scope: Scope, id: string): Promise<{ redacted: boolean } | null> {
  const rows = await queryRowsInOpenScopeTransaction<{ redacted: boolean }>(
    scope,
    Prisma.sql`
    SELECT redacted FROM reservations
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR UPDATE`,
  );
  return rows[0] ?? null;
}

/**
 * Returns reservations whose latest mail with the guest's link did not arrive. `captured` means
 * that this installation sends no mail, which is a problem only in live mode.
 */
export async function findMailDeliveryProblems(scope: Scope, ids: readonly string[]) {
  type MailProblem = { status: 'failed' | 'suppressed' | 'captured'; reason: string | null };
  if (ids.length === 0) return new Map<string, MailProblem>();
  const rows = await scopedDb(scope).$queryRaw<{ reservation_id: string; status: string; last_error: string | null }[]>(
    Prisma.sql`
    SELECT DISTINCT ON (reservation_id) reservation_id, status, last_error FROM mail_messages
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND reservation_id IN (${Prisma.join([...ids])})
      AND template IN (${Prisma.join([...SIGNING_LINK_MAIL_TEMPLATES])})
    ORDER BY reservation_id, created_at DESC, id DESC`,
  );
  return new Map<string, MailProblem>(
    rows.flatMap(({ reservation_id, status, last_error }) =>
      status === 'failed' || status === 'suppressed' || (status === 'captured' && scope.mode === 'live')
        ? [[reservation_id, { status, reason: last_error }] as const]
        : [],
    ),
  );
}

export function findLatestPacketMailPreview(scope: Scope, reservation_id: string, now: Date) {
  return scopedDb(scope).mailMessage.findFirst({
    where: { reservation_id, template: 'packet', preview_until: { gt: now } },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
  });
}

/** Returns the columns of a signature that determine whether the link to the guest's copy works. */
export function findSignatureColumnsForCertificateCopyLink(scope: Scope, signature_id: string) {
  return scopedDb(scope).signature.findFirst({
    where: { id: signature_id },
    select: { id: true, copy_revoked_at: true, redacted_at: true, sealed_at: true },
  });
}
