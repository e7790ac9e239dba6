/**
 * Receives forwarded mail (design "Forwarded mail"). The mail is parsed outside of a transaction.
 * One transaction, which locks the property, then decides what the mail changes, applies the change
 * and stores the mail. The lock prevents a second reservation for the same booking when a calendar
 * sync runs, or the same mail arrives, at the same time.
 */

import { config, getAppSecret, getSenderEmailAddress } from '@/config';
import type { SyncSource } from '@/generated/prisma/client';
import { lockProperty } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { encryptBytes } from '@/infra/encryption';
import {
  RESERVATION_UNCHANGED_DECISION,
  type ReservationFactsForRules,
  type ReservationTransitionDecision,
} from '@/modules/reservations/rules/transitions';
import { applyReservationTransition, findReservationForTransition } from '@/modules/reservations/save-transition';
import { insertReservation } from '@/modules/reservations/service';
import { addDays } from '@/modules/sync-sources/feed/calendar-days';
import { listBookingsThatMailMayReferTo, retrieveSyncSource } from '@/modules/sync-sources/service';
import { parseCalendarDay } from '@/shared/calendar-day';
import { clock } from '@/shared/clock';
import { parseLocale } from '@/shared/guest-text/locale';
import { newId } from '@/shared/ids';
import { EmailAddress } from '@/shared/schemas';
import { createSystemScope, type Scope } from '@/shared/scope';
import { getLocalDate } from '@/shared/zoned-time';
import { type ExtractedMailData, extractedMailJsonColumn } from './json-columns.schemas';
import type { ReservationExtractionResult } from './mail/extractors/extract';
import type { MailParseJobResult } from './mail/mail-job';
import {
  decideForwardedMailAction,
  type ForwardedMailActionDecision,
  proposeReservationChange,
  type ReservationChangeProposal,
  type ReservationFactsFromMail,
} from './mail/merge.rules';
import type { ForwardedMail } from './mail/parse-forwarded';
import {
  applyReservationChangeProposal,
  hasOtherInboxMailAskingForSameChange,
  isForwardedMailSuperseded,
  MAX_DAYS_BETWEEN_STAY_END_AND_MAIL,
} from './proposals';
import { parseMailInWorker } from './read-mail';
import * as repository from './repository';

/** The encryption purpose for stored mails. */
export const MAIL_ENCRYPTION_PURPOSE = 'inbound-mail';

/**
 * The maximum age of a cancellation or change that is applied automatically. An older mail may be a
 * late copy.
 */
const FRESH_MS = 3 * 24 * 60 * 60 * 1_000;

type MailStatus = 'applied' | 'inbox' | 'dismissed';
/**
 * Stores a raw message once for each known recipient. The outcome for other addresses is
 * `unknown_address`.
 */
export async function receiveMail(raw: Uint8Array, recipients: readonly string[]) {
  const read = await parseRawMail(raw);
  const receipts: { address: string; outcome: MailStatus | 'duplicate' | 'unknown_address' }[] = [];
  for (const address of new Set(recipients.map((text) => text.trim().toLowerCase()))) {
    const token = getForwardingToken(address);
    const source = token ? await repository.findSyncSourceByForwardingToken(token) : null;
    receipts.push({ address, outcome: source ? await take(source, read) : 'unknown_address' });
  }
  return receipts;
}

/** Parses a raw message with this installation's settings. */
export function parseRawMail(raw: Uint8Array): Promise<MailParseJobResult> {
  const { inbound_domain, channel_mail_domains, inbound_authserv_id } = config();
  return parseMailInWorker({
    raw,
    own: { senders: [getSenderEmailAddress()], inbound_domain },
    channel_domains: channel_mail_domains,
    authserv_id: inbound_authserv_id ?? null,
  });
}

/**
 * Returns the token in a forwarding address: its local part without a `+tag`. Returns null for
 * other domains.
 */
export function getForwardingToken(address: string): string | null {
  const [local, domain] = address.trim().toLowerCase().split('@');
  return domain === config().inbound_domain.toLowerCase() && local ? (local.split('+')[0] ?? null) : null;
}

/**
 * Stores a mail. Further attached mails are stored separately. Returns the outcome of the first
 * mail.
 */
function take(found: SyncSource, read: MailParseJobResult): Promise<MailStatus | 'duplicate'> {
  const scope = createSystemScope(found.team_id, found.mode, 'forwarded-mail');
  return inTransaction(scope, async () => {
    await lockProperty(scope, found.property_id);
    // The source is read again, because the host may have disabled it.
    const source = await retrieveSyncSource(scope, found.id);
    const message_id = read.ok ? read.mail.message_id : read.message_id;
    if (await repository.isForwardedMailAlreadyStored(scope, source.id, message_id)) return 'duplicate';
    const status = await takeOne(scope, source, message_id, read);
    if (!read.ok) return status;
    for (const { mail, extraction, kept } of read.further) {
      await takeOne(scope, source, mail.message_id, { ...read, mail, extraction, kept, confirmation: null });
    }
    return status;
  });
}

async function takeOne(
  scope: Scope,
  source: SyncSource,
  message_id: string,
  read: MailParseJobResult,
): Promise<MailStatus> {
  const reading = read.ok ? settle(read) : UNREAD;
  const { cancelled_at = null, ...result }: Result = read.ok
    ? await applyDecision(scope, source, reading, await decide(scope, source, read.mail, reading))
    : { status: 'inbox' as const, reason: read.reason, reservation_id: null };
  const now = clock().now();
  const content = {
    from_address: read.ok ? (read.mail.from?.address ?? null) : null,
    subject: read.ok ? read.mail.original.subject || read.mail.subject : null,
    extracted: extractedMailJsonColumn.write({ ...reading, cancelled_at }),
    raw: encryptBytes(getAppSecret(), MAIL_ENCRYPTION_PURPOSE, read.kept),
  };
  await repository.insertForwardedMail(scope, {
    ...result,
    ...((await isOfErasedGuest(scope, result)) ? { extracted: extractedMailJsonColumn.write(UNREAD) } : content),
    id: newId('inbound_mail'),
    sync_source_id: source.id,
    message_id,
    received_at: now,
    handled_at: result.status === 'inbox' ? null : now,
  });
  const last_status = result.status === 'inbox' ? 'waiting_for_host' : 'ok';
  await repository.recordSyncSourceMailReceipt(scope, source.id, {
    last_synced_at: now,
    last_status,
    last_error: null,
  });
  return result.status;
}

interface Result {
  readonly status: MailStatus;
  readonly reason: string | null;
  readonly reservation_id: string | null;
  /** The reservation's dates before the mail moved it. */
  readonly was_checkin_date?: Date;
  readonly was_checkout_date?: Date;
  readonly cancelled_at?: string | null;
}

/**
 * Returns whether the mail's guest was erased. The text of such a mail is not stored, because it
 * contains the guest's data.
 */
const isOfErasedGuest = async (scope: Scope, { status, reservation_id }: Result): Promise<boolean> =>
  status === 'applied' &&
  reservation_id !== null &&
  (await findReservationForTransition(scope, reservation_id))?.row.redacted === true;

const UNREAD: ExtractedMailData = {
  extraction: null,
  forwarding: null,
  verified: false,
  original_from: null,
  written_at: null,
  cancelled_at: null,
  unread: [],
  confirmation: null,
};

function settle({
  mail,
  extraction,
  dkim_aligned,
  confirmation,
}: Extract<MailParseJobResult, { ok: true }>): ExtractedMailData {
  // An address that the API would refuse is dropped.
  const guest_email = EmailAddress.safeParse(extraction.guest_email).data ?? null;
  return {
    extraction: { ...extraction, guest_email, relay_address: guest_email !== null && extraction.relay_address },
    forwarding: mail.forwarding,
    // When a person forwarded the mail, the outer signature does not prove the original sender.
    verified: dkim_aligned && mail.forwarding === 'redirected',
    original_from: mail.original.from?.address ?? null,
    written_at: mail.original.dated === 'written' ? mail.original.date : null,
    cancelled_at: null,
    unread: mail.unread,
    confirmation,
  };
}

type Outcome =
  | ForwardedMailActionDecision
  | { readonly action: 'apply'; readonly proposal: ReservationChangeProposal }
  | 'source_disabled';

const isFresh = (date: string | null): boolean =>
  date !== null && clock().now().getTime() - Date.parse(date) < FRESH_MS;

async function decide(
  scope: Scope,
  source: SyncSource,
  mail: ForwardedMail,
  reading: ExtractedMailData,
): Promise<Outcome> {
  const timezone = await repository.findPropertyTimezone(scope, source.property_id);
  const today = getLocalDate(clock().now(), timezone);
  const over_after = addDays(today, -MAX_DAYS_BETWEEN_STAY_END_AND_MAIL);
  const candidates = await listBookingsThatMailMayReferTo(scope, source.property_id, over_after);
  const extraction = reading.extraction as ReservationExtractionResult;
  const decision = decideForwardedMailAction({
    extraction,
    verified: reading.verified,
    automatic_reply: mail.auto_submitted === 'replied',
    bounce: mail.bounce,
    loop: mail.loop,
    forwarding_confirmation: reading.confirmation !== null,
    candidates,
    today,
  });
  if (decision.action === 'inbox' && source.enabled && source.apply_proven_mails && isFresh(mail.original.date)) {
    const proposal = proposeReservationChange(extraction, reading.verified, candidates, today);
    const stay = candidates.find(({ id }) => id === proposal?.reservation_id);
    // Once the stay has begun, only the host can apply the mail's change.
    if (proposal && stay && stay.checkin_date > today) {
      const mail = { sync_source_id: source.id, received_at: clock().now() };
      const asks =
        (await isForwardedMailSuperseded(scope, mail, reading)) ||
        (await hasOtherInboxMailAskingForSameChange(scope, mail, reading));
      if (!asks) return { action: 'apply', proposal };
    }
  }
  const would_write = decision.action === 'create' || decision.action === 'fill';
  return would_write && !source.enabled ? 'source_disabled' : decision;
}

async function applyDecision(
  scope: Scope,
  source: SyncSource,
  { extraction, unread }: ExtractedMailData,
  decision: Outcome,
): Promise<Result> {
  if (decision === 'source_disabled') return { status: 'inbox', reason: 'source_disabled', reservation_id: null };
  switch (decision.action) {
    case 'create': {
      const { row } = await createReservationFromMail(scope, source, extraction as ReservationExtractionResult);
      return { status: 'applied', reason: 'created', reservation_id: row.id };
    }
    case 'fill': {
      const { reservation_id, fill } = decision;
      const changed = await fillReservation(scope, reservation_id, fill);
      return { status: 'applied', reason: changed ? 'filled_in' : 'already_known', reservation_id };
    }
    case 'apply':
      return applyReservationChangeProposal(scope, decision.proposal);
    case 'nothing':
      return { status: 'applied', reason: decision.reason, reservation_id: decision.reservation_id };
    case 'inbox': {
      // The mail about the booking is probably in the unread attachment.
      const reason =
        unread.length > 0 && decision.reason === 'not_a_confirmation' ? 'attachment_unread' : decision.reason;
      return { status: 'inbox', reason, reservation_id: decision.reservation_id };
    }
    case 'dismiss':
      return { status: 'dismissed', reason: decision.reason, reservation_id: null };
  }
}

/** Creates a reservation from a mail's facts or from the host's input. */
export function createReservationFromMail(
  scope: Scope,
  source: Pick<SyncSource, 'id' | 'property_id' | 'kind'>,
  facts: Pick<
    ReservationExtractionResult,
    'guest_name' | 'guest_email' | 'relay_address' | 'reservation_code' | 'guest_language'
  > & {
    checkin_date: string | null;
    checkout_date: string | null;
    channel: ReservationExtractionResult['channel'] | 'direct';
  },
) {
  return insertReservation(scope, {
    property_id: source.property_id,
    guest_name: (facts.guest_name ?? 'Guest').toWellFormed(),
    guest_email: facts.guest_email,
    guest_email_relay: facts.relay_address,
    guest_locale: parseLocale(facts.guest_language),
    checkin_date: parseCalendarDay(facts.checkin_date as string),
    checkout_date: parseCalendarDay(facts.checkout_date as string),
    source: facts.channel ?? 'direct',
    status: 'synced',
    initial_status: 'synced',
    external_source: source.kind,
    external_id: facts.reservation_code,
    sync_source_id: source.id,
  });
}

/**
 * Adds facts that the reservation lacks, if the reservation may still be changed. Returns whether
 * it changed.
 */
async function fillReservation(scope: Scope, id: string, fill: ReservationFactsFromMail): Promise<boolean> {
  const { guest_email, guest_email_relay, guest_name, external_id } = fill;
  const guest_locale = parseLocale(fill.guest_language);
  const decideFill = (facts: ReservationFactsForRules): ReservationTransitionDecision => {
    const { status, redacted, legal_hold, manual_override } = facts;
    const closed = status === 'signed' || status === 'expired' || status === 'ignored';
    if (closed || redacted || legal_hold || manual_override) return RESERVATION_UNCHANGED_DECISION;
    const changes = {
      ...(guest_email !== undefined && facts.guest_email === null && { guest_email }),
      ...(guest_name !== undefined && { guest_name: guest_name.toWellFormed() }),
      ...(guest_locale && facts.locale === null && facts.guest_locale === null && { guest_locale }),
    };
    if (Object.keys(changes).length === 0 && external_id === undefined) return RESERVATION_UNCHANGED_DECISION;
    return { kind: 'change', changes, events: [], mints_token: false };
  };
  const { changed } = await applyReservationTransition(scope, id, decideFill, {
    columns: {
      ...(guest_email !== undefined && { guest_email_relay }),
      ...(external_id !== undefined && { external_id }),
    },
    trail: ({ changes }) => {
      const fields = Object.keys(changes).map((field) => (field === 'guest_locale' ? 'locale' : field));
      return fields.length > 0 ? [{ type: 'reservation.updated', data: { fields } }] : [];
    },
  });
  return changed;
}

/** Writes columns that only calendar syncs and later mails use. Emits no event. */
export async function saveReservationColumnsFromMail(
  scope: Scope,
  id: string,
  columns: { external_id?: string; guest_email_relay?: boolean },
): Promise<void> {
  if (Object.keys(columns).length === 0) return;
  const decide = (): ReservationTransitionDecision => ({ kind: 'change', changes: {}, events: [], mints_token: false });
  await applyReservationTransition(scope, id, decide, { columns });
}
