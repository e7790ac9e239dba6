/**
 * Reservation operations that only the dashboard offers: manual signing, early release, ignoring,
 * the share link.
 */

import { inTransaction } from '@/infra/db/transaction';
import { decidePdfAccess } from '@/modules/links/certificate-access.rules';
import { buildReservationShareUrl, hashLinkToken } from '@/modules/links/urls';
import type { ArrivalDetailGroup } from '@/modules/packets/schemas';
import { appendTrailEntries, listTrailEntries, trailEntryDataJsonColumn } from '@/modules/trail/service';
import { AppError, type ErrorCode } from '@/shared/errors';
import {
  createRefusal,
  findRefusalForCode,
  type Refusal,
  type ResultWithUntranslatedRefusals,
} from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { CALENDAR_MANAGED_DATES_REFUSAL } from './change-dates/service';
import { hasConflictBlockingAutomaticPacketSend } from './double-bookings/same-nights.rules';
import {
  confirmBothBookingsOfPairAreReal,
  findOverlapsAndConfirmationsByStayId,
  type StayWithOverlapsAndHostConfirmations,
} from './double-bookings/service';
import type { DoubleBookingInfo, HostReservation, HostReservationListQuery } from './host.schemas';
import * as list from './list.repository';
import type { ReservationWithPropertyAndPacket } from './repository';
import * as repository from './repository';
import { buildReservationRowFactsForRules, buildReservationRuleContext } from './rule-inputs';
import { getAllowedHostActions, type HostAction, type HostActionAvailability } from './rules/allowed-actions';
import { splitArrivalDetailGroupsByRelease } from './rules/arrival-release';
import * as lifecycle from './rules/lifecycle';
import {
  AWAITING_SIGNATURE_STATUSES,
  createReservationDecisionKeepingStatus,
  RESERVATION_UNCHANGED_DECISION,
} from './rules/transitions';
import { applyReservationTransition, loadReservation, type ReservationTransitionDecider } from './save-transition';
import { GUEST_REPLY_KINDS } from './schemas';
import { serializeReservationWithPacket } from './service';

const actorName = ({ actor }: Scope) => ('name' in actor ? actor.name : actor.kind);

/**
 * Marks a reservation as signed, without a certificate. Throws reservation_already_signed and
 * reservation_cancelled.
 */
export async function markReservationSigned(scope: Scope, id: string): Promise<ReservationWithPropertyAndPacket> {
  return (await applyReservationTransition(scope, id, lifecycle.markAsSignedWithoutCertificate)).loaded;
}

/**
 * Releases arrival details early, with a reason. Throws missing_required_field,
 * reservation_cancelled and reservation_expired.
 */
export async function releaseArrivalDetails(
  scope: Scope,
  id: string,
  input: { reason: string; groups?: ArrivalDetailGroup[] },
): Promise<ReservationWithPropertyAndPacket> {
  const by = actorName(scope);
  const { reason, groups = null } = input;
  const decide: ReservationTransitionDecider = (facts, context, now) =>
    lifecycle.overrideArrivalRelease(facts, context, { ...input, by }, now);
  const result = await applyReservationTransition(scope, id, decide, {
    // A second override emits no event, but it must be recorded in the trail.
    trail: ({ events }) =>
      events.length > 0 ? [] : [{ type: 'arrival_details.groups_released', data: { by, reason, groups } }],
  });
  return result.loaded;
}

/** Ignores a reservation that was not sent. Throws reservation_not_editable and legal_hold. */
export async function ignoreReservation(scope: Scope, id: string): Promise<ReservationWithPropertyAndPacket> {
  return (
    await applyReservationTransition(scope, id, lifecycle.ignore, { trail: () => [{ type: 'reservation.ignored' }] })
  ).loaded;
}

/** Restores an ignored or cancelled reservation to its initial status. */
export async function restoreReservation(scope: Scope, id: string): Promise<ReservationWithPropertyAndPacket> {
  return (
    await applyReservationTransition(scope, id, lifecycle.restore, { trail: () => [{ type: 'reservation.restored' }] })
  ).loaded;
}

const isoOf = (date: Date | null) => date?.toISOString() ?? null;

const isWithGuest = (status: string) => AWAITING_SIGNATURE_STATUSES.some((each) => each === status);

/** Returns a page of the dashboard's list. Throws conflicting_cursors and invalid_cursor. */
export async function listReservationsForHost(scope: Scope, query: HostReservationListQuery) {
  const { data, has_more } = await list.listReservationsWithHostColumns(scope, query);
  const waiting = data.filter(({ row }) => isWithGuest(row.status)).map(({ row }) => row.id);
  const problems = await repository.findMailDeliveryProblems(scope, waiting);
  const shared = await findOverlapsAndConfirmationsByStayId(
    scope,
    data.map(({ row }) => row.id),
  );
  return {
    data: data.map(({ property_name, property_timezone, dates_changed_after_send_at, guest_reply, ...shown }) => ({
      ...serializeReservationWithPacket(shown),
      property_name: property_name ?? shown.row.property_id,
      property_timezone,
      dates_changed_after_send_at: isWithGuest(shown.row.status) ? isoOf(dates_changed_after_send_at) : null,
      mail_problem: problems.get(shown.row.id) ?? null,
      guest_reply: isWithGuest(shown.row.status) ? replyKind(guest_reply) : null,
      same_nights: sameNights(shared.get(shown.row.id)),
    })),
    has_more,
  };
}

/** Returns the bookings for the same nights, unanswered conflicts first. */
function sameNights(shared: StayWithOverlapsAndHostConfirmations | undefined): DoubleBookingInfo[] {
  const shown = (shared?.related ?? []).map(({ as, other }) => ({
    as,
    reservation_id: other.id,
    guest_name: other.guest_name,
    checkin_date: other.checkin_date,
    checkout_date: other.checkout_date,
    source: other.source,
    status: other.status,
    both_real: shared?.both_real.has(other.id) ?? false,
  }));
  return shown.sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
}
const isOpen = ({ as, both_real }: DoubleBookingInfo) => as === 'conflict' && !both_real;

/**
 * Stores that both bookings for the same nights are real. Throws resource_missing and
 * concurrent_edit.
 */
export async function confirmBothBookingsAreReal(
  scope: Scope,
  id: string,
  other_id: string,
): Promise<ReservationWithPropertyAndPacket> {
  await confirmBothBookingsOfPairAreReal(scope, id, other_id);
  return loadReservation(scope, id);
}

/**
 * Returns a reservation with all fields for hosts. Lists for each action whether it is allowed, and
 * the reason if it is not. Throws resource_missing.
 */
export async function retrieveReservationForHost(
  scope: Scope,
  id: string,
): Promise<ResultWithUntranslatedRefusals<HostReservation>> {
  const loaded = await loadReservation(scope, id);
  const { row, packet } = loaded;
  const facts = buildReservationRowFactsForRules(loaded);
  const context = buildReservationRuleContext(scope, loaded);
  const problems = await repository.findMailDeliveryProblems(scope, isWithGuest(row.status) ? [row.id] : []);
  const shared = (await findOverlapsAndConfirmationsByStayId(scope, [id])).get(id);
  return {
    ...serializeReservationWithPacket(loaded),
    actions: answers(getAllowedHostActions(facts, context, loaded.now)),
    dates_changed_after_send_at: isWithGuest(row.status) ? isoOf(row.dates_changed_after_send_at) : null,
    mail_problem: problems.get(row.id) ?? null,
    guest_reply: isWithGuest(row.status) ? await guestReply(scope, row) : null,
    legal_hold: row.legal_hold,
    cancel_reason: row.cancel_reason,
    packet: packet && { id: packet.id, name: packet.name },
    arrival: splitArrivalDetailGroupsByRelease(lifecycle.toArrivalReleaseFactsForRules(facts, context)),
    guest_phone_last4: row.guest_phone_last4,
    guest_email_relay: row.guest_email_relay,
    same_nights: sameNights(shared),
    held_back: shared !== undefined && hasConflictBlockingAutomaticPacketSend(shared.related, shared.both_real),
    share_link_made: row.share_generation > 0,
    certificate: await certificateOf(scope, row.signature_id),
  };
}

/**
 * Returns the certificate's id and whether the team can download its sealed PDF. Returns null for
 * an unsigned or redacted reservation.
 */
async function certificateOf(scope: Scope, id: string | null): Promise<HostReservation['certificate']> {
  const signature = id ? await repository.findSignatureColumnsForCertificateCopyLink(scope, id) : null;
  const access = signature && decidePdfAccess('team', signature);
  return access === 'granted' || access === 'unsealed'
    ? { id: signature?.id ?? '', pdf_available: access === 'granted' }
    : null;
}

const replyKind = (kind: string | null) => GUEST_REPLY_KINDS.find((one) => one === kind) ?? null;

/** Returns the guest's reply with its message, which is stored in the trail. */
async function guestReply(
  scope: Scope,
  row: ReservationWithPropertyAndPacket['row'],
): Promise<HostReservation['guest_reply']> {
  const kind = replyKind(row.guest_reply);
  if (!kind || !row.guest_reply_at) return null;
  const entry = (await listTrailEntries(scope, row.id)).findLast(({ type }) => type === `guest.${kind}`);
  const message = entry && trailEntryDataJsonColumn.read(entry.data).guest_message;
  return { kind, at: row.guest_reply_at.toISOString(), message: typeof message === 'string' ? message : '' };
}

/** Marks the guest's message as handled by the host. Does nothing if there is no message. */
export async function markGuestReplyHandled(scope: Scope, id: string): Promise<ReservationWithPropertyAndPacket> {
  const result = await applyReservationTransition(
    scope,
    id,
    (facts) => (facts.guest_reply ? createReservationDecisionKeepingStatus() : RESERVATION_UNCHANGED_DECISION),
    {
      columns: { guest_reply: null, guest_reply_at: null },
      trail: () => [{ type: 'guest.reply_settled' }],
    },
  );
  return result.loaded;
}

const NOTHING_LEFT: Record<HostAction, Refusal> = {
  send: createRefusal('was_sent_already'),
  resend: createRefusal('nothing_to_send_again'),
  update: createRefusal('nothing_to_change'),
  change_dates: createRefusal('nothing_to_change'),
  correct_guest: createRefusal('nothing_to_change'),
  cancel: createRefusal('cancelled_already'),
  ignore: createRefusal('set_aside_already'),
  restore: createRefusal('neither_cancelled_nor_set_aside'),
  sign_manually: createRefusal('signed_already'),
  override_arrival: createRefusal('nothing_is_withheld'),
  delete: createRefusal('gone_already'),
};

const whyNot = (action: HostAction, code: ErrorCode | null): Refusal | null => {
  if (action === 'update' && code === 'reservation_not_editable') return createRefusal('already_sent_correct_guest');
  if (action === 'change_dates' && code === 'reservation_not_editable') return CALENDAR_MANAGED_DATES_REFUSAL;
  return code ? findRefusalForCode(code) : NOTHING_LEFT[action];
};

/** Returns whether each action is allowed, and the reason if it is not. */
function answers(
  actions: Record<HostAction, HostActionAvailability>,
): ResultWithUntranslatedRefusals<HostReservation>['actions'] {
  const entries = Object.entries(actions) as [HostAction, HostActionAvailability][];
  return Object.fromEntries(
    entries.map(([action, answer]) => [
      action,
      answer.allowed ? answer : { ...answer, message: whyNot(action, answer.code) },
    ]),
  ) as ResultWithUntranslatedRefusals<HostReservation>['actions'];
}

/**
 * Returns the link that the host can send in a channel's own messages when the guest's email
 * address is unknown. Always returns the same link. Throws reservation_not_sendable when the
 * address is known, because the packet is then mailed.
 */
export async function createShareableSigningLink(scope: Scope, id: string): Promise<string> {
  const { row, property, now } = await loadReservation(scope, id);
  if (row.guest_email !== null) {
    throw new AppError('reservation_not_sendable', { message: createRefusal('address_is_known') });
  }
  const generation = Math.max(row.share_generation, 1);
  if (row.share_generation === 0) {
    await inTransaction(scope, async () => {
      const columns = { share_generation: 1, share_token_hash: hashLinkToken('share', id, 1) };
      if (!(await repository.saveReservationIfVersionUnchanged(scope, id, row.version, columns)))
        throw new AppError('concurrent_edit');
      await appendTrailEntries(scope, id, [{ type: 'share_link.created' }], now);
    });
  }
  return buildReservationShareUrl(property, id, generation);
}
