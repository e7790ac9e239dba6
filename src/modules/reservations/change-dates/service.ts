/**
 * Changes dates after sending: a new reservation replaces the one that was sent, in one
 * transaction.
 */

import { inTransaction } from '@/infra/db/transaction';
import { parseCalendarDay } from '@/shared/calendar-day';
import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { reservationMetadataJsonColumn } from '../json-columns.schemas';
import type { ReservationWithPropertyAndPacket } from '../repository';
import * as repository from '../repository';
import { buildReservationRowFactsForRules, buildReservationRuleContext } from '../rule-inputs';
import { throwIfTransitionRefused } from '../rules/lifecycle';
import { applyReservationTransition, loadReservation } from '../save-transition';
import { prepareFirstGuestMail } from '../send';
import { assertPropertyExists, insertReservation } from '../service';
import { decideChangeToNewStayDates, type NewStayDates } from './change-dates.rules';

/**
 * The message when a calendar sets the dates. The error catalogue's message for
 * reservation_not_editable does not mention calendars.
 */
export const CALENDAR_MANAGED_DATES_REFUSAL = createRefusal('dates_come_from_a_calendar');

/**
 * Creates a reservation with the new dates, sends it and cancels the old one. The page of the old
 * link then refers to the newer link. Returns the new reservation. Throws the refusals of
 * decideChangeToNewStayDates and of sending, and concurrent_edit.
 */
export async function changeReservationDates(
  scope: Scope,
  id: string,
  dates: NewStayDates,
): Promise<ReservationWithPropertyAndPacket> {
  const before = await loadReservation(scope, id);
  const { row, property } = before;
  const decision = decideChangeToNewStayDates(
    dates,
    buildReservationRowFactsForRules(before),
    buildReservationRuleContext(scope, before),
    before.now,
  );
  if (decision.kind === 'refused' && decision.code === 'reservation_not_editable')
    throw new AppError('reservation_not_editable', { message: CALENDAR_MANAGED_DATES_REFUSAL });
  if (decision.kind === 'refused' && decision.code === 'invalid_field')
    throw new AppError('invalid_field', { message: createRefusal('its_dates_already'), param: decision.param });
  throwIfTransitionRefused(decision);
  const new_id = newId('reservation');
  const days = {
    checkin_date: parseCalendarDay(dates.checkin_date),
    checkout_date: parseCalendarDay(dates.checkout_date),
  };
  // Renders the mail before the transaction, with the data of the row that the transaction will
  // insert.
  const send = await prepareFirstGuestMail(scope, {
    ...before,
    row: { ...row, ...days, id: new_id, token_generation: 0 },
  });
  return inTransaction(scope, async () => {
    await assertPropertyExists(scope, property.id);
    // Locks the reservation before the first event is recorded. All code locks the event counter
    // last, so a different order could deadlock.
    await repository.lockReservation(scope, id);
    // The new row and its mail were prepared from `row`. If the guest's details were corrected
    // since then, replacing the reservation would discard the correction.
    if ((await loadReservation(scope, id)).row.version !== row.version) throw new AppError('concurrent_edit');
    await insertReservation(
      scope,
      {
        ...days,
        property_id: row.property_id,
        packet_id: row.packet_id,
        guest_name: row.guest_name,
        guest_email: row.guest_email,
        guest_email_relay: row.guest_email_relay,
        guest_phone_last4: row.guest_phone_last4,
        locale: row.locale,
        guest_locale: row.guest_locale,
        source: row.source,
        external_source: row.external_source,
        external_id: row.external_id,
        metadata: reservationMetadataJsonColumn.read(row.metadata),
        status: 'draft',
        initial_status: 'draft',
      },
      { id: new_id, trail: { replaces: id } },
    );
    await applyReservationTransition(
      scope,
      id,
      (facts, context, now) => decideChangeToNewStayDates(dates, facts, context, now),
      {
        once: true,
        // Without the token's hash, the page of the old link shows “a newer one was sent” instead
        // of “cancelled”.
        columns: { signing_token_hash: null },
        trail: () => [{ type: 'reservation.replaced', data: { by: new_id, ...dates } }],
      },
    );
    return send();
  });
}
