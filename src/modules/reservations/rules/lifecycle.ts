/**
 * The verbs of a reservation (DESIGN "Reservation status"). Pure: the row, its surroundings and `now` go in; a change
 * with its events, `unchanged`, or a refusal comes out. The service saves a change only where the row still has an
 * `expected` status, and records the events in the same transaction. What is possible in which status is the table in
 * transitions.ts; here are the conditions beyond the status.
 */
import { AppError } from '@/shared/errors';
import { isCheckinAhead, isStayOver } from '@/shared/zoned-time';
import type { ArrivalDecision, ArrivalFacts } from './arrival-release';
import * as arrival from './arrival-release';
import {
  type CancelReason,
  type Decision,
  type Refused,
  type ReservationChange,
  type ReservationColumns,
  type ReservationContext,
  type ReservationFacts,
  refuse,
  start,
  type Unchanged,
  unchanged,
  WITH_THE_GUEST,
} from './transitions';

/** Adds what the arrival rules decided to a change, so that both are saved and told together. */
function withArrival(change: ReservationChange, decision: ArrivalDecision): ReservationChange {
  if (decision.kind !== 'change') return change;
  return {
    ...change,
    changes: { ...change.changes, ...decision.changes },
    events: decision.event ? [...change.events, decision.event] : change.events,
  };
}

/** The row as the arrival rules read it. */
export function arrivalFacts(facts: ReservationFacts, context: Pick<ReservationContext, 'packet'>): ArrivalFacts {
  return { ...facts, packet: context.packet };
}

// --- the verbs, in the order in which a reservation meets them ---------------------------------------------------------

/**
 * PATCH: the given fields that differ. Unchanged when none does. Allowed in draft and synced.
 * Refuses with reservation_not_editable, invalid_date_range (`checkout_date`).
 */
export function update(
  facts: ReservationFacts,
  patch: {
    packet_id?: string | null;
    guest_name?: string;
    guest_email?: string;
    locale?: string | null;
    checkin_date?: string;
    checkout_date?: string;
  },
): Decision {
  const decision = start('update', facts);
  if (decision.kind !== 'change') return decision;
  const dates = {
    checkin_date: patch.checkin_date ?? facts.checkin_date,
    checkout_date: patch.checkout_date ?? facts.checkout_date,
  };
  if (dates.checkout_date <= dates.checkin_date) return refuse('invalid_date_range', 'checkout_date');
  const changes: Partial<ReservationColumns> = { ...newDates(facts, dates) };
  if (patch.packet_id !== undefined && patch.packet_id !== facts.packet_id) changes.packet_id = patch.packet_id;
  if (patch.guest_name !== undefined && patch.guest_name !== facts.guest_name) changes.guest_name = patch.guest_name;
  if (patch.guest_email !== undefined && patch.guest_email !== facts.guest_email) {
    changes.guest_email = patch.guest_email;
  }
  // What is shown may be sent back, and a guess stays one; what is said puts an end to it.
  if (patch.locale !== undefined && patch.locale !== (facts.locale ?? facts.guest_locale)) {
    changes.locale = patch.locale;
    changes.guest_locale = null;
  }
  return Object.keys(changes).length === 0 ? unchanged : { ...decision, changes };
}

/**
 * A calendar run moved the booking's dates. They move in every status, so that reminders and alerts follow, but never
 * for a reservation that is signed, redacted or under legal hold (specification "Sync run behaviour").
 */
export function moveDates(
  facts: ReservationFacts,
  dates: { checkin_date: string; checkout_date: string },
  now: Date,
): ReservationChange | Unchanged {
  if (facts.status === 'signed' || facts.redacted || facts.legal_hold) return unchanged;
  const changes: Partial<ReservationColumns> = newDates(facts, dates);
  if (Object.keys(changes).length === 0) return unchanged;
  if (WITH_THE_GUEST.includes(facts.status)) changes.dates_changed_after_send_at = now;
  return { kind: 'change', changes, events: [], mints_token: false };
}

/** The date columns that differ. With a new check-in the reminders and the late alert start anew. */
function newDates(facts: ReservationFacts, dates: { checkin_date: string; checkout_date: string }) {
  const changes: Partial<ReservationColumns> = {};
  if (dates.checkout_date !== facts.checkout_date) changes.checkout_date = dates.checkout_date;
  if (dates.checkin_date !== facts.checkin_date) {
    changes.checkin_date = dates.checkin_date;
    changes.reminder_24h_sent_at = null;
    changes.reminder_2h_sent_at = null;
    changes.late_notified_at = null;
  }
  return changes;
}

/** DELETE: whether the row may go. Refuses with reservation_not_deletable, legal_hold. A change here means: delete. */
export function remove(facts: ReservationFacts): Decision {
  const decision = start('delete', facts);
  if (decision.kind === 'change' && facts.legal_hold) return refuse('legal_hold');
  return decision;
}

/** What keeps any packet from going out, or null. */
function deliveryRefusal(facts: ReservationFacts, context: ReservationContext, now: Date): Refused | null {
  if (isStayOver(facts.checkout_date, context.timezone, now)) return refuse('stay_ended');
  if (!context.has_active_packet) return refuse('reservation_not_sendable');
  if (facts.guest_email === null) return refuse('guest_email_missing');
  return null;
}

function delivered(change: ReservationChange, context: ReservationContext, now: Date): ReservationChange {
  const { selfie_required, otp_required } = context;
  return {
    ...change,
    changes: { ...change.changes, sent_at: now, selfie_required, otp_required, dates_changed_after_send_at: null },
    events: [{ type: 'reservation.sent' }],
    mints_token: true,
  };
}

/**
 * Send and auto-send. Sending again what the guest already has is unchanged and mails nothing.
 * Refuses with reservation_expired, reservation_cancelled, stay_ended, reservation_not_sendable, guest_email_missing.
 */
export function send(facts: ReservationFacts, context: ReservationContext, now: Date): Decision {
  const decision = start('send', facts);
  if (decision.kind === 'change') return deliveryRefusal(facts, context, now) ?? delivered(decision, context, now);
  // A sweep turns these into `expired` soon; until then the answer must not claim that the guest's link works.
  if (WITH_THE_GUEST.includes(facts.status) && isStayOver(facts.checkout_date, context.timezone, now)) {
    return refuse('stay_ended');
  }
  return decision;
}

/**
 * The address that nobody knew, with the language of whoever gave it: kept and sent to, or neither; unchanged where it was sent to that
 * very address already. Refuses as update and send.
 */
export function sendTo(
  facts: ReservationFacts,
  guest: { guest_email: string; guest_locale: string },
  context: ReservationContext,
  now: Date,
): Decision {
  if (facts.guest_email === guest.guest_email && WITH_THE_GUEST.includes(facts.status)) return unchanged;
  const updated = update(facts, { guest_email: guest.guest_email });
  if (updated.kind === 'refused') return updated;
  const sent = send({ ...facts, ...guest }, context, now);
  return sent.kind === 'change' ? { ...sent, changes: { ...guest, ...sent.changes } } : sent;
}

/**
 * Resend: a new token and mail. An expired reservation whose stay is not over (its dates moved) starts afresh as sent.
 * Refuses with reservation_not_sent, reservation_already_signed, reservation_cancelled, stay_ended,
 * reservation_not_sendable, guest_email_missing.
 */
export function resend(facts: ReservationFacts, context: ReservationContext, now: Date): Decision {
  const decision = start('resend', facts);
  if (decision.kind !== 'change') return decision;
  const refused = deliveryRefusal(facts, context, now);
  if (refused) return refused;
  const change = delivered(decision, context, now);
  if (facts.status !== 'expired') return change;
  return { ...change, changes: { ...change.changes, opened_at: null, clicked_at: null, expired_at: null } };
}

/** The mail was opened (pixel or provider event). Whatever else the reservation is, a late pixel is no error. */
export function markOpened(facts: ReservationFacts, now: Date): ReservationChange | Unchanged {
  const decision = start('mark_opened', facts);
  if (decision.kind !== 'change') return unchanged;
  return { ...decision, changes: { ...decision.changes, opened_at: now } };
}

/**
 * A human saw the guest page. The first view of the unsigned packet is the click, and holds the arrival details; a later
 * one holds those that the host added or closed since. A signed guest who comes back views what was released. Any other
 * view changes nothing. Not to be called for the page
 * that answers the signature itself: that is not coming back.
 */
export function humanView(
  facts: ReservationFacts,
  context: ReservationContext,
  now: Date,
): ReservationChange | Unchanged {
  const decision = start('view', facts);
  if (decision.kind !== 'change') return unchanged;
  if (facts.status === 'signed') {
    const change = withArrival(decision, arrival.view(arrivalFacts(facts, context), now));
    return change.events.length === 0 ? unchanged : change;
  }
  if (isStayOver(facts.checkout_date, context.timezone, now)) return unchanged;
  const held = arrival.hold(arrivalFacts(facts, context), now);
  if (facts.status === 'clicked') return held.kind === 'change' ? withArrival(decision, held) : unchanged;
  const clicked: ReservationChange = {
    ...decision,
    changes: { ...decision.changes, clicked_at: now },
    events: [{ type: 'reservation.clicked' }],
  };
  return withArrival(clicked, held);
}

/**
 * The guest signs what was shown. A form posted without JavaScript is also the first view: call humanView before, in
 * the same transaction, when `clicked_at` is null.
 * Refuses with reservation_not_sent, reservation_already_signed, reservation_expired, reservation_cancelled, stay_ended.
 */
export function sign(
  facts: ReservationFacts,
  context: ReservationContext,
  input: { signature_id: string },
  now: Date,
): Decision {
  const decision = start('sign', facts);
  if (decision.kind !== 'change') return decision;
  if (isStayOver(facts.checkout_date, context.timezone, now)) return refuse('stay_ended');
  const { signature_id } = input;
  return signedChange(decision, facts, context, { signature_id, manual_override: false }, now);
}

/** The host marks the reservation as signed: no certificate. Refuses with reservation_already_signed, reservation_cancelled. */
export function signManually(facts: ReservationFacts, context: ReservationContext, now: Date): Decision {
  const decision = start('sign_manually', facts);
  if (decision.kind !== 'change') return decision;
  return signedChange(decision, facts, context, { signature_id: null, manual_override: true }, now);
}

function signedChange(
  change: ReservationChange,
  facts: ReservationFacts,
  context: ReservationContext,
  how: { signature_id: string | null; manual_override: boolean },
  now: Date,
): ReservationChange {
  const result: ReservationChange = {
    ...change,
    changes: { ...change.changes, ...how, signed_at: now },
    events: [{ type: 'reservation.signed', certificate_id: how.signature_id }],
  };
  return withArrival(result, arrival.release(arrivalFacts(facts, context), now));
}

/** The check-out day is over in the property's zone: an unsigned reservation expires, its token is dead. No event. */
export function expire(
  facts: ReservationFacts,
  context: Pick<ReservationContext, 'timezone'>,
  now: Date,
): ReservationChange | Unchanged {
  const decision = start('expire', facts);
  if (decision.kind !== 'change' || !isStayOver(facts.checkout_date, context.timezone, now)) return unchanged;
  return { ...decision, changes: { ...decision.changes, expired_at: now } };
}

/**
 * Cancel, by the API, a host, or a booking that left a healthy feed. Cancelling again is unchanged. A feed never
 * cancels what it may not touch (signed, expired, redacted, legal hold) or a stay whose check-in day has come: then
 * unchanged. Refuses with reservation_already_signed, reservation_expired, legal_hold.
 */
export function cancel(
  facts: ReservationFacts,
  context: Pick<ReservationContext, 'timezone'>,
  reason: CancelReason,
  now: Date,
): Decision {
  const decision = start('cancel', facts);
  const byFeed = reason === 'feed_removed';
  if (decision.kind === 'refused') return byFeed ? unchanged : decision;
  if (decision.kind === 'unchanged') return unchanged;
  if (byFeed && (facts.redacted || !isCheckinAhead(facts.checkin_date, context.timezone, now))) return unchanged;
  if (facts.legal_hold) return byFeed ? unchanged : refuse('legal_hold');
  return {
    ...decision,
    changes: { ...decision.changes, cancelled_at: now, cancel_reason: reason },
    events: [{ type: 'reservation.cancelled', reason }],
  };
}

/**
 * The host sets a reservation aside that nobody was sent yet; restore undoes it. No event.
 * Refuses with reservation_not_editable (with the guest already: cancel it), reservation_already_signed,
 * reservation_expired, legal_hold.
 */
export function ignore(facts: ReservationFacts): Decision {
  const decision = start('ignore', facts);
  if (decision.kind === 'change' && facts.legal_hold) return refuse('legal_hold');
  return decision;
}

/**
 * The host takes an ignored or cancelled reservation back: it is again as it began, unsent. What the guest saw of the
 * arrival details stays recorded, since those events happen once. The old link stays dead (a send mints another).
 * Refuses with reservation_already_signed, reservation_expired.
 */
export function restore(facts: ReservationFacts): Decision {
  const decision = start('restore', facts);
  if (decision.kind !== 'change') return decision;
  const fresh = { cancelled_at: null, cancel_reason: null, sent_at: null, opened_at: null, clicked_at: null };
  return { ...decision, changes: { ...decision.changes, ...fresh, dates_changed_after_send_at: null } };
}

/**
 * A booking that its calendar had removed is in it again. What was with the guest is with the guest again, under the link
 * they have; what was never sent is as it began.
 */
export function comeBack(facts: ReservationFacts): Decision {
  const decision = restore(facts);
  if (decision.kind !== 'change' || facts.sent_at === null) return decision;
  const status = facts.clicked_at ? 'clicked' : facts.opened_at ? 'opened' : 'sent';
  return { ...decision, changes: { status, cancelled_at: null, cancel_reason: null } };
}

/** A host releases arrival details early (DESIGN "Arrival release"); the errors are those of arrival-release's override. */
export function overrideArrival(
  facts: ReservationFacts,
  context: ReservationContext,
  input: arrival.OverrideInput,
  now: Date,
): Decision {
  const decision = arrival.override(arrivalFacts(facts, context), input, now);
  if (decision.kind !== 'change') return decision;
  const still: ReservationChange = {
    kind: 'change',
    changes: {},
    events: [],
    mints_token: false,
  };
  return withArrival(still, decision);
}

/** The decision, or the AppError it refuses with. */
export function accept<D extends Decision>(decision: D): Exclude<D, Refused> {
  if (decision.kind === 'refused') throw new AppError(decision.code, { param: decision.param });
  return decision as Exclude<D, Refused>;
}

/** The row as it is once the change is saved; for a second decision in the same transaction. */
export function apply(facts: ReservationFacts, decision: Decision): ReservationFacts {
  return decision.kind === 'change' ? { ...facts, ...decision.changes } : facts;
}
