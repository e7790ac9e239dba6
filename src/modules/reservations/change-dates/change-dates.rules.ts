/**
 * Changes the dates of a stay whose guest already has the packet. The sent packet contains the old
 * dates, so a new reservation replaces the old one. Pure.
 */
import * as lifecycle from '../rules/lifecycle';
import {
  AWAITING_SIGNATURE_STATUSES,
  createReservationTransitionRefusal,
  type ReservationFactsForRules,
  type ReservationRuleContext,
  type ReservationTransitionDecision,
} from '../rules/transitions';

export interface NewStayDates {
  checkin_date: string;
  checkout_date: string;
}

/**
 * Decides whether a reservation may be replaced, and returns the cancellation of the old one.
 * Refuses with reservation_not_sent (an unsent reservation can be edited), reservation_cancelled,
 * reservation_already_signed, reservation_expired, legal_hold, reservation_not_editable (its dates
 * come from a calendar), reservation_not_sendable, packet_empty and guest_email_missing.
 */
export function decideDateChange(
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  now: Date,
): ReservationTransitionDecision {
  if (facts.status === 'draft' || facts.status === 'synced')
    return createReservationTransitionRefusal('reservation_not_sent');
  if (facts.status === 'ignored') return createReservationTransitionRefusal('reservation_cancelled');
  const cancelled = lifecycle.cancel(facts, context, 'host', now);
  if (cancelled.kind !== 'change' || !AWAITING_SIGNATURE_STATUSES.includes(facts.status)) return cancelled;
  if (facts.sync_source_id !== null) return createReservationTransitionRefusal('reservation_not_editable');
  if (!context.has_active_packet) return createReservationTransitionRefusal('reservation_not_sendable');
  if (context.host_sends_nothing) return createReservationTransitionRefusal('packet_empty');
  return facts.guest_email === null ? createReservationTransitionRefusal('guest_email_missing') : cancelled;
}

/**
 * Makes the same decision as `decideDateChange`, but for given dates. Refuses unchanged dates with
 * invalid_field.
 */
export function decideChangeToNewStayDates(
  dates: NewStayDates,
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  now: Date,
): ReservationTransitionDecision {
  const decision = decideDateChange(facts, context, now);
  if (decision.kind !== 'change') return decision;
  if (dates.checkout_date <= dates.checkin_date)
    return createReservationTransitionRefusal('invalid_date_range', 'checkout_date');
  const same = dates.checkin_date === facts.checkin_date && dates.checkout_date === facts.checkout_date;
  return same ? createReservationTransitionRefusal('invalid_field', 'checkin_date') : decision;
}
