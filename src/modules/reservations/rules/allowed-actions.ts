/**
 * What a page may offer, decided by the very rules that the operations use, so that a button that cannot act knows the
 * reason, and a dead link says why it is dead.
 */
import type { ErrorCode } from '@/shared/errors';
import { isStayOver } from '@/shared/zoned-time';
import { mayChangeDates } from '../change-dates/change-dates.rules';
import { cancel, ignore, overrideArrival, remove, resend, restore, send, signManually } from './lifecycle';
import { type Decision, type ReservationContext, type ReservationFacts, start } from './transitions';

/** What a guest who follows a signing link should be shown. */
export type LinkState = 'open' | 'signed' | 'cancelled' | 'expired' | 'not_sent';

/** The state of the current signing link. It is dead from the end of the check-out day, also before the sweep says so. */
export function linkState(
  facts: ReservationFacts,
  context: Pick<ReservationContext, 'timezone'>,
  now: Date,
): LinkState {
  if (facts.status === 'signed') return 'signed';
  if (facts.status === 'ignored') return 'cancelled';
  if (facts.status === 'draft' || facts.status === 'synced') return 'not_sent';
  return facts.status === 'expired' || isStayOver(facts.checkout_date, context.timezone, now) ? 'expired' : 'open';
}

export const HOST_ACTIONS = [
  'send',
  'resend',
  'update',
  'change_dates',
  'cancel',
  'ignore',
  'restore',
  'sign_manually',
  'override_arrival',
  'delete',
] as const;
export type HostAction = (typeof HOST_ACTIONS)[number];

/** Allowed, or why not: an error code, or null when there is simply nothing left to do. */
export type ActionAnswer = { allowed: true } | { allowed: false; code: ErrorCode | null };

/** What a host may do now, decided by the very rules that the operations use. */
export function allowedActions(
  facts: ReservationFacts,
  context: ReservationContext,
  now: Date,
): Record<HostAction, ActionAnswer> {
  const answer = (decision: Decision): ActionAnswer => {
    if (decision.kind === 'change') return { allowed: true };
    return { allowed: false, code: decision.kind === 'refused' ? decision.code : null };
  };
  return {
    send: answer(send(facts, context, now)),
    resend: answer(resend(facts, context, now)),
    update: answer(start('update', facts)),
    change_dates: answer(mayChangeDates(facts, context, now)),
    cancel: answer(cancel(facts, context, 'host', now)),
    ignore: answer(ignore(facts)),
    restore: answer(restore(facts)),
    sign_manually: answer(signManually(facts, context, now)),
    override_arrival: answer(overrideArrival(facts, context, { by: 'host', reason: 'allowed?' }, now)),
    delete: answer(remove(facts)),
  };
}
