/**
 * Deletes expired data of all teams. A statement deletes at most `MAX_ROWS_PER_DELETION_STATEMENT`
 * rows, so that it does not block the embedded database for long. Data of a reservation under legal
 * hold is skipped. A certificate and its legal hold remain when the reservation is deleted.
 */
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';

export const MAX_ROWS_PER_DELETION_STATEMENT = 1_000;

/**
 * Matches rows of three kinds of reservations: those under legal hold, those with a certificate
 * under legal hold, and the earlier reservations that these replaced.
 */
const held = (reservation_id: Prisma.Sql) =>
  Prisma.sql`coalesce(${reservation_id} IN (
    WITH RECURSIVE held(id) AS (
      SELECT id FROM reservations WHERE legal_hold
      UNION SELECT reservation_id FROM signatures WHERE legal_hold
      UNION SELECT t.data->>'replaces' FROM held h JOIN trail_entries t ON t.reservation_id = h.id AND t.seq = 1
      WHERE t.data->>'replaces' IS NOT NULL)
    SELECT id FROM held), FALSE)`;
const countOf = async (removal: PromiseLike<{ count: number }>) => (await removal).count;
const at = (time: Date) => Prisma.sql`${time.toISOString()}::timestamptz`;

/** Deletes idempotency records older than 24 hours. */
export const deleteIdempotencyRecords = (now: Date) =>
  countOf(
    systemDb().idempotencyRecord.deleteMany({
      where: { expires_at: { lt: now } },
      limit: MAX_ROWS_PER_DELETION_STATEMENT,
    }),
  );

/** Clears the content of mails whose preview, link or code has expired. Keeps the rows. */
export const clearExpiredMailContent = (now: Date) =>
  systemDb().$executeRaw(Prisma.sql`
    UPDATE mail_messages SET content = NULL, content_until = NULL, preview_until = NULL
    WHERE id IN (
      SELECT m.id FROM mail_messages m WHERE m.content_until < ${at(now)} AND NOT ${held(Prisma.sql`m.reservation_id`)}
      LIMIT ${MAX_ROWS_PER_DELETION_STATEMENT}::int)`);

export const deleteRequestLog = (before: Date) =>
  countOf(
    systemDb().requestLog.deleteMany({ where: { created_at: { lt: before } }, limit: MAX_ROWS_PER_DELETION_STATEMENT }),
  );

/** Clears the stored messages of forwarded mails. Keeps the extracted facts. */
export const clearRawContentOfInboundMails = (before: Date) =>
  systemDb().$executeRaw(Prisma.sql`
    UPDATE inbound_mails SET raw = NULL WHERE id IN (
      SELECT m.id FROM inbound_mails m
      WHERE m.received_at < ${at(before)} AND m.raw IS NOT NULL AND NOT ${held(Prisma.sql`m.reservation_id`)} LIMIT ${MAX_ROWS_PER_DELETION_STATEMENT}::int)`);

export const deleteExpiredGuestEmailCodes = (expired_before: Date) =>
  systemDb().$executeRaw(Prisma.sql`
    DELETE FROM guest_codes WHERE id IN (
      SELECT c.id FROM guest_codes c
      WHERE c.expires_at < ${at(expired_before)} AND NOT ${held(Prisma.sql`c.reservation_id`)} LIMIT ${MAX_ROWS_PER_DELETION_STATEMENT}::int)`);

/** Deletes expired device logins, including the terminals' descriptions of themselves. */
export const deleteDeviceLogins = (expired_before: Date) =>
  countOf(
    systemDb().deviceLogin.deleteMany({
      where: { expires_at: { lt: expired_before } },
      limit: MAX_ROWS_PER_DELETION_STATEMENT,
    }),
  );

/** Deletes expired access tokens and refresh tokens. */
export const deleteOAuthTokens = async (expired_before: Date) => {
  const expired = { where: { expiresAt: { lt: expired_before } }, limit: MAX_ROWS_PER_DELETION_STATEMENT };
  const access = await systemDb().oauthAccessToken.deleteMany(expired);
  const refresh = await systemDb().oauthRefreshToken.deleteMany(expired);
  return Math.max(access.count, refresh.count);
};

/** Deletes assistants' connections that have no token left. */
export const deleteOAuthConsents = (before: Date) =>
  systemDb().$executeRaw`
    DELETE FROM oauth_consents WHERE id IN (
      SELECT c.id FROM oauth_consents c WHERE c.updated_at < ${at(before)}
        AND NOT EXISTS (SELECT 1 FROM oauth_access_tokens t WHERE t.client_id = c.client_id AND t.user_id = c.user_id)
        AND NOT EXISTS (SELECT 1 FROM oauth_refresh_tokens t WHERE t.client_id = c.client_id AND t.user_id = c.user_id)
      LIMIT ${MAX_ROWS_PER_DELETION_STATEMENT}::int)`;

/** Deletes registered OAuth clients that have no connection. */
export const deleteOAuthClients = (before: Date) =>
  countOf(
    systemDb().oauthClient.deleteMany({
      where: { createdAt: { lt: before }, consents: { none: {} } },
      limit: MAX_ROWS_PER_DELETION_STATEMENT,
    }),
  );

export const deleteMailProviderEvents = (before: Date) =>
  countOf(
    systemDb().providerEvent.deleteMany({
      where: { created_at: { lt: before } },
      limit: MAX_ROWS_PER_DELETION_STATEMENT,
    }),
  );
