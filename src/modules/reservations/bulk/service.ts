/**
 * Bulk send, resend and cancel: a preview first, and then small batches with a result for each
 * reservation.
 */

import { logger } from '@/infra/logger';
import { isEmailAddressSuppressed } from '@/modules/mail/service';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { AppError, isAppError } from '@/shared/errors';
import { DEFAULT_LOCALE, getMailLanguage, parseLocale } from '@/shared/guest-text/locale';
import { createRefusal, findRefusalForCode, type ResultWithUntranslatedRefusals } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import type { ReservationWithPropertyAndPacket } from '../repository';
import * as repository from '../repository';
import { buildReservationRowFactsForRules, buildReservationRuleContext } from '../rule-inputs';
import { applyReservationTransition, type ReservationTransitionDecider } from '../save-transition';
import { changeReservationAndMailPacket, resendPacketMail } from '../send';
import { BULK_ACTION_NO_EFFECT_MESSAGES, decideBulkAction, decideBulkActionIfPreviewMatches } from './bulk.rules';
import type { BulkActionPreview, BulkActionResult, ReservationShownInBulkPreview } from './bulk.schemas';
import type { BulkAction } from './bulk-limits.rules';

const GONE = createRefusal('deleted_meanwhile');

/** Returns the effect that the action would have on each reservation, in the order of `ids`. */
export async function previewBulkAction(
  scope: Scope,
  action: BulkAction,
  ids: readonly string[],
): Promise<ResultWithUntranslatedRefusals<BulkActionPreview>> {
  const loaded = await repository.findReservationsWithPropertyAndPacket(scope, [...new Set(ids)]);
  const rows: ResultWithUntranslatedRefusals<BulkActionPreview>['rows'] = [];
  for (const id of new Set(ids)) {
    const found = loaded.get(id);
    rows.push(found ? await previewOf(scope, action, found) : missing(id));
  }
  return { rows };
}

async function previewOf(scope: Scope, action: BulkAction, loaded: ReservationWithPropertyAndPacket) {
  const { row, property } = loaded;
  const decision = decideBulkAction(
    action,
    buildReservationRowFactsForRules(loaded),
    buildReservationRuleContext(scope, loaded),
    loaded.now,
  );
  const shown = {
    id: row.id,
    to: row.guest_email,
    sent_at: row.sent_at?.toISOString() ?? null,
    guest_name: row.guest_name,
    property_name: property.name,
    checkin_date: convertDatabaseDateToIsoDay(row.checkin_date),
    status: row.status,
    language: action === 'cancel' ? null : (parseLocale(getMailLanguage(row)) ?? DEFAULT_LOCALE),
  };
  if (decision.kind === 'unchanged')
    return { ...shown, outcome: 'nothing' as const, message: BULK_ACTION_NO_EFFECT_MESSAGES[action] };
  const suppressed =
    action === 'resend' && scope.mode === 'live' && (await isEmailAddressSuppressed(scope, row.guest_email ?? ''));
  const code = decision.kind === 'refused' ? decision.code : suppressed ? 'address_suppressed' : null;
  return {
    ...shown,
    outcome: code ? ('refused' as const) : ('will' as const),
    message: code && findRefusalForCode(code),
  };
}

const missing = (id: string): ResultWithUntranslatedRefusals<BulkActionPreview>['rows'][number] => ({
  ...{ id, to: null, sent_at: null, outcome: 'refused', message: GONE },
  ...{ guest_name: id, property_name: '', checkin_date: '', status: null, language: null },
});

/**
 * Applies the action to each reservation in its own transaction. Refusals and failures are reported
 * and do not stop the others.
 */
export async function performBulkAction(
  scope: Scope,
  action: BulkAction,
  seen: readonly ReservationShownInBulkPreview[],
): Promise<ResultWithUntranslatedRefusals<BulkActionResult>> {
  const rows: ResultWithUntranslatedRefusals<BulkActionResult>['rows'] = [];
  for (const one of seen) rows.push({ id: one.id, ...(await actOn(scope, action, one)) });
  return { rows };
}

async function actOn(
  scope: Scope,
  action: BulkAction,
  seen: ReservationShownInBulkPreview,
): Promise<Omit<ResultWithUntranslatedRefusals<BulkActionResult>['rows'][number], 'id'>> {
  try {
    const byRules: ReservationTransitionDecider = (facts, context, now) =>
      decideBulkActionIfPreviewMatches(action, seen, facts, context, now);
    const act = { send: changeReservationAndMailPacket, resend: resendPacketMail, cancel: applyReservationTransition }[
      action
    ];
    const { changed } = await act(scope, seen.id, byRules);
    return changed
      ? { outcome: 'done', message: null }
      : { outcome: 'nothing', message: BULK_ACTION_NO_EFFECT_MESSAGES[action] };
  } catch (error) {
    if (!isAppError(error))
      logger().error({ err: error, reservation: seen.id, action }, 'a bulk action failed for a reservation');
    const shown = isAppError(error) ? error : new AppError('internal_error');
    return { outcome: 'refused', message: shown.code === 'resource_missing' ? GONE : (shown.refusal ?? shown.message) };
  }
}
