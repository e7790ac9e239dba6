/**
 * What a guest says instead of signing: a question, or that they do not agree. An entry of the trail with their words, a mail
 * to the owners, a notification in the browsers that want one, and a mark on the reservation until it is signed or a host has dealt with it. No status changes.
 */
import { config } from '@/config';
import { renderGuestReplyEmail } from '@/emails/signing/guest-reply';
import { findOwnerEmails } from '@/modules/accounts/owners';
import { queueMail } from '@/modules/mail/service';
import { queueNotice } from '@/modules/push/service';
import * as lifecycle from '@/modules/reservations/rules/lifecycle';
import {
  type Decision,
  type ReservationContext,
  type ReservationFacts,
  stamp,
} from '@/modules/reservations/rules/transitions';
import { changeReservation, type LoadedReservation } from '@/modules/reservations/save-transition';
import { GUEST_REPLIES, type GuestReply } from '@/modules/reservations/schemas';
import { listTrail, type TrailOrigin } from '@/modules/trail/service';
import { dayToText } from '@/shared/calendar-day';
import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';

/** Of one link: so many in an hour, and so many at all, since each is printed in the certificate. */
const MOST_AN_HOUR = 5;
const MOST_AT_ALL = 20;
const HOUR_MS = 60 * 60 * 1000;

/** Who may sign may say so; who may not is refused with the same words. */
function decide(facts: ReservationFacts, context: ReservationContext, now: Date): Decision {
  const sign = lifecycle.sign(facts, context, { signature_id: 'sig_undecided' }, now);
  return sign.kind === 'change' ? stamp() : sign;
}

/** Throws the refusals of lifecycle.sign, and rate_limit_exceeded. */
export async function replyToHost(
  scope: Scope,
  id: string,
  reply: { kind: GuestReply; message: string; origin: TrailOrigin },
): Promise<void> {
  const { kind, message, origin } = reply;
  const type = `guest.${kind}`;
  const mail_id = newId('mail');
  await changeReservation(scope, id, decide, {
    origin,
    columns: (now) => ({ guest_reply: kind, guest_reply_at: now }),
    trail: () => [{ type, data: { mail_id, ...(message && { guest_message: message }) } }],
    prepare: (loaded) => prepareMails(scope, loaded, kind, message, mail_id),
    within: async ({ now }) => {
      // Its own entry is there already; the reservation's row is locked, so that two at once are two.
      const since = now.getTime() - HOUR_MS;
      const said = (await listTrail(scope, id)).filter((entry) =>
        GUEST_REPLIES.some((one) => entry.type === `guest.${one}`),
      );
      const lately = said.filter(({ created_at }) => created_at.getTime() > since);
      if (lately.length > MOST_AN_HOUR || said.length > MOST_AT_ALL) throw new AppError('rate_limit_exceeded');
    },
  });
}

async function prepareMails(
  scope: Scope,
  { row, property }: LoadedReservation,
  kind: GuestReply,
  message: string,
  mail_id: string,
) {
  const owners = await findOwnerEmails(scope.team_id);
  const content = await renderGuestReplyEmail({
    kind,
    message,
    guest_name: row.guest_name,
    property_name: property.name,
    checkin_date: dayToText(row.checkin_date),
    answerable: row.guest_email !== null,
    reservation_url: `${config().app_url}/reservations/${row.id}`,
  });
  return async () => {
    for (const [index, to] of owners.entries()) {
      const first = index === 0 ? { id: mail_id } : {};
      const about = { template: 'guest_reply', to, reservation_id: row.id, reply_to: row.guest_email };
      await queueMail(scope, { ...content, ...first, ...about });
    }
    await queueNotice(scope, row.id, kind);
  };
}
