/** Sends and resends packets (specification, "Reservations"; design "Reservation status"). */

import { config } from '@/config';
import { renderPacketEmail } from '@/emails/packet';
import { lockTeam } from '@/infra/db/locks';
import { assertCanMailPackets, isProPlan } from '@/modules/accounts/plans.rules';
import { loadTeamPricePlanColumns } from '@/modules/accounts/team.service';
import { buildSigningUrl, deriveLinkToken } from '@/modules/links/urls';
import { countRecentPacketMails, isEmailAddressSuppressed, queueMail } from '@/modules/mail/service';
import { mailTextsJsonColumn } from '@/modules/properties/mail-texts/schemas';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { getMailLanguage } from '@/shared/guest-text/locale';
import { getGuestMailReplyToAddress } from '@/shared/guest-text/sender';
import { newId } from '@/shared/ids';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { isAutomaticPacketSendBlocked } from './double-bookings/service';
import type { ReservationWithPropertyAndPacket } from './repository';
import type { ReservationRowFactsForRules } from './rule-inputs';
import * as lifecycle from './rules/lifecycle';
import {
  RESERVATION_UNCHANGED_DECISION,
  type ReservationChangeDecision,
  type ReservationTransitionEvent,
} from './rules/transitions';
import {
  applyReservationTransition,
  type ReservationChangeOptions,
  type ReservationChangeResult,
  type ReservationTransitionDecider,
} from './save-transition';
import type { Reservation } from './schemas';
import { assertNotPlaceholderEmailAddress } from './service';

/**
 * Creates the signing token and mails the guest, unless the packet was already sent. Throws
 * resource_missing, rate_limit_exceeded on the Free plan, and the refusals of lifecycle.send.
 */
export async function sendReservation(
  scope: Scope,
  id: string,
  options: Pick<ReservationChangeOptions, 'columns' | 'trail'> = {},
): Promise<ReservationWithPropertyAndPacket> {
  return (await changeReservationAndMailPacket(scope, id, lifecycle.send, options)).loaded;
}

/**
 * Makes the change that `decide` returns, and mails the packet. Throws the errors of
 * sendReservation.
 */
export async function changeReservationAndMailPacket(
  scope: Scope,
  id: string,
  decide: ReservationTransitionDecider,
  options: Pick<ReservationChangeOptions, 'columns' | 'trail' | 'trail_before' | 'origin'> = {},
): Promise<ReservationChangeResult> {
  return applyReservationTransition(scope, id, decide, { ...options, ...mailing(scope) });
}

/**
 * Sends the packet if automatic sending is still due. Returns whether the packet was sent. Throws
 * the errors of sendReservation, and reservation_not_sendable while another booking has the same
 * nights and the host has not confirmed both. The status of the other booking does not matter, so
 * if both are sent concurrently, both sends fail.
 */
export async function autoSendReservation(
  scope: Scope,
  id: string,
  isDue: (facts: ReservationRowFactsForRules, now: Date) => boolean,
): Promise<boolean> {
  const mailed = mailing(scope, { auto: true });
  const result = await applyReservationTransition(
    scope,
    id,
    (facts, context, now) => (isDue(facts, now) ? lifecycle.send(facts, context, now) : RESERVATION_UNCHANGED_DECISION),
    {
      ...mailed,
      columns: (now) => ({ auto_sent_at: now }),
      // The change is saved only if the row is unchanged since it was loaded, so the nights checked
      // here are still current.
      prepare: async (loaded) => {
        if (await isAutomaticPacketSendBlocked(scope, id)) {
          throw new AppError('reservation_not_sendable', { message: createRefusal('another_has_the_same_nights') });
        }
        return mailed.prepare(loaded);
      },
    },
  );
  return result.changed;
}

/**
 * Sends again with a new token and mail, and invalidates the old link. Throws resource_missing, the
 * refusals of lifecycle.resend, and address_suppressed, because a mail to that address would not be
 * sent.
 */
export async function resendReservation(scope: Scope, id: string): Promise<ReservationWithPropertyAndPacket> {
  return (await resendPacketMail(scope, id, lifecycle.resend)).loaded;
}

/** Mails the packet like `changeReservationAndMailPacket`, but also throws address_suppressed. */
export async function resendPacketMail(
  scope: Scope,
  id: string,
  decide: ReservationTransitionDecider,
  options: Pick<ReservationChangeOptions, 'columns' | 'trail_first'> = {},
): Promise<ReservationChangeResult> {
  const mailed = mailing(scope);
  return applyReservationTransition(scope, id, decide, {
    ...options,
    ...mailed,
    prepare: async (loaded, change) => {
      if (!change.mints_token) return async () => {};
      await assertReached(scope, withGuestOf(loaded, change));
      return mailed.prepare(loaded, change);
    },
  });
}

/**
 * Corrects the guest's details before the guest signs, and mails the packet again if the guest
 * already has it. The trail records old and new values. Throws resource_missing, invalid_field, the
 * refusals of lifecycle.correctGuestDetails, address_suppressed and rate_limit_exceeded.
 */
export async function correctGuestAndMailUpdatedPacket(
  scope: Scope,
  id: string,
  correction: lifecycle.GuestDetailsCorrection,
): Promise<ReservationWithPropertyAndPacket> {
  assertNotPlaceholderEmailAddress(correction.guest_email);
  const before = {} as Record<string, unknown>;
  const decide: ReservationTransitionDecider = (facts, context, now) => {
    for (const field of CORRECTED) before[field] = facts[field];
    return lifecycle.correctGuestDetails(facts, context, correction, now);
  };
  const result = await resendPacketMail(scope, id, decide, {
    columns: (_now, { changes }) => ('guest_email' in changes ? { guest_email_relay: false } : {}),
    trail_first: ({ changes }) => {
      const fields = CORRECTED.filter((field) => field in changes);
      const values = fields.map((field) => [field, { from: before[field] ?? null, to: changes[field] ?? null }]);
      return [{ type: 'guest.corrected', data: { fields, values: Object.fromEntries(values) } }];
    },
  });
  return result.loaded;
}

const CORRECTED = ['guest_name', 'guest_email', 'locale', 'guest_phone_last4'] as const;

/**
 * Renders the first mail of a reservation that is about to be inserted. Returns a function that
 * queues the mail, to be called in the inserting transaction. Throws like resendPacketMail.
 */
export async function prepareFirstGuestMail(
  scope: Scope,
  coming: ReservationWithPropertyAndPacket,
): Promise<() => Promise<ReservationWithPropertyAndPacket>> {
  await assertReached(scope, coming);
  const mailed = mailing(scope);
  const queue = await mailed.prepare(coming);
  return async () =>
    (await applyReservationTransition(scope, coming.row.id, lifecycle.send, { ...mailed, prepare: async () => queue }))
      .loaded;
}

/**
 * Throws address_suppressed if mail to the guest's address is suppressed. The check is omitted in
 * test mode, which sends no mail.
 */
async function assertReached(scope: Scope, { row }: ReservationWithPropertyAndPacket): Promise<void> {
  if (scope.mode === 'live' && (await isEmailAddressSuppressed(scope, row.guest_email ?? '')))
    throw new AppError('address_suppressed', { param: 'guest_email' });
}

/**
 * Limits a Free team's mails, because anyone can create such a team. Counts the mails under the
 * team's lock, in the transaction that queues the mail. Throws rate_limit_exceeded.
 */
async function assertFewMails(scope: Scope): Promise<void> {
  if (scope.mode === 'test') return;
  await lockTeam(scope);
  const team = await loadTeamPricePlanColumns(scope);
  if (!isProPlan(team)) assertCanMailPackets(team, scope.mode, await countRecentPacketMails(scope, clock().now()));
}

/** Returns the reservation with the guest's details after the change. */
function withGuestOf(
  loaded: ReservationWithPropertyAndPacket,
  change?: ReservationChangeDecision,
): ReservationWithPropertyAndPacket {
  const { guest_name, guest_email, locale, guest_locale } = { ...loaded.row, ...change?.changes };
  return { ...loaded, row: { ...loaded.row, guest_name, guest_email, locale, guest_locale } };
}

/**
 * Returns the options for a change that mails the packet. The trail entry of `reservation.sent`
 * contains the mail's id and the address.
 */
function mailing(scope: Scope, more: Record<string, unknown> = {}) {
  const mail_id = newId('mail');
  let to: string | null = null;
  return {
    prepare: async (loaded: ReservationWithPropertyAndPacket, change?: ReservationChangeDecision) => {
      const addressed = withGuestOf(loaded, change);
      to = addressed.row.guest_email;
      return preparePacketMail(scope, addressed, mail_id);
    },
    trail_data: (event: ReservationTransitionEvent): Record<string, unknown> =>
      event.type === 'reservation.sent' ? { ...more, mail_id, kind: 'packet', to } : {},
  };
}

/** Renders the mail outside the transaction, with the token generation that the change will set. */
async function preparePacketMail(
  scope: Scope,
  { row, property, packet, sender }: ReservationWithPropertyAndPacket,
  mail_id: string,
) {
  const open_token = deriveLinkToken('mail-open', mail_id);
  const rendered = await renderPacketEmail({
    locale: getMailLanguage(row),
    guest_name: row.guest_name,
    property_name: property.name,
    property_address: property.address,
    brand_color: property.brand_color,
    logo_url: property.logo_url,
    sender,
    checkin_date: convertDatabaseDateToIsoDay(row.checkin_date),
    checkout_date: convertDatabaseDateToIsoDay(row.checkout_date),
    own_texts: mailTextsJsonColumn.read(property.mail_texts),
    welcome_message: packet?.welcome_message ?? null,
    signing_url: buildSigningUrl(property, row.id, row.token_generation + 1),
    open_pixel_url: `${config().app_url}/o/${open_token}.gif`,
    livemode: scope.mode === 'live',
  });
  return async () => {
    // The Free plan's limit on mails is checked only when a mail is queued, so that refusals and
    // repeated sends get the same response on every plan.
    await assertFewMails(scope);
    await queueMail(scope, {
      ...rendered,
      id: mail_id,
      template: 'packet',
      to: row.guest_email ?? '',
      reservation_id: row.id,
      preview: scope.mode === 'test',
      open_token,
      reply_to: getGuestMailReplyToAddress(property, sender),
    });
  };
}

/** Adds the preview's URL to a reservation that a test key sent. */
export function addEmailPreviewUrlToReservation(scope: Scope, reservation: Reservation): Reservation {
  if (scope.mode !== 'test') return reservation;
  return { ...reservation, email_preview_url: `${config().api_root}/reservations/${reservation.id}/email_preview` };
}
