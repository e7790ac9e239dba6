/**
 * Queries that partners call often: one reservation, and the parts from which list.repository.ts
 * builds its pages. Each is one prepared statement that joins the packet, which is faster than
 * several Prisma queries (stress/bench/results.md).
 */
import { Prisma, type Reservation } from '@/generated/prisma/client';
import { queryRowsInScope } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';
import type { PacketArrivalDetailsColumns } from './rule-inputs';
import type { ReservationListQuery } from './schemas';
import { RESERVATION_RESOURCE_COLUMNS, type SerializableReservationRow } from './serializer';

/** A reservation with the columns of its guest's packet. */
export interface ReservationWithPacketColumns {
  row: SerializableReservationRow;
  packet: PacketArrivalDetailsColumns | null;
}

export const RESERVATION_COLUMNS_SQL = Prisma.raw(
  RESERVATION_RESOURCE_COLUMNS.map((column) => `r.${column}`).join(', '),
);

/**
 * The columns of the guest's packet: the reservation's own packet, or the property's active
 * default. Two joins are faster than one join with OR, because each uses an index. A unique index
 * allows only one default, so no row is duplicated.
 */
export const PACKET_ARRIVAL_COLUMNS_SQL = Prisma.raw(
  ['arrival_details', 'arrival_release', 'safety_notes']
    .map((column) => `CASE WHEN r.packet_id IS NULL THEN d.${column} ELSE v.${column} END AS packet_${column}`)
    .concat('coalesce(v.id, d.id) AS shown_packet_id')
    .join(', '),
);
export const PACKET_JOINS_SQL = Prisma.raw(`
  LEFT JOIN packets v ON v.id = r.packet_id AND v.team_id = r.team_id AND v.mode = r.mode
  LEFT JOIN packets d ON r.packet_id IS NULL AND d.property_id = r.property_id AND d.is_default AND d.status = 'active'
    AND d.team_id = r.team_id AND d.mode = r.mode`);

export type ReservationPacketJoinRow = SerializableReservationRow & {
  packet_arrival_details: PacketArrivalDetailsColumns['arrival_details'];
  packet_arrival_release: PacketArrivalDetailsColumns['arrival_release'];
  packet_safety_notes: string | null;
  shown_packet_id: string | null;
};

export function splitReservationAndPacketColumns(joined: ReservationPacketJoinRow): ReservationWithPacketColumns {
  if (joined.shown_packet_id === null) return { row: joined, packet: null };
  return {
    row: joined,
    packet: {
      arrival_details: joined.packet_arrival_details,
      arrival_release: joined.packet_arrival_release,
      safety_notes: joined.packet_safety_notes,
    },
  };
}

export const buildReservationScopeCondition = ({ team_id, mode }: Scope) =>
  Prisma.sql`r.team_id = ${team_id} AND r.mode = ${mode}::"Mode"`;

export async function findReservationWithPacketColumns(
  scope: Scope,
  id: string,
): Promise<ReservationWithPacketColumns | null> {
  const rows = await queryRowsInScope<ReservationPacketJoinRow>(
    scope,
    Prisma.sql`SELECT ${RESERVATION_COLUMNS_SQL}, ${PACKET_ARRIVAL_COLUMNS_SQL} FROM reservations r ${PACKET_JOINS_SQL} WHERE r.id = ${id} AND ${buildReservationScopeCondition(scope)}`,
  );
  return rows[0] ? splitReservationAndPacketColumns(rows[0]) : null;
}

type ListFilters = Omit<ReservationListQuery, 'limit' | 'starting_after' | 'ending_before'>;

export function buildReservationFilterConditions(query: ListFilters): Prisma.Sql[] {
  const { status, property, source, external_id } = query;
  const days = { gte: query['checkin_date.gte'], lte: query['checkin_date.lte'] };
  const times = { gte: query['created_at.gte'], lte: query['created_at.lte'] };
  return [
    status && Prisma.sql`r.status = ${status}::"ReservationStatus"`,
    property !== undefined && Prisma.sql`r.property_id = ${property}`,
    source && Prisma.sql`r.source = ${source}::"ReservationSource"`,
    external_id !== undefined && Prisma.sql`r.external_id = ${external_id}`,
    days.gte && Prisma.sql`r.checkin_date >= ${days.gte}::date`,
    days.lte && Prisma.sql`r.checkin_date <= ${days.lte}::date`,
    times.gte && Prisma.sql`r.created_at >= ${new Date(times.gte)}::timestamptz`,
    times.lte && Prisma.sql`r.created_at <= ${new Date(times.lte)}::timestamptz`,
  ].filter((condition) => condition instanceof Prisma.Sql);
}

/** Returns the packet of a reservation that this transaction inserted. */
export async function findReservationPacket(
  scope: Scope,
  { packet_id, property_id }: Pick<Reservation, 'packet_id' | 'property_id'>,
): Promise<PacketArrivalDetailsColumns | null> {
  const which = packet_id
    ? Prisma.sql`id = ${packet_id}`
    : Prisma.sql`property_id = ${property_id} AND is_default AND status = 'active'`;
  const rows = await queryRowsInScope<PacketArrivalDetailsColumns>(
    scope,
    Prisma.sql`SELECT arrival_details, arrival_release, safety_notes FROM packets
      WHERE ${which} AND team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode"`,
  );
  return rows[0] ?? null;
}
