/**
 * Handles a guest's reply instead of a signature: a question or a refusal. Creates a trail entry
 * with the message, a mail to the owners and push notifications. Marks the reservation until it is
 * signed or a host removes the mark. The status does not change.
 */
import { config } from '@/config';
import { renderGuestReplyEmail } from '@/emails/signing/guest-reply';
import { findOwnerEmailAddresses } from '@/modules/accounts/team.service';
import { queueMail } from '@/modules/mail/service';
import { queuePushNotification } from '@/modules/push/service';
import * as lifecycle from '@/modules/reservations/rules/lifecycle';
import {
  createReservationDecisionKeepingStatus,
  type ReservationFactsForRules,
  type ReservationRuleContext,
  type ReservationTransitionDecision,
} from '@/modules/reservations/rules/transitions';
import {
  applyReservationTransition,
  type ReservationWithPropertyAndPacket,
} from '@/modules/reservations/save-transition';
import { GUEST_REPLY_KINDS, type GuestReplyKind } from '@/modules/reservations/schemas';
import { type GuestBrowserDetails, listTrailEntries } from '@/modules/trail/service';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';

/**
 * The maximum number of replies to a reservation, per hour and in total. Replies are limited
 * because the certificate contains all of them.
 */
const MAX_PER_HOUR = 5;
const MAX_IN_TOTAL = 20;
const HOUR_MS = 60 * 60 * 1000;

/**
 * Decides whether the guest may reply. The conditions are the same as for signing. Returns the
 * refusal of signing when they are not met.
 */
function decide(
  facts: ReservationFactsForRules,
  context: ReservationRuleContext,
  now: Date,
): ReservationTransitionDecision {
  const sign = lifecycle.sign(facts, context, { signature_id: 'sig_undecided' }, now);
  return sign.kind === 'change' ? createReservationDecisionKeepingStatus() : sign;
}

/** Records a guest's reply. Throws rate_limit_exceeded and the refusals of lifecycle.sign. */
export async function recordGuestReply(
  scope: Scope,
  id: string,
  reply: { kind: GuestReplyKind; message: string; origin: GuestBrowserDetails },
): Promise<void> {
  const { kind, message, origin } = reply;
  const type = `guest.${kind}`;
  const mail_id = newId('mail');
  await applyReservationTransition(scope, id, decide, {
    origin,
    columns: (now) => ({ guest_reply: kind, guest_reply_at: now }),
    trail: () => [{ type, data: { mail_id, ...(message && { guest_message: message }) } }],
    prepare: (loaded) => prepareMails(scope, loaded, kind, message, mail_id),
    within: async ({ now }) => {
      // The counted replies include this one. The reservation's row is locked, so that concurrent
      // replies are counted too.
      const since = now.getTime() - HOUR_MS;
      const replies = (await listTrailEntries(scope, id)).filter((entry) =>
        GUEST_REPLY_KINDS.some((one) => entry.type === `guest.${one}`),
      );
      const recent = replies.filter(({ created_at }) => created_at.getTime() > since);
      if (recent.length > MAX_PER_HOUR || replies.length > MAX_IN_TOTAL) throw new AppError('rate_limit_exceeded');
    },
  });
}

async function prepareMails(
  scope: Scope,
  { row, property }: ReservationWithPropertyAndPacket,
  kind: GuestReplyKind,
  message: string,
  mail_id: string,
) {
  const owners = await findOwnerEmailAddresses(scope.team_id);
  const content = await renderGuestReplyEmail({
    kind,
    message,
    guest_name: row.guest_name,
    property_name: property.name,
    checkin_date: convertDatabaseDateToIsoDay(row.checkin_date),
    answerable: row.guest_email !== null,
    reservation_url: `${config().app_url}/reservations/${row.id}`,
  });
  return async () => {
    for (const [index, to] of owners.entries()) {
      const first = index === 0 ? { id: mail_id } : {};
      const about = { template: 'guest_reply', to, reservation_id: row.id, reply_to: row.guest_email };
      await queueMail(scope, { ...content, ...first, ...about });
    }
    await queuePushNotification(scope, row.id, kind);
  };
}
