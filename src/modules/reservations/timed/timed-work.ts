/** Implements the actions that become due by time. Each returns whether it changed anything. */
import { config } from '@/config';
import { renderLateSigningAlertEmail } from '@/emails/late-alert';
import { renderReminder2hBeforeCheckinEmail, renderReminder24hBeforeCheckinEmail } from '@/emails/reminder';
import { findOwnerEmailAddresses } from '@/modules/accounts/team.service';
import { buildSigningUrl, deriveLinkToken } from '@/modules/links/urls';
import { queueMail } from '@/modules/mail/service';
import { mailTextsJsonColumn } from '@/modules/properties/mail-texts/schemas';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { getMailLanguage } from '@/shared/guest-text/locale';
import { getGuestMailReplyToAddress } from '@/shared/guest-text/sender';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import { isRepeatOfAnotherReservation } from '../double-bookings/service';
import type { ReservationWithPropertyAndPacket } from '../repository';
import * as lifecycle from '../rules/lifecycle';
import { isAutoSendDue, isLateSigningAlertDue, isReminderDue, type PropertyTimingSettings } from '../rules/reminders';
import { createReservationDecisionKeepingStatus, RESERVATION_UNCHANGED_DECISION } from '../rules/transitions';
import { applyReservationTransition } from '../save-transition';
import { autoSendReservation } from '../send';
import type { ReservationForScheduledAction } from './repository';

export function sendPacketAutomatically(candidate: ReservationForScheduledAction, scope: Scope): Promise<boolean> {
  return autoSendReservation(scope, candidate.id, (facts, now) => isAutoSendDue(facts, candidate, now));
}

/** Sends a reminder and records it, in one transaction. */
export async function sendReminder(
  which: 'reminder_24h' | 'reminder_2h',
  candidate: ReservationForScheduledAction,
  scope: Scope,
): Promise<boolean> {
  const column = `${which}_sent_at` as const;
  const mail_id = newId('mail');
  let to: string | null = null;
  const result = await applyReservationTransition(
    scope,
    candidate.id,
    (facts, _context, now) =>
      isReminderDue(which, facts, candidate, now)
        ? createReservationDecisionKeepingStatus({ [column]: now })
        : RESERVATION_UNCHANGED_DECISION,
    {
      trail: () => [
        {
          type: 'reservation.reminder_sent',
          data: { reminder: which === 'reminder_24h' ? '24h' : '2h', mail_id, kind: which, to },
        },
      ],
      prepare: (loaded) => {
        to = loaded.row.guest_email;
        return prepareReminder(which, scope, loaded, mail_id);
      },
    },
  );
  return result.changed;
}

async function prepareReminder(
  which: 'reminder_24h' | 'reminder_2h',
  scope: Scope,
  { row, property, sender }: ReservationWithPropertyAndPacket,
  mail_id: string,
) {
  const open_token = deriveLinkToken('mail-open', mail_id);
  const render = which === 'reminder_24h' ? renderReminder24hBeforeCheckinEmail : renderReminder2hBeforeCheckinEmail;
  const content = await render({
    locale: getMailLanguage(row),
    guest_name: row.guest_name,
    property_name: property.name,
    property_address: property.address,
    brand_color: property.brand_color,
    logo_url: property.logo_url,
    sender,
    own_texts: mailTextsJsonColumn.read(property.mail_texts),
    checkin_date: convertDatabaseDateToIsoDay(row.checkin_date),
    checkout_date: convertDatabaseDateToIsoDay(row.checkout_date),
    signing_url: buildSigningUrl(property, row.id, row.token_generation),
    open_pixel_url: `${config().app_url}/o/${open_token}.gif`,
    livemode: scope.mode === 'live',
  });
  return () =>
    queueMail(scope, {
      ...content,
      id: mail_id,
      template: which,
      to: row.guest_email ?? '',
      reservation_id: row.id,
      preview: scope.mode === 'test',
      open_token,
      reply_to: getGuestMailReplyToAddress(property, sender),
    });
}

/**
 * Notifies owners that the guest has not signed by check-in, unless the stay only repeats another
 * stay's nights.
 */
export async function sendLateSigningAlert(candidate: ReservationForScheduledAction, scope: Scope): Promise<boolean> {
  if (await isRepeatOfAnotherReservation(scope, candidate.id)) return false;
  const result = await applyReservationTransition(
    scope,
    candidate.id,
    (facts, _context, now) =>
      isLateSigningAlertDue(facts, candidate, now)
        ? createReservationDecisionKeepingStatus({ late_notified_at: now })
        : RESERVATION_UNCHANGED_DECISION,
    {
      trail: () => [{ type: 'reservation.late_alert_sent' }],
      prepare: (loaded) => prepareLateAlert(scope, loaded, candidate),
    },
  );
  return result.changed;
}

async function prepareLateAlert(
  scope: Scope,
  { row, property }: ReservationWithPropertyAndPacket,
  { timezone }: PropertyTimingSettings,
) {
  const owners = await findOwnerEmailAddresses(scope.team_id);
  const { status } = row;
  const content = await renderLateSigningAlertEmail({
    property_name: property.name,
    guest_name: row.guest_name,
    checkin_date: convertDatabaseDateToIsoDay(row.checkin_date),
    status: status === 'opened' || status === 'clicked' || status === 'sent' ? status : 'unsent',
    sent_at: row.sent_at,
    timezone,
    reservation_url: `${config().app_url}/reservations/${row.id}`,
  });
  return async () => {
    for (const to of owners) {
      await queueMail(scope, { ...content, template: 'late_alert', to, reservation_id: row.id });
    }
  };
}

export async function expireReservation(candidate: ReservationForScheduledAction, scope: Scope): Promise<boolean> {
  return (await applyReservationTransition(scope, candidate.id, lifecycle.expire)).changed;
}
