/**
 * Redacts a guest's personal data wherever it is stored, in one transaction. Add every new table
 * with guests' data here. redaction.test.ts searches all tables.
 */
import { randomBytes } from 'node:crypto';
import { Prisma as Sql, scopedDb } from '@/infra/db/scoped-client';
import { decryptMailContent, type StoredMailContent } from '@/modules/mail/content';
import { trailEntryDataJsonColumn } from '@/modules/trail/service';
import type { Scope } from '@/shared/scope';
import { GUEST_FILE_HASH_FIELDS } from '../seal/guest-files.rules';
import { buildColumnContainsTextSql, buildJsonColumnContainsTextSql, buildJsonContainsValueSql } from './matching';
import {
  createGuestMentionMatcher,
  createHashSalterWithSealedFileAsSalt,
  findGuestNamesInPayload,
  type GuestRedactionTarget,
  getGuestIdentifyingTexts,
  REDACTED_GUEST_NAME,
  redactGuestDataInJsonText,
  redactGuestDataInValue,
} from './redaction.rules';

export interface GuestIdentifiersToRedact extends GuestRedactionTarget {
  readonly signature_id: string;
  readonly snapshot_id: string;
  /** The salted hash that replaces the content hash. */
  readonly content_hash: string;
  /** Every known name of the guest, including single words. */
  readonly names: readonly string[];
}

/**
 * Returns the reservations that these reservations replaced, directly or through other
 * reservations.
 */
export async function listIdsOfReplacedReservations(
  scope: Scope,
  reservation_ids: readonly string[],
): Promise<string[]> {
  const found = new Set<string>();
  for (let ids = [...reservation_ids]; ids.length > 0; ) {
    const where = { reservation_id: { in: ids }, seq: 1 };
    const entries = await scopedDb(scope).trailEntry.findMany({ where, select: { data: true } });
    const replaced = entries.map(({ data }) => trailEntryDataJsonColumn.read(data).replaces);
    ids = replaced.filter((id) => typeof id === 'string').filter((id) => !found.has(id));
    for (const id of ids) found.add(id);
  }
  return [...found];
}

/**
 * Reads the texts and hashes that identify the guest. Call it before redacting. `sealed` is the
 * sealed file, if any.
 */
export async function readGuestIdentifiersToRedact(
  scope: Scope,
  head: { id: string; reservation_id: string; snapshot_id: string; content_hash: string },
  sealed: Uint8Array | null,
  also: readonly string[] = [],
): Promise<GuestIdentifiersToRedact> {
  const { reservation_id } = head;
  const reservation = await scopedDb(scope).reservation.findFirst({
    where: { id: reservation_id },
    select: { guest_name: true, guest_email: true },
  });
  const signature = await scopedDb(scope).signature.findFirst({
    where: { id: head.id },
    select: { signer_name: true, signer_email: true, signed_ip: true },
  });
  const codes = await scopedDb(scope).guestCode.findMany({ where: { reservation_id }, select: { email: true } });
  const entries = await scopedDb(scope).trailEntry.findMany({
    where: { reservation_id },
    select: { hash: true, data: true },
  });
  const events = await scopedDb(scope).event.findMany({
    where: { object_id: { in: [reservation_id, head.id] } },
    select: { body: true },
  });
  const known = [reservation, signature].flatMap((row) => Object.values(row ?? {}));
  // Names from before a correction are only in the trail and in past events.
  const former = [...entries.map(({ data }) => data), ...events.map(({ body }) => parsed(body))];
  const names = [
    ...known,
    ...codes.map(({ email }) => email),
    ...former.flatMap((value) => findGuestNamesInPayload(value)),
    ...also,
  ];
  // If the certificate was sealed after the caller read `sealed`, the row contains the file.
  const row = await scopedDb(scope).signature.findFirst({ where: { id: head.id }, select: { pdf: true } });
  const salted = createHashSalterWithSealedFileAsSalt(row?.pdf ?? sealed ?? randomBytes(32));
  // The photo's and the drawing's hashes are redacted too. Otherwise anyone who has the photo or
  // the drawing could recognize the guest by its hash.
  const file_hashes = entries.flatMap(({ data }) =>
    GUEST_FILE_HASH_FIELDS.map((field) => trailEntryDataJsonColumn.read(data)[field]),
  );
  const hashes = [head.content_hash || null, ...entries.map(({ hash }) => hash), ...file_hashes].filter(
    (hash) => typeof hash === 'string',
  );
  return {
    reservation_id,
    signature_id: head.id,
    snapshot_id: head.snapshot_id,
    content_hash: salted(head.content_hash),
    names: names.filter((name) => name !== null),
    traces: getGuestIdentifyingTexts(names),
    hashes: new Map(hashes.map((hash) => [hash, salted(hash)])),
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/**
 * Returns the texts that do not occur in the name or address of any other guest whose data is kept.
 * The caller uses only these texts to find records without a reservation, so that it does not
 * redact another guest's records.
 */
export async function selectTextsNotNamingOtherGuests(scope: Scope, texts: readonly string[]): Promise<string[]> {
  const of = (alias: Sql.Sql) => Sql.sql`${alias}.team_id = ${scope.team_id} AND ${alias}.mode = ${scope.mode}::"Mode"`;
  const unshared: string[] = [];
  for (const text of texts) {
    const shared = await scopedDb(scope).$queryRaw<object[]>(Sql.sql`
      SELECT r.id FROM reservations r WHERE ${of(Sql.sql`r`)} AND NOT r.redacted
        AND ${buildColumnContainsTextSql(Sql.sql`concat_ws(' ', r.guest_name, r.guest_email)`, [text])}
      UNION ALL
      SELECT s.id FROM signatures s WHERE ${of(Sql.sql`s`)} AND s.redacted_at IS NULL
        AND ${buildColumnContainsTextSql(Sql.sql`concat_ws(' ', s.signer_name, s.signer_email)`, [text])}
      UNION ALL
      SELECT t.id FROM trail_entries t WHERE ${of(Sql.sql`t`)} AND t.type = 'guest.corrected'
        AND ${buildJsonContainsValueSql(Sql.sql`t.data::text`, [text])}
      LIMIT 1`);
    if (shared.length === 0) unshared.push(text);
  }
  return unshared;
}

/**
 * Returns the reservations under legal hold: held directly, by their certificate, or because a held
 * reservation replaced them.
 */
export async function listReservationsUnderLegalHold(scope: Scope): Promise<Set<string>> {
  const where = { legal_hold: true };
  const reservations = await scopedDb(scope).reservation.findMany({ where, select: { id: true } });
  const signatures = await scopedDb(scope).signature.findMany({ where, select: { reservation_id: true } });
  const held = new Set([...reservations.map(({ id }) => id), ...signatures.map((one) => one.reservation_id)]);
  return new Set([...held, ...(await listIdsOfReplacedReservations(scope, [...held]))]);
}

/** Redacts the certificate. Returns false when it is under legal hold or already redacted. */
export async function redactSignature(scope: Scope, subject: GuestIdentifiersToRedact, now: Date): Promise<boolean> {
  // The condition includes the hold, so that a hold set before this update prevents it.
  const { count } = await scopedDb(scope).signature.updateMany({
    where: { id: subject.signature_id, legal_hold: false, redacted_at: null },
    data: {
      content_hash: subject.content_hash,
      signer_name: REDACTED_GUEST_NAME,
      signer_email: null,
      signed_ip: null,
      user_agent: null,
      drawn_signature: null,
      photo: null,
      pdf: null,
      photo_object: null,
      pdf_object: null,
      seal_error: null,
      redacted_at: now,
      updated_at: now,
    },
  });
  if (count === 0) return false;
  await scopedDb(scope).snapshot.updateMany({
    where: { id: subject.snapshot_id },
    data: { canonical: '', content_hash: subject.content_hash },
  });
  return true;
}

/** Redacts the reservation and its trail. */
export async function redactReservation(scope: Scope, subject: GuestIdentifiersToRedact, now: Date): Promise<void> {
  const { reservation_id } = subject;
  const kept = (hash: string) => subject.hashes.get(hash) ?? hash;
  await scopedDb(scope).reservation.updateMany({
    where: { id: reservation_id },
    data: {
      guest_name: REDACTED_GUEST_NAME,
      guest_email: null,
      guest_email_relay: false,
      locale: null,
      guest_locale: null,
      guest_phone_last4: null,
      arrival_release_override_reason: null,
      metadata: {},
      redacted: true,
      updated_at: now,
      version: { increment: 1 },
    },
  });
  for (const entry of await scopedDb(scope).trailEntry.findMany({ where: { reservation_id } })) {
    // Each entry's hash, and the next entry's copy of it, are salted in the same way. The links
    // between entries can still be verified, but nobody can guess an entry's content from its hash.
    const data = trailEntryDataJsonColumn.write(
      trailEntryDataJsonColumn.read(redactGuestDataInValue(entry.data, subject)),
    );
    await scopedDb(scope).trailEntry.updateMany({
      where: { id: entry.id },
      data: {
        ip: null,
        user_agent: null,
        data,
        hash: kept(entry.hash),
        prev_hash: entry.prev_hash && kept(entry.prev_hash),
      },
    });
  }
}

/** Revokes the reservation's links. */
export async function revokeReservationLinks(scope: Scope, reservation_id: string): Promise<void> {
  await scopedDb(scope).reservation.updateMany({
    where: { id: reservation_id },
    data: { signing_token_hash: null, share_token_hash: null, guest_reply: null, guest_reply_at: null },
  });
}

/**
 * Each of these mails concerns several guests, so it is redacted as a whole. The dashboard still
 * shows the information that it contained.
 */
export const MAIL_TEMPLATES_NAMING_SEVERAL_GUESTS = ['sync_cancelled', 'sync_asks', 'sync_asks_stays', 'same_nights'];

/**
 * Redacts mails, codes and text messages to the guest. Also redacts forwarded mails about the
 * guest, and unassigned mails that mention a text of `loose`.
 */
export async function redactGuestMessages(
  scope: Scope,
  subject: GuestIdentifiersToRedact,
  loose: readonly string[],
): Promise<void> {
  const { reservation_id } = subject;
  const mails = { reservation_id };
  const of_several = { id: { in: await mailsNaming(scope, subject.names) } };
  await scopedDb(scope).mailMessage.updateMany({
    where: { OR: [mails, of_several], status: 'queued' },
    data: { status: 'suppressed' },
  });
  await scopedDb(scope).mailMessage.updateMany({
    where: of_several,
    data: { content: null, preview_until: null },
  });
  await scopedDb(scope).mailMessage.updateMany({
    where: mails,
    data: {
      to: 'redacted@guest.invalid',
      reply_to: null,
      subject: 'Redacted',
      content: null,
      preview_until: null,
      last_error: null,
      // The id is removed, because the provider's later reports would otherwise add the address
      // again.
      provider_id: null,
      open_token_hash: null,
    },
  });
  await scopedDb(scope).guestCode.deleteMany({ where: mails });
  await scopedDb(scope).smsMessage.updateMany({ where: mails, data: { to: null, body: null } });
  await scopedDb(scope).$executeRaw(Sql.sql`
    UPDATE inbound_mails SET raw = NULL, from_address = NULL, subject = NULL, extracted = '{}'::jsonb
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode"
      AND (reservation_id = ${reservation_id} OR ${await buildUnassignedMailMentionsTextsSql(scope, loose)})`);
}

/**
 * Returns the ids of mails about several guests that mention one of these names. Includes mails
 * that cannot be decrypted.
 */
async function mailsNaming(scope: Scope, names: readonly string[]): Promise<string[]> {
  const kept = await scopedDb(scope).mailMessage.findMany({
    where: { template: { in: MAIL_TEMPLATES_NAMING_SEVERAL_GUESTS }, content: { not: null } },
    select: { id: true, subject: true, content: true },
  });
  const namesGuest = createGuestMentionMatcher(names);
  return kept.filter((mail) => contentOf(mail)?.some(namesGuest) ?? true).map(({ id }) => id);
}

/** Returns the texts of a mail, or null when it cannot be decrypted. */
function contentOf(mail: StoredMailContent): string[] | null {
  try {
    return Object.values(decryptMailContent(mail));
  } catch {
    return null;
  }
}

/**
 * Returns the condition that a forwarded mail is not assigned to a reservation, mentions one of
 * these texts, and mentions no guest under legal hold.
 */
export async function buildUnassignedMailMentionsTextsSql(scope: Scope, texts: readonly string[]): Promise<Sql.Sql> {
  if (texts.length === 0) return Sql.sql`FALSE`;
  const held = [...(await listReservationsUnderLegalHold(scope))];
  const reservations = await scopedDb(scope).reservation.findMany({
    where: { id: { in: held } },
    select: { guest_name: true, guest_email: true },
  });
  const signatures = await scopedDb(scope).signature.findMany({
    where: { reservation_id: { in: held } },
    select: { signer_name: true, signer_email: true },
  });
  const spared = getGuestIdentifyingTexts([...reservations, ...signatures].flatMap((row) => Object.values(row)));
  const mentioned = (parts: readonly string[]) =>
    Sql.sql`(${buildColumnContainsTextSql(Sql.sql`concat_ws(' ', from_address, subject)`, parts)} OR ${buildJsonColumnContainsTextSql(Sql.sql`extracted::text`, parts)})`;
  return Sql.sql`(reservation_id IS NULL AND ${mentioned(texts)} AND NOT ${mentioned(spared)})`;
}

/**
 * Redacts events, webhook responses, idempotent responses and logs about the guest. Records without
 * a reservation are redacted if they mention a text of `loose`.
 */
export async function redactGuestInEventsAndLogs(
  scope: Scope,
  subject: GuestIdentifiersToRedact,
  loose: readonly string[],
): Promise<void> {
  const { reservation_id, signature_id } = subject;
  const events = await scopedDb(scope).event.findMany({ where: { object_id: { in: [reservation_id, signature_id] } } });
  for (const event of events) {
    await scopedDb(scope).event.updateMany({
      where: { id: event.id },
      data: { body: redactGuestDataInJsonText(event.body, subject) },
    });
  }
  const since = events.reduce<Date | null>(
    (first, { created_at }) => (first && first < created_at ? first : created_at),
    null,
  );
  if (since) {
    await scopedDb(scope).webhookDelivery.updateMany({
      where: { created_at: { gte: since }, event_id: { in: events.map(({ id }) => id) } },
      data: { response_body_truncated: null },
    });
  }
  const ids = [reservation_id, signature_id];
  const about = (json: Sql.Sql) => buildJsonColumnContainsTextSql(json, [...ids, ...loose]);
  const kept = await scopedDb(scope).$queryRaw<{ key: string; response_body: string }[]>(Sql.sql`
    SELECT key, response_body FROM idempotency_records
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND NOT encrypted
      AND (${buildJsonColumnContainsTextSql(Sql.sql`response_body`, ids)}
        OR status >= 400 AND ${buildJsonColumnContainsTextSql(Sql.sql`response_body`, loose)})`);
  for (const { key, response_body } of kept) {
    await scopedDb(scope).idempotencyRecord.updateMany({
      where: { key },
      data: { response_body: redactGuestDataInJsonText(response_body, subject) },
    });
  }
  // A partner may have put a guest's address into a path by mistake.
  const in_path = buildColumnContainsTextSql(Sql.sql`path`, [...loose, ...loose.map(encodeURIComponent)]);
  await scopedDb(scope).$executeRaw(Sql.sql`
    UPDATE request_logs SET error_body = NULL, request_body = NULL, path = CASE WHEN ${in_path} THEN '/v1/[redacted]' ELSE path END
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode"
      AND (${in_path} OR (coalesce(error_body, request_body) IS NOT NULL
        AND (${buildColumnContainsTextSql(Sql.sql`path`, ids)} OR ${about(Sql.sql`concat_ws(' ', error_body, request_body)`)})))`);
  await scopedDb(scope).$executeRaw(Sql.sql`
    UPDATE sync_runs SET excerpt = NULL, skipped = '[]'::jsonb
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode"
      AND (${buildColumnContainsTextSql(Sql.sql`coalesce(excerpt, '')`, loose)} OR ${about(Sql.sql`skipped::text`)})`);
  // A calendar's pending questions contain names from the feed, so they are deleted. The next sync
  // creates the questions again if they still apply.
  await scopedDb(scope).$executeRaw(Sql.sql`
    UPDATE sync_sources SET held = '{}'::jsonb
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND ${buildJsonColumnContainsTextSql(Sql.sql`held::text`, loose)}`);
}
