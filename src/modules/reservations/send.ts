/** Sending and resending (specification, "Reservations"; DESIGN "Reservation status"). */

import { config } from '@/config';
import { renderPacketEmail } from '@/emails/packet';
import { lockTeam } from '@/infra/db/locks';
import { loadTeamPlan } from '@/modules/accounts/plan';
import { assertMayMail, isPro } from '@/modules/accounts/plans.rules';
import { linkToken, signingUrl } from '@/modules/links/urls';
import { countPacketMails, isSuppressed, queueMail } from '@/modules/mail/service';
import { mailTexts } from '@/modules/properties/json-columns.schemas';
import { dayToText } from '@/shared/calendar-day';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { mailLanguage } from '@/shared/guest-text/locale';
import { replyTo } from '@/shared/guest-text/sender';
import { newId } from '@/shared/ids';
import { refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import type { LoadedReservation } from './repository';
import type { RowFacts } from './rule-inputs';
import * as lifecycle from './rules/lifecycle';
import { type ReservationChange, type ReservationEvent, unchanged } from './rules/transitions';
import { isSendHeldBack } from './same-nights/service';
import { type ChangeOptions, type ChangeResult, changeReservation, type Decide } from './save-transition';
import type { Reservation } from './schemas';

/**
 * Mints the signing token and mails the guest; what was sent already stays as it is.
 * Throws resource_missing, rate_limit_exceeded on Free, and the refusals of lifecycle.send.
 */
export async function sendReservation(
  scope: Scope,
  id: string,
  options: Pick<ChangeOptions, 'columns' | 'trail'> = {},
): Promise<LoadedReservation> {
  return (await mailPacket(scope, id, lifecycle.send, options)).loaded;
}

/** Makes a change that `decide` says, with the packet in a mail; whether anything changed. Throws as sendReservation. */
export async function mailPacket(
  scope: Scope,
  id: string,
  decide: Decide,
  options: Pick<ChangeOptions, 'columns' | 'trail' | 'trail_before' | 'origin'> = {},
): Promise<ChangeResult> {
  return changeReservation(scope, id, decide, { ...options, ...mailing(scope) });
}

/**
 * Sends when it is still due at the moment of the change; whether it did. Throws what sendReservation throws, and
 * reservation_not_sendable while another booking has the same nights and the host has not said that both are real. Both
 * bookings are looked at whatever their status, so that of two sent at once none goes out.
 */
export async function autoSendReservation(
  scope: Scope,
  id: string,
  isDue: (facts: RowFacts, now: Date) => boolean,
): Promise<boolean> {
  const mailed = mailing(scope, { auto: true });
  const result = await changeReservation(
    scope,
    id,
    (facts, context, now) => (isDue(facts, now) ? lifecycle.send(facts, context, now) : unchanged),
    {
      ...mailed,
      columns: (now) => ({ auto_sent_at: now }),
      // The row is saved only as it was loaded: with the nights that are looked at here.
      prepare: async (loaded) => {
        if (await isSendHeldBack(scope, id)) {
          throw new AppError('reservation_not_sendable', { message: refusal('another_has_the_same_nights') });
        }
        return mailed.prepare(loaded);
      },
    },
  );
  return result.changed;
}

/**
 * A fresh token and mail; the old link dies. Throws resource_missing, the refusals of lifecycle.resend, and
 * address_suppressed, since a mail to that address would never be sent.
 */
export async function resendReservation(scope: Scope, id: string): Promise<LoadedReservation> {
  return (await mailPacketAgain(scope, id, lifecycle.resend)).loaded;
}

/** As mailPacket, but not to an address that no mail reaches: address_suppressed. */
export async function mailPacketAgain(scope: Scope, id: string, decide: Decide): Promise<ChangeResult> {
  const mailed = mailing(scope);
  return changeReservation(scope, id, decide, {
    ...mailed,
    prepare: async (loaded) => {
      await assertReached(scope, loaded);
      return mailed.prepare(loaded);
    },
  });
}

/**
 * Renders the first mail of a reservation that is about to be made, given as it will be; the answer sends it, in the
 * transaction that makes it. Throws as mailPacketAgain.
 */
export async function prepareFirstMail(
  scope: Scope,
  coming: LoadedReservation,
): Promise<() => Promise<LoadedReservation>> {
  await assertReached(scope, coming);
  const mailed = mailing(scope);
  const queue = await mailed.prepare(coming);
  return async () =>
    (await changeReservation(scope, coming.row.id, lifecycle.send, { ...mailed, prepare: async () => queue })).loaded;
}

/** In test mode nobody is mailed. Throws address_suppressed. */
async function assertReached(scope: Scope, { row }: LoadedReservation): Promise<void> {
  if (scope.mode === 'live' && (await isSuppressed(scope, row.guest_email ?? '')))
    throw new AppError('address_suppressed', { param: 'guest_email' });
}

/**
 * Anybody can have a team on Free: it is no way to write to many. Counts under the team's lock, in the transaction that
 * queues the mail. Throws rate_limit_exceeded.
 */
async function assertFewMails(scope: Scope): Promise<void> {
  if (scope.mode === 'test') return;
  await lockTeam(scope);
  const team = await loadTeamPlan(scope);
  if (!isPro(team)) assertMayMail(team, scope.mode, await countPacketMails(scope, clock().now()));
}

/** Mails the packet with a change; its `reservation.sent` says which mail, to whom. */
function mailing(scope: Scope, more: Record<string, unknown> = {}) {
  const mail_id = newId('mail');
  let to: string | null = null;
  return {
    prepare: async (loaded: LoadedReservation, change?: ReservationChange) => {
      // The change may be what says to whom, and in which language.
      const { guest_email = loaded.row.guest_email, guest_locale = loaded.row.guest_locale } = change?.changes ?? {};
      to = guest_email;
      return preparePacketMail(scope, { ...loaded, row: { ...loaded.row, guest_email, guest_locale } }, mail_id);
    },
    trail_data: (event: ReservationEvent): Record<string, unknown> =>
      event.type === 'reservation.sent' ? { ...more, mail_id, kind: 'packet', to } : {},
  };
}

/** Renders outside the transaction; the token's generation is the one the change will set. */
async function preparePacketMail(scope: Scope, { row, property, packet, sender }: LoadedReservation, mail_id: string) {
  const open_token = linkToken('mail-open', mail_id);
  const rendered = await renderPacketEmail({
    locale: mailLanguage(row),
    guest_name: row.guest_name,
    property_name: property.name,
    property_address: property.address,
    brand_color: property.brand_color,
    logo_url: property.logo_url,
    sender,
    checkin_date: dayToText(row.checkin_date),
    checkout_date: dayToText(row.checkout_date),
    own_texts: mailTexts.read(property.mail_texts),
    welcome_message: packet?.welcome_message ?? null,
    signing_url: signingUrl(property, row.id, row.token_generation + 1),
    open_pixel_url: `${config().app_url}/o/${open_token}.gif`,
    livemode: scope.mode === 'live',
  });
  return async () => {
    // Only mailed packets count: one that was sent already, or is refused, gets the answer of any other plan.
    await assertFewMails(scope);
    await queueMail(scope, {
      ...rendered,
      id: mail_id,
      template: 'packet',
      to: row.guest_email ?? '',
      reservation_id: row.id,
      preview: scope.mode === 'test',
      open_token,
      reply_to: replyTo(property, sender),
    });
  };
}

/** Adds the preview's address to a reservation that a test key sent. */
export function withPreviewUrl(scope: Scope, reservation: Reservation): Reservation {
  if (scope.mode !== 'test') return reservation;
  return { ...reservation, email_preview_url: `${config().api_root}/reservations/${reservation.id}/email_preview` };
}
