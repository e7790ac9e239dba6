/**
 * Decides what a bulk action does to each reservation. An action applies only while the reservation
 * is as the host saw it. A repeated call therefore mails only once, and mail goes only to the
 * address that the preview showed. Pure.
 */
import { createRefusal, type Refusal } from '@/shared/refusals/refusal';
import * as lifecycle from '../rules/lifecycle';
import {
  createReservationTransitionRefusal,
  RESERVATION_UNCHANGED_DECISION,
  type ReservationFactsForRules,
  type ReservationRuleContext,
  type ReservationTransitionDecision,
} from '../rules/transitions';
import type { ReservationShownInBulkPreview } from './bulk.schemas';
import type { BulkAction } from './bulk-limits.rules';

/**
 * Decides with the same rules as the action on a single reservation. Resending a reservation that
 * was never sent counts as sending.
 */
export function decideBulkAction(
  action: BulkAction,
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  now: Date,
): ReservationTransitionDecision {
  const unsent = facts.status === 'draft' || facts.status === 'synced';
  if (action === 'send' || (action === 'resend' && unsent)) return lifecycle.send(facts, context, now);
  if (action === 'resend') return lifecycle.resend(facts, context, now);
  return lifecycle.cancel(facts, context, 'host', now);
}

/**
 * Decides like `decideBulkAction`, but refuses when the reservation differs from what the host saw.
 */
export function decideBulkActionIfPreviewMatches(
  action: BulkAction,
  seen: Omit<ReservationShownInBulkPreview, 'id'>,
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  now: Date,
): ReservationTransitionDecision {
  // A resend does not change the status of a sent reservation. Only `sent_at` shows whether the
  // resend has already happened.
  if (action === 'resend' && (facts.sent_at?.toISOString() ?? null) !== seen.sent_at)
    return RESERVATION_UNCHANGED_DECISION;
  const decision = decideBulkAction(action, facts, context, now);
  const mails = action !== 'cancel' && decision.kind === 'change';
  return mails && facts.guest_email !== seen.to ? createReservationTransitionRefusal('concurrent_edit') : decision;
}

/** Messages for reservations that the action would not change. */
export const BULK_ACTION_NO_EFFECT_MESSAGES: Record<BulkAction, Refusal> = {
  send: createRefusal('was_sent_already'),
  resend: createRefusal('sent_again_meanwhile'),
  cancel: createRefusal('cancelled_already'),
};
