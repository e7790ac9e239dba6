/** Queries on erasures, and searches for a guest's data. */
import type { GuestErasure } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { Prisma, requireTransactionDb, scopedDb } from '@/infra/db/scoped-client';
import type { ReservationStatus } from '@/modules/reservations/rules/transitions';
import { ID_PREFIXES } from '@/shared/id-kinds';
import type { Scope } from '@/shared/scope';
import { buildColumnEqualsAnySql, buildJsonContainsValueSql } from '../privacy/matching';
import { buildUnassignedMailMentionsTextsSql } from '../privacy/redaction.repository';
import type { ErasureCounts, GuestToEraseQuery } from './schemas';

export interface GuestReservationRow {
  reservation_id: string;
  /** The guest's name. Null when the reservation was deleted. */
  guest_name: string | null;
  guest_email: string | null;
  property_name: string | null;
  checkin_date: Date | null;
  checkout_date: Date | null;
  status: ReservationStatus | null;
  signature_id: string | null;
}

/** Returns the name and the address to search for. */
export const getGuestSearchTerms = ({ name, email }: GuestToEraseQuery): string[] =>
  [name, email].flatMap((text) => text ?? []);

/**
 * Returns a guest's reservations that still contain personal data, newest stay first. Also returns
 * deleted reservations, at the end, because their certificates, mails and events may still exist.
 */
export function findGuestReservations(
  scope: Scope,
  query: GuestToEraseQuery,
  limit: number,
): Promise<GuestReservationRow[]> {
  const { team_id, mode } = scope;
  const of = (alias: string) =>
    Prisma.sql`${Prisma.raw(alias)}.team_id = ${team_id} AND ${Prisma.raw(alias)}.mode = ${mode}::"Mode"`;
  const is = (column: string, value: string | null) =>
    buildColumnEqualsAnySql(Prisma.raw(column), value === null ? [] : [value]);
  const texts = getGuestSearchTerms(query);
  return scopedDb(scope).$queryRaw<GuestReservationRow[]>(Prisma.sql`
    WITH found AS (
      SELECT r.id FROM reservations r
      WHERE ${of('r')} AND (${is('r.guest_email', query.email)} OR ${is('r.guest_name', query.name)})
      UNION SELECT s.reservation_id FROM signatures s
      WHERE ${of('s')} AND (${is('s.signer_email', query.email)} OR ${is('s.signer_name', query.name)})
      UNION SELECT c.reservation_id FROM guest_codes c WHERE ${of('c')} AND ${is('c.email', query.email)}
      UNION SELECT m.reservation_id FROM mail_messages m WHERE ${of('m')} AND ${is('m."to"', query.email)}
      UNION SELECT t.reservation_id FROM trail_entries t
      WHERE ${of('t')} AND ${buildJsonContainsValueSql(Prisma.sql`t.data::text`, texts)}
      UNION SELECT e.object_id FROM events e
      WHERE ${of('e')} AND starts_with(e.object_id, ${ID_PREFIXES.reservation}::text)
        AND NOT EXISTS (SELECT 1 FROM reservations r WHERE ${of('r')} AND r.id = e.object_id)
        AND ${buildJsonContainsValueSql(Prisma.sql`e.body`, texts)})
    SELECT f.id AS reservation_id, coalesce(r.guest_name, s.signer_name) AS guest_name,
      coalesce(r.guest_email, s.signer_email) AS guest_email, p.name AS property_name, r.checkin_date, r.checkout_date,
      r.status::text AS status, s.id AS signature_id
    FROM found f
    LEFT JOIN reservations r ON r.id = f.id AND ${of('r')}
    LEFT JOIN signatures s ON s.reservation_id = f.id AND ${of('s')}
    LEFT JOIN properties p ON p.id = coalesce(r.property_id, s.property_id) AND ${of('p')}
    WHERE f.id IS NOT NULL AND NOT coalesce(r.redacted, s.redacted_at IS NOT NULL)
    ORDER BY r.checkin_date DESC NULLS LAST, f.id DESC LIMIT ${limit}::int`);
}

/**
 * Returns forwarded mails that mention the guest and are not assigned to a reservation, newest
 * first.
 */
export async function findUnassignedMailsMentioningGuest(scope: Scope, query: GuestToEraseQuery, limit: number) {
  return scopedDb(scope).$queryRaw<{ id: string; subject: string | null; received_at: Date; n: number }[]>(Prisma.sql`
    SELECT id, subject, received_at, count(*) OVER ()::int AS n FROM inbound_mails
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" 
      AND ${await buildUnassignedMailMentionsTextsSql(scope, getGuestSearchTerms(query))}
    ORDER BY received_at DESC, id DESC LIMIT ${limit}::int`);
}

/** Counts the records that belong to a reservation and its certificate. */
export async function countErasableRecordsOfReservation(
  scope: Scope,
  reservation_id: string,
  signature_id: string | null,
): Promise<ErasureCounts> {
  const db = scopedDb(scope);
  const object_ids = [reservation_id, ...(signature_id ? [signature_id] : [])];
  return {
    reservations: 1,
    certificates: signature_id ? 1 : 0,
    mails: await db.mailMessage.count({ where: { reservation_id } }),
    forwarded_mails: await db.inboundMail.count({ where: { reservation_id } }),
    events: await db.event.count({ where: { object_id: { in: object_ids } } }),
  };
}

/**
 * Returns the id of a reservation's certificate, and whether the reservation is redacted. Also
 * works for a deleted reservation.
 */
export async function findErasableReservation(scope: Scope, id: string) {
  const signature = await scopedDb(scope).signature.findFirst({ where: { reservation_id: id }, select: { id: true } });
  const reservation = await scopedDb(scope).reservation.findFirst({ where: { id }, select: { redacted: true } });
  return { signature_id: signature?.id ?? null, redacted: reservation?.redacted ?? false };
}

type NewErasure = Pick<GuestErasure, 'id' | 'subject' | 'reservation_ids' | 'whole' | 'requested_by' | 'created_at'>;

export async function insertErasure(scope: Scope, row: NewErasure): Promise<void> {
  const { team_id, mode } = scope;
  await requireTransactionDb(scope).guestErasure.create({ data: { ...row, status: 'running', team_id, mode } });
}

export const findErasure = (scope: Scope, id: string): Promise<GuestErasure | null> =>
  scopedDb(scope).guestErasure.findFirst({ where: { id } });

export const listErasures = (scope: Scope, limit: number): Promise<GuestErasure[]> =>
  scopedDb(scope).guestErasure.findMany({ orderBy: [{ created_at: 'desc' }, { id: 'desc' }], take: limit });

/** Locks an erasure's row and returns it. */
export async function lockErasure(scope: Scope, id: string): Promise<GuestErasure | null> {
  await requireTransactionDb(scope).$queryRaw(Prisma.sql`
    SELECT id FROM guest_erasures
    WHERE id = ${id} AND team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" FOR UPDATE`);
  return requireTransactionDb(scope).guestErasure.findFirst({ where: { id } });
}

export async function saveErasure(
  scope: Scope,
  id: string,
  data: Prisma.GuestErasureUncheckedUpdateManyInput,
): Promise<void> {
  await scopedDb(scope).guestErasure.updateMany({ where: { id }, data });
}

/** Returns unfinished erasures of all teams, oldest first. */
export const findRunningErasures = (limit: number) =>
  systemDb().guestErasure.findMany({
    where: { status: 'running' },
    select: { id: true, team_id: true, mode: true },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
    take: limit,
  });
