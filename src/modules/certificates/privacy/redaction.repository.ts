/**
 * Everywhere a guest's personal data is kept, and how it is removed from there. Everything runs in the transaction of
 * the redaction. A table that comes to hold a guest's data belongs in here; redaction.test.ts searches all of them.
 */
import { randomBytes } from 'node:crypto';
import { BEYOND_SCOPE, Prisma as Sql, scopedDb } from '@/infra/db/scoped-client';
import { trailData } from '@/modules/trail/json-columns.schemas';
import type { Scope } from '@/shared/scope';
import { GIVEN } from '../seal/given.rules';
import { hashSalter, REDACTED_NAME, type Redaction, redactText, redactValue, tracesOf } from './redaction.rules';

export interface Subject extends Redaction {
  readonly signature_id: string;
  readonly snapshot_id: string;
  /** Salted, as it is kept. */
  readonly content_hash: string;
}

/** The reservations of the same stay that this one took the place of, the latest first (reservations/change-dates). */
export async function listReplaced(scope: Scope, reservation_id: string): Promise<string[]> {
  const found: string[] = [];
  for (let id = reservation_id; ; ) {
    const first = await scopedDb(scope).trailEntry.findFirst({ where: { reservation_id: id, seq: 1 } });
    const { replaces } = trailData.read(first?.data ?? {});
    if (typeof replaces !== 'string' || found.includes(replaces)) return found;
    found.push(replaces);
    id = replaces;
  }
}

/** By what the guest is recognised: read before anything is removed. `sealed` is the sealed file, where there is one. */
export async function readSubject(
  scope: Scope,
  head: { id: string; reservation_id: string; snapshot_id: string; content_hash: string },
  sealed: Uint8Array | null,
): Promise<Subject> {
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
  const known = [reservation, signature].flatMap((row) => Object.values(row ?? {}));
  const traces = tracesOf([...known, ...codes.map(({ email }) => email)]);
  const entries = await scopedDb(scope).trailEntry.findMany({
    where: { reservation_id },
    select: { hash: true, data: true },
  });
  // One that was sealed since is in its row.
  const row = await scopedDb(scope).signature.findFirst({ where: { id: head.id }, select: { pdf: true } });
  const salted = hashSalter(row?.pdf ?? sealed ?? randomBytes(32));
  // Of a photo and a drawing too: who has either could tell whose it was.
  const given = entries.flatMap(({ data }) => GIVEN.map((field) => trailData.read(data)[field]));
  const hashes = [head.content_hash, ...entries.map(({ hash }) => hash), ...given].filter(
    (hash) => typeof hash === 'string',
  );
  return {
    reservation_id,
    signature_id: head.id,
    snapshot_id: head.snapshot_id,
    content_hash: salted(head.content_hash),
    traces,
    hashes: new Map(hashes.map((hash) => [hash, salted(hash)])),
  };
}

/** False when the certificate is under legal hold, or was redacted by someone else meanwhile. */
export async function redactSignature(scope: Scope, subject: Subject, now: Date): Promise<boolean> {
  // The hold is part of the condition: one that is set at the same moment wins or loses, never both.
  const { count } = await scopedDb(scope).signature.updateMany({
    where: { id: subject.signature_id, legal_hold: false, redacted_at: null },
    data: {
      content_hash: subject.content_hash,
      signer_name: REDACTED_NAME,
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

/** The reservation itself and its trail. */
export async function redactReservation(scope: Scope, subject: Subject, now: Date): Promise<void> {
  const { reservation_id } = subject;
  const kept = (hash: string) => subject.hashes.get(hash) ?? hash;
  await scopedDb(scope).reservation.updateMany({
    where: { id: reservation_id },
    data: {
      guest_name: REDACTED_NAME,
      guest_email: null,
      guest_email_relay: false,
      locale: null,
      guest_locale: null,
      guest_phone_last4: null,
      arrival_release_override_reason: null,
      redacted: true,
      updated_at: now,
      version: { increment: 1 },
    },
  });
  for (const entry of await scopedDb(scope).trailEntry.findMany({ where: { reservation_id } })) {
    // Each hash and the link to it are salted alike: the chain's links can still be followed, its contents no longer recomputed.
    const data = trailData.write(trailData.read(redactValue(entry.data, subject)));
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

/** What calendars and double bookings tell the owner is of several guests: whoever they are, the page has what is left to know. */
export const MAILS_OF_SEVERAL_GUESTS = ['sync_cancelled', 'sync_asks', 'sync_asks_stays', 'same_nights'];

/** Mail, codes and messages to the guest, and forwarded mail about them. */
export async function redactMessages(scope: Scope, subject: Subject): Promise<void> {
  const { reservation_id, traces } = subject;
  const mails = { reservation_id };
  const of_several = { template: { in: MAILS_OF_SEVERAL_GUESTS } };
  await scopedDb(scope).mailMessage.updateMany({
    where: { OR: [mails, of_several], status: 'queued' },
    data: { status: 'suppressed', lease_until: null },
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
      // What the provider still reports about it would bring the address back.
      provider_id: null,
      open_token_hash: null,
    },
  });
  await scopedDb(scope).guestCode.deleteMany({ where: mails });
  await scopedDb(scope).smsMessage.updateMany({ where: mails, data: { to: null, body: null } });
  // Mail that waits in the inbox belongs to no reservation yet; what belongs to another stay of the same guest stays.
  await scopedDb(scope).$executeRaw(Sql.sql`
    UPDATE inbound_mails SET raw = NULL, from_address = NULL, subject = NULL, extracted = '{}'::jsonb
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode"
      AND (reservation_id = ${reservation_id}
        OR reservation_id IS NULL AND ${holds(Sql.sql`coalesce(from_address, '') || ' ' || coalesce(subject, '') || ' ' || extracted::text`, traces)})`);
  await forgetSuppressions(scope, subject);
}

/** An address that bounced is remembered for all teams: it goes unless another reservation still has it. */
async function forgetSuppressions(scope: Scope, { reservation_id, traces }: Subject): Promise<void> {
  const addresses = traces.filter((trace) => trace.includes('@'));
  if (addresses.length === 0) return;
  await scopedDb(scope).$executeRaw(Sql.sql`${BEYOND_SCOPE}
    DELETE FROM mail_suppressions s WHERE s.email IN (${Sql.join(addresses)}) AND NOT EXISTS (
      SELECT 1 FROM reservations r
      WHERE lower(r.guest_email) = s.email AND NOT (r.team_id = ${scope.team_id} AND r.id = ${reservation_id}))`);
}

/** Payloads, what receivers answered to them, kept answers, and the logs. */
export async function redactRecords(scope: Scope, subject: Subject): Promise<void> {
  const { reservation_id, signature_id, traces } = subject;
  const events = await scopedDb(scope).event.findMany({ where: { object_id: { in: [reservation_id, signature_id] } } });
  for (const event of events) {
    await scopedDb(scope).event.updateMany({
      where: { id: event.id },
      data: { body: redactText(event.body, subject) },
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
  const own = (column: Sql.Sql) => holds(column, [reservation_id, signature_id, ...traces]);
  const kept = await scopedDb(scope).$queryRaw<{ key: string; response_body: string }[]>(Sql.sql`
    SELECT key, response_body FROM idempotency_records
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND NOT encrypted AND (${holds(Sql.sql`response_body`, [reservation_id, signature_id])}
        OR status >= 400 AND ${holds(Sql.sql`response_body`, traces)})`);
  for (const { key, response_body } of kept) {
    await scopedDb(scope).idempotencyRecord.updateMany({
      where: { key },
      data: { response_body: redactText(response_body, subject) },
    });
  }
  // An address that a partner put into a path by mistake.
  const in_path = holds(Sql.sql`path`, [...traces, ...traces.map(encodeURIComponent)]);
  await scopedDb(scope).$executeRaw(Sql.sql`
    UPDATE request_logs SET error_body = NULL, request_body = NULL, path = CASE WHEN ${in_path} THEN '/v1/[redacted]' ELSE path END
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode"
      AND (${in_path} OR (coalesce(error_body, request_body) IS NOT NULL
        AND (${own(Sql.sql`path`)} OR ${own(Sql.sql`coalesce(error_body, '') || ' ' || coalesce(request_body, '')`)})))`);
  await scopedDb(scope).$executeRaw(Sql.sql`
    UPDATE sync_runs SET excerpt = NULL, skipped = '[]'::jsonb
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode"
      AND ${own(Sql.sql`coalesce(excerpt, '') || ' ' || skipped::text`)}`);
  // What a calendar asks about names bookings that are not there yet; the next run finds what it has to ask.
  await scopedDb(scope).$executeRaw(Sql.sql`
    UPDATE sync_sources SET held = '{}'::jsonb
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND ${holds(Sql.sql`held::text`, traces)}`);
}

/** Whether a text holds one of these; in lower case both. */
function holds(text: Sql.Sql, parts: readonly string[]): Sql.Sql {
  if (parts.length === 0) return Sql.sql`FALSE`;
  const each = parts.map((part) => Sql.sql`strpos(lower(${text}), ${part.toLowerCase()}::text) > 0`);
  return Sql.sql`(${Sql.join(each, ' OR ')})`;
}
