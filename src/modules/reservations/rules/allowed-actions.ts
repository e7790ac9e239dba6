/**
 * Determines the actions that a page may offer. Uses the rules of the operations, so that a
 * disabled button shows the reason with which the operation would refuse.
 */
import type { ErrorCode } from '@/shared/errors';
import { hasCheckoutDayEnded } from '@/shared/zoned-time';
import { decideDateChange } from '../change-dates/change-dates.rules';
import {
  cancel,
  correctGuestDetails,
  decideReservationDeletion,
  ignore,
  markAsSignedWithoutCertificate,
  overrideArrivalRelease,
  resend,
  restore,
  send,
} from './lifecycle';
import {
  lookUpReservationTransition,
  type ReservationFactsForRules,
  type ReservationRuleContext,
  type ReservationTransitionDecision,
} from './transitions';

/** The state of a signing link, which selects the content of its page. */
export type SigningLinkState = 'open' | 'signed' | 'cancelled' | 'expired' | 'not_sent';

/**
 * Returns the state of the current signing link. A link counts as expired after the check-out day,
 * even if the sweep has not expired the reservation yet.
 */
export function getSigningLinkState(
  facts: ReservationFactsForRules,
  context: Pick<ReservationRuleContext, 'timezone'>,
  now: Date,
): SigningLinkState {
  if (facts.status === 'signed') return 'signed';
  if (facts.status === 'ignored') return 'cancelled';
  if (facts.status === 'draft' || facts.status === 'synced') return 'not_sent';
  return facts.status === 'expired' || hasCheckoutDayEnded(facts.checkout_date, context.timezone, now)
    ? 'expired'
    : 'open';
}

export const HOST_RESERVATION_ACTIONS = [
  'send',
  'resend',
  'update',
  'change_dates',
  'correct_guest',
  'cancel',
  'ignore',
  'restore',
  'sign_manually',
  'override_arrival',
  'delete',
] as const;
export type HostAction = (typeof HOST_RESERVATION_ACTIONS)[number];

/**
 * The code is the error with which the operation would refuse, or null when it would change
 * nothing.
 */
export type HostActionAvailability = { allowed: true } | { allowed: false; code: ErrorCode | null };

/** Returns what a host may do now, according to the rules of the operations. */
export function getAllowedHostActions(
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  now: Date,
): Record<HostAction, HostActionAvailability> {
  const answer = (decision: ReservationTransitionDecision): HostActionAvailability => {
    if (decision.kind === 'change') return { allowed: true };
    return { allowed: false, code: decision.kind === 'refused' ? decision.code : null };
  };
  return {
    send: answer(send(facts, context, now)),
    resend: answer(resend(facts, context, now)),
    update: answer(lookUpReservationTransition('update', facts)),
    change_dates: answer(decideDateChange(facts, context, now)),
    correct_guest: answer(correctGuestDetails(facts, context, { guest_name: `${facts.guest_name}?` }, now)),
    cancel: answer(cancel(facts, context, 'host', now)),
    ignore: answer(ignore(facts)),
    restore: answer(restore(facts)),
    sign_manually: answer(markAsSignedWithoutCertificate(facts, context, now)),
    override_arrival: answer(overrideArrivalRelease(facts, context, { by: 'host', reason: 'allowed?' }, now)),
    delete: answer(decideReservationDeletion(facts)),
  };
}
