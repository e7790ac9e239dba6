/**
 * Decides what happens with a forwarded mail: it creates a reservation, adds facts to a calendar's
 * reservation, waits in the inbox, or changes nothing. The decision depends on the mail's facts,
 * the property's reservations and the date (design "Forwarded mail"). Pure.
 */
import {
  getReservationCodeFromExternalId,
  hasConflictingGuestNames,
  hasReservationCodeOtherThan,
  isPlaceholderGuestName,
} from '@/modules/sync-sources/plan/guest-identity';
import type { StoredBooking } from '@/modules/sync-sources/plan/match-bookings';
import type { ReservationExtractionResult } from './extractors/extract';

/** A reservation of the mail's property, from any source. */
export interface ReservationToMatchWithMail
  extends Pick<
    StoredBooking,
    | 'id'
    | 'external_id'
    | 'external_uid'
    | 'guest_name'
    | 'checkin_date'
    | 'checkout_date'
    | 'status'
    | 'signed'
    | 'manual_override'
    | 'redacted'
    | 'legal_hold'
  > {
  readonly source: 'channel_a' | 'channel_b' | 'channel_c' | 'direct';
  readonly guest_email: string | null;
  readonly language_known: boolean;
}

export interface ForwardedMailActionRuleInput {
  readonly extraction: ReservationExtractionResult;
  /**
   * Whether a DKIM signature proves that the channel sent the mail. False when a person forwarded
   * it.
   */
  readonly verified: boolean;
  readonly automatic_reply: boolean;
  readonly bounce: boolean;
  readonly loop: boolean;
  /** Whether the mail is Gmail's request to confirm forwarding. */
  readonly forwarding_confirmation: boolean;
  readonly candidates: readonly ReservationToMatchWithMail[];
  readonly today: string;
}

export type ReasonForPuttingMailInInbox =
  | 'forwarding_confirmation'
  | 'not_verified'
  | 'not_a_confirmation'
  | 'cancellation'
  | 'change'
  | 'unknown_channel'
  | 'ambiguous_dates'
  | 'missing_name'
  | 'missing_dates'
  | 'dates_differ'
  | 'overlaps_another'
  | 'several_match'
  | 'reservation_ended'
  | 'stay_over';

/** Facts to add to a reservation. Excludes facts that a person entered or a guest signed. */
export interface ReservationFactsFromMail {
  readonly guest_email?: string;
  readonly guest_email_relay?: boolean;
  readonly guest_name?: string;
  readonly external_id?: string;
  readonly guest_language?: string;
}

export type ForwardedMailActionDecision =
  | { readonly action: 'create' }
  | { readonly action: 'fill'; readonly reservation_id: string; readonly fill: ReservationFactsFromMail }
  /** The mail changes nothing: the reservation already has all facts, or must not be changed. */
  | { readonly action: 'nothing'; readonly reservation_id: string; readonly reason: 'already_known' | 'protected' }
  | { readonly action: 'inbox'; readonly reason: ReasonForPuttingMailInInbox; readonly reservation_id: string | null }
  | { readonly action: 'dismiss'; readonly reason: 'automatic_reply' | 'bounce' | 'loop' };

/**
 * Decides what happens with one mail. If the decision is `inbox`, the host sees the reservation
 * with `reservation_id` as a suggestion.
 */
export function decideForwardedMailAction(input: ForwardedMailActionRuleInput): ForwardedMailActionDecision {
  if (input.loop) return { action: 'dismiss', reason: 'loop' };
  if (input.bounce) return { action: 'dismiss', reason: 'bounce' };
  if (input.automatic_reply) return { action: 'dismiss', reason: 'automatic_reply' };

  const { extraction } = input;
  const match = findReservation(extraction, input.candidates);
  const inbox = (reason: ReasonForPuttingMailInInbox): ForwardedMailActionDecision => ({
    action: 'inbox',
    reason,
    reservation_id: match.kind === 'one' ? match.row.id : null,
  });
  if (input.forwarding_confirmation) return inbox('forwarding_confirmation');
  if (extraction.intent === 'cancellation' || extraction.intent === 'change') return inbox(extraction.intent);
  if (extraction.intent !== 'confirmation') return inbox('not_a_confirmation');
  if (extraction.ambiguous_dates) return inbox('ambiguous_dates');
  if (!extraction.checkin_date || !extraction.checkout_date) return inbox('missing_dates');
  if (!extraction.guest_name) return inbox('missing_name');
  if (extraction.channel === null) return inbox('unknown_channel');
  if (!input.verified) return inbox('not_verified');
  if (extraction.codes_differ) return { action: 'inbox', reason: 'several_match', reservation_id: null };

  if (match.kind === 'several') return inbox('several_match');
  if (match.kind === 'overlap') return inbox('overlaps_another');
  if (match.kind === 'one') return fillOrNot(match.row, match.by, extraction);
  return extraction.checkout_date <= input.today ? inbox('stay_over') : { action: 'create' };
}

/**
 * A change that a mail would make to a reservation. It is applied when the host agrees, or
 * automatically if the source allows it.
 */
export type ReservationChangeProposal = { readonly reservation_id: string } & (
  | { readonly what: 'cancel' }
  | {
      readonly what: 'move';
      readonly was: { readonly checkin_date: string; readonly checkout_date: string };
      readonly checkin_date: string;
      readonly checkout_date: string;
    }
);

/**
 * Returns the change that a cancellation or change mail makes to the reservation with the mail's
 * code. Returns null when a host must decide: the mail is not verified or not conclusive, the code
 * does not match exactly one reservation, or the reservation may not be changed.
 */
export function proposeReservationChange(
  extraction: ReservationExtractionResult,
  verified: boolean,
  candidates: readonly ReservationToMatchWithMail[],
  today: string,
): ReservationChangeProposal | null {
  const match = findReservation(extraction, candidates);
  if (!verified || !extraction.conclusive || match.kind !== 'one' || match.by !== 'code') return null;
  const { row } = match;
  if (isSettled(row) || row.status === 'ignored' || row.status === 'expired') return null;
  if (hasConflictingGuestNames(row.guest_name, extraction.guest_name)) return null;
  if (extraction.intent === 'cancellation') {
    return isOfOtherNights(row, extraction) ? null : { what: 'cancel', reservation_id: row.id };
  }
  const { intent, checkin_date, checkout_date, ambiguous_dates } = extraction;
  if (intent !== 'change' || ambiguous_dates || !checkin_date || !checkout_date || checkout_date <= today) return null;
  // A reservation from a calendar is not moved, because the calendar would undo the move until it
  // has the new dates.
  const same = row.checkin_date === checkin_date && row.checkout_date === checkout_date;
  if (row.external_uid !== null || same) return null;
  const was = { checkin_date: row.checkin_date, checkout_date: row.checkout_date };
  return { what: 'move', reservation_id: row.id, was, checkin_date, checkout_date };
}

/** Returns whether the dates of a mailed cancellation do not overlap the reservation's nights. */
function isOfOtherNights(
  row: ReservationToMatchWithMail,
  { checkin_date, checkout_date }: ReservationExtractionResult,
): boolean {
  if (checkin_date === null) return false;
  const ends_before = checkout_date === null ? checkin_date < row.checkin_date : checkout_date <= row.checkin_date;
  return ends_before || row.checkout_date <= checkin_date;
}

const isSettled = (row: ReservationToMatchWithMail): boolean =>
  row.signed || row.status === 'signed' || row.manual_override || row.redacted || row.legal_hold;

type Match =
  | { readonly kind: 'one'; readonly row: ReservationToMatchWithMail; readonly by: 'code' | 'dates' }
  | { readonly kind: 'several' | 'overlap' | 'none' };

/** Finds the mail's reservation by source and reservation code, or else by exact dates. */
function findReservation(
  extraction: ReservationExtractionResult,
  candidates: readonly ReservationToMatchWithMail[],
): Match {
  const { channel, reservation_code, checkin_date, checkout_date } = extraction;
  const rows = candidates.filter((row) => row.source === channel);
  const coded = reservation_code === null ? [] : rows.filter((row) => row.external_id === reservation_code);
  const live = coded.filter((row) => row.status !== 'ignored');
  const row = live[0] ?? coded[0];
  if (row) return live.length > 1 ? { kind: 'several' } : { kind: 'one', row, by: 'code' };
  if (!checkin_date || !checkout_date) return { kind: 'none' };
  const open = rows.filter((candidate) => candidate.status !== 'ignored' && candidate.status !== 'expired');
  const overlapping = open.filter(
    (candidate) => candidate.checkin_date < checkout_date && checkin_date < candidate.checkout_date,
  );
  const same = overlapping.filter(
    (candidate) =>
      candidate.checkin_date === checkin_date &&
      candidate.checkout_date === checkout_date &&
      !hasReservationCodeOtherThan(candidate, reservation_code) &&
      !hasConflictingGuestNames(candidate.guest_name, extraction.guest_name),
  );
  if (same.length > 1) return { kind: 'several' };
  if (same[0]) return { kind: 'one', row: same[0], by: 'dates' };
  return { kind: overlapping.length > 0 ? 'overlap' : 'none' };
}

/**
 * Returns the reservations that a mail with uncertain dates may belong to. The reservation's dates
 * must equal one of the readings. If the mail has no check-out date, only the check-in date must be
 * equal.
 */
export function findReservationsMailMayBelongTo<Row extends ReservationToMatchWithMail>(
  {
    channel,
    guest_name,
    reservation_code,
    ...found
  }: Pick<
    ReservationExtractionResult,
    'channel' | 'guest_name' | 'reservation_code' | 'checkin_date' | 'checkout_date' | 'readings'
  >,
  candidates: readonly Row[],
): Row[] {
  const { checkin_date, checkout_date } = found;
  const stays = checkin_date && !checkout_date ? [{ checkin_date, checkout_date }] : found.readings;
  return candidates.filter(
    (row) =>
      (channel === null || row.source === channel) &&
      row.status !== 'ignored' &&
      row.status !== 'expired' &&
      row.status !== 'signed' &&
      !hasReservationCodeOtherThan(row, reservation_code) &&
      !hasConflictingGuestNames(row.guest_name, guest_name) &&
      stays.some(
        (stay) =>
          stay.checkin_date === row.checkin_date &&
          (stay.checkout_date === null || stay.checkout_date === row.checkout_date),
      ),
  );
}

function fillOrNot(
  row: ReservationToMatchWithMail,
  by: 'code' | 'dates',
  extraction: ReservationExtractionResult,
): ForwardedMailActionDecision {
  if (isSettled(row)) return { action: 'nothing', reservation_id: row.id, reason: 'protected' };
  if (row.status === 'ignored' || row.status === 'expired') {
    return { action: 'inbox', reason: 'reservation_ended', reservation_id: row.id };
  }
  const same_dates = row.checkin_date === extraction.checkin_date && row.checkout_date === extraction.checkout_date;
  // A calendar's dates are newer than a mail's, so different dates matter only for reservations
  // without a calendar.
  if (!same_dates && row.external_uid === null)
    return { action: 'inbox', reason: 'dates_differ', reservation_id: row.id };
  const fill: ReservationFactsFromMail = {
    ...(row.guest_email === null &&
      extraction.guest_email !== null && {
        guest_email: extraction.guest_email,
        guest_email_relay: extraction.relay_address,
      }),
    ...(isPlaceholderGuestName(row.guest_name) &&
      extraction.guest_name !== null && { guest_name: extraction.guest_name }),
    ...(by === 'dates' &&
      extraction.reservation_code !== null &&
      getReservationCodeFromExternalId(row) === null && { external_id: extraction.reservation_code }),
    ...(!row.language_known && extraction.guest_language !== null && { guest_language: extraction.guest_language }),
  };
  return Object.keys(fill).length > 0
    ? { action: 'fill', reservation_id: row.id, fill }
    : { action: 'nothing', reservation_id: row.id, reason: 'already_known' };
}
