/**
 * The operations on a reservation (design "Reservation status"). Each takes the row, its context
 * and `now`, and returns a change with events, `RESERVATION_UNCHANGED_DECISION` or a refusal. The
 * service saves a change only while the row still has the expected status, and records the events
 * in the same transaction. transitions.ts has the table of statuses, and this module adds the other
 * conditions. Pure.
 */
import { applyMetadataChange, isSameMetadata } from '@/shared/changed-metadata';
import { AppError } from '@/shared/errors';
import type { MetadataChange } from '@/shared/metadata';
import { hasCheckoutDayEnded, isCheckinAhead } from '@/shared/zoned-time';
import type { ArrivalReleaseDecision, ArrivalReleaseFactsForRules } from './arrival-release';
import * as arrival from './arrival-release';
import {
  AWAITING_SIGNATURE_STATUSES,
  type CancelReason,
  createReservationDecisionKeepingStatus,
  createReservationTransitionRefusal,
  lookUpReservationTransition,
  RESERVATION_UNCHANGED_DECISION,
  type ReservationChangeDecision,
  type ReservationFactsForRules,
  type ReservationRuleContext,
  type ReservationTransitionColumns,
  type ReservationTransitionDecision,
  type ReservationTransitionRefusal,
  type ReservationUnchangedDecision,
} from './transitions';

/** Adds the decision of the arrival rules to a change, so that both are saved together. */
function withArrival(change: ReservationChangeDecision, decision: ArrivalReleaseDecision): ReservationChangeDecision {
  if (decision.kind !== 'change') return change;
  return {
    ...change,
    changes: { ...change.changes, ...decision.changes },
    events: decision.event ? [...change.events, decision.event] : change.events,
  };
}

/** Returns the row's facts for the arrival rules. */
export function toArrivalReleaseFactsForRules(
  facts: ReservationFactsForRules,
  context: Pick<ReservationRuleContext, 'packet'>,
): ArrivalReleaseFactsForRules {
  return { ...facts, packet: context.packet };
}

// --- the operations, in the order of a reservation's life ---

/**
 * Updates the given fields that differ (PATCH). Unchanged when no field differs. Allowed in draft
 * and synced. Refuses with reservation_not_editable, invalid_date_range (`checkout_date`), and
 * invalid_field (`external_id`) when a calendar or a mail created the reservation. Throws
 * invalid_field (`metadata`) for too many keys.
 */
export function decideReservationFieldUpdate(
  facts: ReservationFactsForRules,
  patch: {
    packet_id?: string | null;
    guest_name?: string;
    guest_email?: string;
    locale?: string | null;
    external_id?: string | null;
    metadata?: MetadataChange;
    checkin_date?: string;
    checkout_date?: string;
  },
): ReservationTransitionDecision {
  const decision = lookUpReservationTransition('update', facts);
  if (decision.kind !== 'change') return decision;
  const dates = {
    checkin_date: patch.checkin_date ?? facts.checkin_date,
    checkout_date: patch.checkout_date ?? facts.checkout_date,
  };
  if (dates.checkout_date <= dates.checkin_date)
    return createReservationTransitionRefusal('invalid_date_range', 'checkout_date');
  const changes = { ...newDates(facts, dates), ...guestChanges(facts, patch) };
  if (patch.packet_id !== undefined && patch.packet_id !== facts.packet_id) changes.packet_id = patch.packet_id;
  if (patch.external_id !== undefined && patch.external_id !== facts.external_id) {
    // Calendars and mails identify their booking by this id.
    if (facts.external_source !== null) return createReservationTransitionRefusal('invalid_field', 'external_id');
    changes.external_id = patch.external_id;
  }
  if (patch.metadata !== undefined) {
    const metadata = applyMetadataChange(facts.metadata, patch.metadata);
    if (!isSameMetadata(metadata, facts.metadata)) changes.metadata = metadata;
  }
  return Object.keys(changes).length === 0 ? RESERVATION_UNCHANGED_DECISION : { ...decision, changes };
}

/** Returns the guest's columns that change. */
function guestChanges(
  facts: ReservationFactsForRules,
  patch: GuestDetailsCorrection,
): Partial<ReservationTransitionColumns> {
  const changes: Partial<ReservationTransitionColumns> = {};
  if (patch.guest_name !== undefined && patch.guest_name !== facts.guest_name) changes.guest_name = patch.guest_name;
  if (patch.guest_email !== undefined && patch.guest_email !== facts.guest_email) {
    changes.guest_email = patch.guest_email;
  }
  // A client may send back the language that it received. A guessed language must then remain a
  // guess.
  if (patch.locale !== undefined && patch.locale !== (facts.locale ?? facts.guest_locale)) {
    changes.locale = patch.locale;
    changes.guest_locale = null;
  }
  if (patch.guest_phone_last4 !== undefined && patch.guest_phone_last4 !== facts.guest_phone_last4) {
    changes.guest_phone_last4 = patch.guest_phone_last4;
  }
  return changes;
}

/**
 * Changes the dates to those of the calendar, in every status. Reminders and alerts then use the
 * new dates. Unchanged when the reservation is signed, redacted or under legal hold (specification
 * "Sync run behaviour").
 */
export function decideReservationDateChangeFromCalendar(
  facts: ReservationFactsForRules,
  dates: { checkin_date: string; checkout_date: string },
  now: Date,
): ReservationChangeDecision | ReservationUnchangedDecision {
  if (facts.status === 'signed' || facts.redacted || facts.legal_hold) return RESERVATION_UNCHANGED_DECISION;
  const changes: Partial<ReservationTransitionColumns> = newDates(facts, dates);
  if (Object.keys(changes).length === 0) return RESERVATION_UNCHANGED_DECISION;
  if (AWAITING_SIGNATURE_STATUSES.includes(facts.status)) changes.dates_changed_after_send_at = now;
  return createReservationDecisionKeepingStatus(changes);
}

/** Returns the date columns that change. A new check-in resets the reminders and the late alert. */
function newDates(facts: ReservationFactsForRules, dates: { checkin_date: string; checkout_date: string }) {
  const changes: Partial<ReservationTransitionColumns> = {};
  if (dates.checkout_date !== facts.checkout_date) changes.checkout_date = dates.checkout_date;
  if (dates.checkin_date !== facts.checkin_date) {
    changes.checkin_date = dates.checkin_date;
    changes.reminder_24h_sent_at = null;
    changes.reminder_2h_sent_at = null;
    changes.late_notified_at = null;
  }
  return changes;
}

/**
 * Decides whether the row may be deleted (DELETE). Returns a change if it may. Refuses with
 * reservation_not_deletable and legal_hold.
 */
export function decideReservationDeletion(facts: ReservationFactsForRules): ReservationTransitionDecision {
  const decision = lookUpReservationTransition('delete', facts);
  if (decision.kind === 'change' && facts.legal_hold) return createReservationTransitionRefusal('legal_hold');
  return decision;
}

/** Returns why no packet can be sent, or null. */
function deliveryRefusal(
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  now: Date,
): ReservationTransitionRefusal | null {
  if (hasCheckoutDayEnded(facts.checkout_date, context.timezone, now))
    return createReservationTransitionRefusal('stay_ended');
  if (!context.has_active_packet) return createReservationTransitionRefusal('reservation_not_sendable');
  if (context.host_sends_nothing) return createReservationTransitionRefusal('packet_empty');
  if (facts.guest_email === null) return createReservationTransitionRefusal('guest_email_missing');
  return null;
}

function delivered(
  change: ReservationChangeDecision,
  context: ReservationRuleContext,
  now: Date,
): ReservationChangeDecision {
  const { selfie_required, otp_required } = context;
  return {
    ...change,
    changes: { ...change.changes, sent_at: now, selfie_required, otp_required, dates_changed_after_send_at: null },
    events: [{ type: 'reservation.sent' }],
    mints_token: true,
  };
}

/**
 * Sends the packet, manually or automatically. Unchanged, without a mail, when the guest already
 * has it. Refuses with reservation_expired, reservation_cancelled, stay_ended,
 * reservation_not_sendable, packet_empty and guest_email_missing.
 */
export function send(
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  now: Date,
): ReservationTransitionDecision {
  const decision = lookUpReservationTransition('send', facts);
  if (decision.kind === 'change') return deliveryRefusal(facts, context, now) ?? delivered(decision, context, now);
  // The link stops working when the stay is over, even before the sweep expires the reservation.
  // The response must not claim that the link works.
  if (
    AWAITING_SIGNATURE_STATUSES.includes(facts.status) &&
    hasCheckoutDayEnded(facts.checkout_date, context.timezone, now)
  ) {
    return createReservationTransitionRefusal('stay_ended');
  }
  return decision;
}

/**
 * Stores the email address of a guest whose address was unknown, with the language of the person
 * who entered it, and sends the packet. Makes both changes or neither. Unchanged when the packet
 * was already sent to that address. Refuses like update and send.
 */
export function storeMissingGuestEmailAndSendPacket(
  facts: ReservationFactsForRules,
  guest: { guest_email: string; guest_locale: string },
  context: ReservationRuleContext,
  now: Date,
): ReservationTransitionDecision {
  if (facts.guest_email === guest.guest_email && AWAITING_SIGNATURE_STATUSES.includes(facts.status))
    return RESERVATION_UNCHANGED_DECISION;
  const updated = decideReservationFieldUpdate(facts, { guest_email: guest.guest_email });
  if (updated.kind === 'refused') return updated;
  const sent = send({ ...facts, ...guest }, context, now);
  return sent.kind === 'change' ? { ...sent, changes: { ...guest, ...sent.changes } } : sent;
}

/**
 * Sends again with a new token and mail. An expired reservation whose stay is not over, because its
 * dates changed, is sent as if for the first time. Refuses with reservation_not_sent,
 * reservation_already_signed, reservation_cancelled, stay_ended, reservation_not_sendable,
 * packet_empty and guest_email_missing.
 */
export function resend(
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  now: Date,
): ReservationTransitionDecision {
  const decision = lookUpReservationTransition('resend', facts);
  if (decision.kind !== 'change') return decision;
  const refused = deliveryRefusal(facts, context, now);
  if (refused) return refused;
  const change = delivered(decision, context, now);
  if (facts.status !== 'expired') return change;
  return { ...change, changes: { ...change.changes, opened_at: null, clicked_at: null, expired_at: null } };
}

/** The details that a host may correct. Absent fields do not change. */
export interface GuestDetailsCorrection {
  guest_name?: string;
  guest_email?: string;
  locale?: string | null;
  guest_phone_last4?: string | null;
}

/**
 * Corrects the guest's details before the guest signs. If the guest already has the packet, it is
 * mailed again with a new link. A changed address sets the status to `sent` again, because the
 * person who opened the old mail was not this guest. A change of the phone number's digits sends no
 * mail. Unchanged when no field differs. Refuses with reservation_already_signed,
 * reservation_expired, reservation_cancelled, legal_hold, stay_ended, reservation_not_sendable,
 * packet_empty and guest_email_missing.
 */
export function correctGuestDetails(
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  correction: GuestDetailsCorrection,
  now: Date,
): ReservationTransitionDecision {
  const decision = lookUpReservationTransition('correct_guest', facts);
  if (decision.kind !== 'change') return decision;
  if (facts.legal_hold) return createReservationTransitionRefusal('legal_hold');
  const changes = guestChanges(facts, correction);
  const fields = Object.keys(changes);
  if (fields.length === 0) return RESERVATION_UNCHANGED_DECISION;
  const corrected = { ...decision, changes: { ...decision.changes, ...changes } };
  if (!AWAITING_SIGNATURE_STATUSES.includes(facts.status)) return corrected;
  if (fields.every((field) => field === 'guest_phone_last4')) return corrected;
  const refused = deliveryRefusal({ ...facts, ...changes }, context, now);
  if (refused) return refused;
  const mailed = delivered(corrected, context, now);
  if (changes.guest_email === undefined) return mailed;
  const unopened = { status: 'sent', opened_at: null, clicked_at: null } as const;
  return { ...mailed, changes: { ...mailed.changes, ...unopened } };
}

/**
 * Records that the mail was opened (tracking pixel or provider event). Changes nothing unless the
 * status is `sent`.
 */
export function decideChangeOnMailOpened(
  facts: ReservationFactsForRules,
  now: Date,
): ReservationChangeDecision | ReservationUnchangedDecision {
  const decision = lookUpReservationTransition('mark_opened', facts);
  if (decision.kind !== 'change') return RESERVATION_UNCHANGED_DECISION;
  return { ...decision, changes: { ...decision.changes, opened_at: now } };
}

/**
 * Records that a person viewed the guest page. The first view of the unsigned packet is recorded as
 * the click on the link, and the arrival details are recorded as held back. A later view does the
 * same for details that the host has added or withheld since. When a guest returns after signing,
 * the released details are recorded as viewed. Must not be called for the page that is shown right
 * after signing.
 */
export function decideChangeOnGuestPageViewed(
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  now: Date,
): ReservationChangeDecision | ReservationUnchangedDecision {
  const decision = lookUpReservationTransition('view', facts);
  if (decision.kind !== 'change') return RESERVATION_UNCHANGED_DECISION;
  if (facts.status === 'signed') {
    const change = withArrival(
      decision,
      arrival.markArrivalDetailsViewed(toArrivalReleaseFactsForRules(facts, context), now),
    );
    return change.events.length === 0 ? RESERVATION_UNCHANGED_DECISION : change;
  }
  if (hasCheckoutDayEnded(facts.checkout_date, context.timezone, now)) return RESERVATION_UNCHANGED_DECISION;
  const held = arrival.holdArrivalDetailsAfterFirstView(toArrivalReleaseFactsForRules(facts, context), now);
  if (facts.status === 'clicked')
    return held.kind === 'change' ? withArrival(decision, held) : RESERVATION_UNCHANGED_DECISION;
  const clicked: ReservationChangeDecision = {
    ...decision,
    changes: { ...decision.changes, clicked_at: now },
    events: [{ type: 'reservation.clicked' }],
  };
  return withArrival(clicked, held);
}

/**
 * Records the guest's signature. A form posted without JavaScript is also the first view: if
 * `clicked_at` is null, the caller must call decideChangeOnGuestPageViewed first, in the same
 * transaction. Refuses with reservation_not_sent, reservation_already_signed, reservation_expired,
 * reservation_cancelled and stay_ended.
 */
export function sign(
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  input: { signature_id: string },
  now: Date,
): ReservationTransitionDecision {
  const decision = lookUpReservationTransition('sign', facts);
  if (decision.kind !== 'change') return decision;
  if (hasCheckoutDayEnded(facts.checkout_date, context.timezone, now))
    return createReservationTransitionRefusal('stay_ended');
  const { signature_id } = input;
  return signedChange(decision, facts, context, { signature_id, manual_override: false }, now);
}

/**
 * Marks the reservation as signed, as declared by the host, without a certificate. Refuses with
 * reservation_already_signed and reservation_cancelled.
 */
export function markAsSignedWithoutCertificate(
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  now: Date,
): ReservationTransitionDecision {
  const decision = lookUpReservationTransition('sign_manually', facts);
  if (decision.kind !== 'change') return decision;
  return signedChange(decision, facts, context, { signature_id: null, manual_override: true }, now);
}

function signedChange(
  change: ReservationChangeDecision,
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  how: { signature_id: string | null; manual_override: boolean },
  now: Date,
): ReservationChangeDecision {
  const result: ReservationChangeDecision = {
    ...change,
    changes: { ...change.changes, ...how, signed_at: now },
    events: [{ type: 'reservation.signed', certificate_id: how.signature_id }],
  };
  return withArrival(
    result,
    arrival.releaseArrivalDetailsAfterSigning(toArrivalReleaseFactsForRules(facts, context), now),
  );
}

/** Expires an unsigned reservation and its link after the check-out day in the property's zone. */
export function expire(
  facts: ReservationFactsForRules,
  context: Pick<ReservationRuleContext, 'timezone'>,
  now: Date,
): ReservationChangeDecision | ReservationUnchangedDecision {
  const decision = lookUpReservationTransition('expire', facts);
  if (decision.kind !== 'change' || !hasCheckoutDayEnded(facts.checkout_date, context.timezone, now))
    return RESERVATION_UNCHANGED_DECISION;
  return {
    ...decision,
    changes: { ...decision.changes, expired_at: now },
    events: [{ type: 'reservation.expired' }],
  };
}

/**
 * Cancels the reservation for the API, a host, or a feed that no longer contains the booking.
 * Cancelling again is unchanged. A feed's cancellation is also unchanged when the reservation is
 * signed, expired, redacted or under legal hold, or the stay has begun. Refuses with
 * reservation_already_signed, reservation_expired and legal_hold.
 */
export function cancel(
  facts: ReservationFactsForRules,
  context: Pick<ReservationRuleContext, 'timezone'>,
  reason: CancelReason,
  now: Date,
): ReservationTransitionDecision {
  const decision = lookUpReservationTransition('cancel', facts);
  const byFeed = reason === 'feed_removed';
  if (decision.kind === 'refused') return byFeed ? RESERVATION_UNCHANGED_DECISION : decision;
  if (decision.kind === 'unchanged') return RESERVATION_UNCHANGED_DECISION;
  if (byFeed && (facts.redacted || !isCheckinAhead(facts.checkin_date, context.timezone, now)))
    return RESERVATION_UNCHANGED_DECISION;
  if (facts.legal_hold)
    return byFeed ? RESERVATION_UNCHANGED_DECISION : createReservationTransitionRefusal('legal_hold');
  return {
    ...decision,
    changes: { ...decision.changes, cancelled_at: now, cancel_reason: reason },
    events: [{ type: 'reservation.cancelled', reason }],
  };
}

/**
 * Ignores a reservation that was not sent. `restore` reverts it. Refuses with
 * reservation_not_editable (it was sent and must be cancelled instead), reservation_already_signed,
 * reservation_expired and legal_hold.
 */
export function ignore(facts: ReservationFactsForRules): ReservationTransitionDecision {
  const decision = lookUpReservationTransition('ignore', facts);
  if (decision.kind === 'change' && facts.legal_hold) return createReservationTransitionRefusal('legal_hold');
  return decision;
}

/**
 * Restores an ignored or cancelled reservation to its initial, unsent status. Earlier views of
 * arrival details remain recorded, because their events must be emitted only once. The old link
 * remains invalid, and sending creates a new one. Refuses with reservation_already_signed and
 * reservation_expired.
 */
export function restore(facts: ReservationFactsForRules): ReservationTransitionDecision {
  const decision = lookUpReservationTransition('restore', facts);
  if (decision.kind !== 'change') return decision;
  const fresh = { cancelled_at: null, cancel_reason: null, sent_at: null, opened_at: null, clicked_at: null };
  return { ...decision, changes: { ...decision.changes, ...fresh, dates_changed_after_send_at: null } };
}

/**
 * Restores a booking that is in its calendar again after it was removed. If it was sent, its status
 * and link are restored. Otherwise it gets its initial status.
 */
export function restoreReservationBackInCalendar(facts: ReservationFactsForRules): ReservationTransitionDecision {
  const decision = restore(facts);
  if (decision.kind !== 'change' || facts.sent_at === null) return decision;
  const status = facts.clicked_at ? 'clicked' : facts.opened_at ? 'opened' : 'sent';
  return { ...decision, changes: { status, cancelled_at: null, cancel_reason: null } };
}

/**
 * Releases arrival details early (design "Arrival release"). Refuses with the same codes as
 * arrival.override.
 */
export function overrideArrivalRelease(
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  input: arrival.ArrivalReleaseOverrideInput,
  now: Date,
): ReservationTransitionDecision {
  const decision = arrival.releaseArrivalDetailsEarly(toArrivalReleaseFactsForRules(facts, context), input, now);
  return decision.kind === 'change' ? withArrival(createReservationDecisionKeepingStatus(), decision) : decision;
}

/** Returns the decision, or throws the AppError of a refusal. */
export function throwIfTransitionRefused<D extends ReservationTransitionDecision>(
  decision: D,
): Exclude<D, ReservationTransitionRefusal> {
  if (decision.kind === 'refused') throw new AppError(decision.code, { param: decision.param });
  return decision as Exclude<D, ReservationTransitionRefusal>;
}

/** Returns the row after the change, for a second decision in the same transaction. */
export function applyTransitionDecision(
  facts: ReservationFactsForRules,
  decision: ReservationTransitionDecision,
): ReservationFactsForRules {
  return decision.kind === 'change' ? { ...facts, ...decision.changes } : facts;
}
