/**
 * Removals over all teams, each at most `LIMIT` rows at a time, so that no statement holds the embedded database long.
 * Every query leaves out what belongs to a reservation under legal hold; a certificate outlives its reservation, and so does its hold.
 */
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';

export const LIMIT = 1_000;

const held = (reservation_id: Prisma.Sql) =>
  Prisma.sql`(EXISTS (SELECT 1 FROM reservations h WHERE h.id = ${reservation_id} AND h.legal_hold)
    OR EXISTS (SELECT 1 FROM signatures h WHERE h.reservation_id = ${reservation_id} AND h.legal_hold))`;
const countOf = async (removal: PromiseLike<{ count: number }>) => (await removal).count;
const at = (time: Date) => Prisma.sql`${time.toISOString()}::timestamptz`;

/** Idempotency records whose 24 hours are over. */
export const deleteIdempotencyRecords = (now: Date) =>
  countOf(systemDb().idempotencyRecord.deleteMany({ where: { expires_at: { lt: now } }, limit: LIMIT }));

/** The content of mails whose preview or whose link or code has ended; that a mail was made stays known. */
export const clearMails = (now: Date) =>
  systemDb().$executeRaw(Prisma.sql`
    UPDATE mail_messages SET content = NULL, content_until = NULL, preview_until = NULL
    WHERE id IN (
      SELECT m.id FROM mail_messages m WHERE m.content_until < ${at(now)} AND NOT ${held(Prisma.sql`m.reservation_id`)}
      LIMIT ${LIMIT}::int)`);

export const deleteRequestLog = (before: Date) =>
  countOf(systemDb().requestLog.deleteMany({ where: { created_at: { lt: before } }, limit: LIMIT }));

/** The raw bytes of forwarded mails; what was read from them stays. */
export const clearInboundMail = (before: Date) =>
  systemDb().$executeRaw(Prisma.sql`
    UPDATE inbound_mails SET raw = NULL WHERE id IN (
      SELECT m.id FROM inbound_mails m
      WHERE m.received_at < ${at(before)} AND m.raw IS NOT NULL AND NOT ${held(Prisma.sql`m.reservation_id`)} LIMIT ${LIMIT}::int)`);

export const deleteGuestCodes = (expired_before: Date) =>
  systemDb().$executeRaw(Prisma.sql`
    DELETE FROM guest_codes WHERE id IN (
      SELECT c.id FROM guest_codes c
      WHERE c.expires_at < ${at(expired_before)} AND NOT ${held(Prisma.sql`c.reservation_id`)} LIMIT ${LIMIT}::int)`);

/** What terminals that asked for a key said of themselves. */
export const deleteDeviceLogins = (expired_before: Date) =>
  countOf(systemDb().deviceLogin.deleteMany({ where: { expires_at: { lt: expired_before } }, limit: LIMIT }));

export const deleteProviderEvents = (before: Date) =>
  countOf(systemDb().providerEvent.deleteMany({ where: { created_at: { lt: before } }, limit: LIMIT }));
