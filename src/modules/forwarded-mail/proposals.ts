/**
 * Cancellations and changes that the channel signed, of a booking whose code a reservation has: applied by the host's
 * click, or at once where the forwarding address is set so, and undone for a day.
 */
import type { SyncSource } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import * as lifecycle from '@/modules/reservations/rules/lifecycle';
import { type Decision, type ReservationFacts, refuse } from '@/modules/reservations/rules/transitions';
import { changeReservation } from '@/modules/reservations/save-transition';
import { addDays } from '@/modules/sync-sources/feed/calendar-days';
import { listBookings, lockBookings } from '@/modules/sync-sources/service';
import { dayToText, textToDay } from '@/shared/calendar-day';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import { localDate } from '@/shared/zoned-time';
import { extractedMail } from './json-columns.schemas';
import { type Proposal, proposalOf } from './mail/merge.rules';
import * as repository from './repository';

/** Stays that ended longer ago are not what a mail speaks of. */
export const HISTORY_DAYS = 365;

const UNDO_MS = 24 * 60 * 60 * 1_000;

/** What a proposal made of a mail: `reason`, and the stay as it was. */
const APPLIED = { cancel: 'cancelled_by_mail', move: 'moved_by_mail' } as const;
/** Why the mail waits again once that is undone. */
const WAITS_AS: Record<string, string> = { cancelled_by_mail: 'cancellation', moved_by_mail: 'change' };

type StoredMail = Pick<
  repository.ListedMail,
  'id' | 'status' | 'reason' | 'extracted' | 'sync_source_id' | 'received_at' | 'handled_at' | 'reservation_id'
>;

/** What a waiting mail proposes; null when it proves nothing, or a later mail speaks of the same booking. */
export async function findProposal(scope: Scope, property_id: string, mail: StoredMail): Promise<Proposal | null> {
  const { extraction, verified } = extractedMail.read(mail.extracted);
  if (mail.status !== 'inbox' || !extraction?.reservation_code || !verified) return null;
  if (await repository.hasLaterMail(scope, mail, extraction.reservation_code)) return null;
  const today = localDate(clock().now(), await repository.findTimezone(scope, property_id));
  const bookings = await listBookings(scope, property_id, addDays(today, -HISTORY_DAYS));
  return proposalOf(extraction, verified, bookings, today);
}

/** Cancels or moves the reservation, in the caller's transaction. Returns what to store of the mail. */
export async function carryOutProposal(scope: Scope, proposal: Proposal) {
  const { what, reservation_id } = proposal;
  if (what === 'cancel') {
    await changeReservation(scope, reservation_id, (facts, context, now) =>
      lifecycle.cancel(facts, context, 'host', now),
    );
    return { status: 'applied' as const, reason: APPLIED[what], reservation_id };
  }
  await moveStay(scope, reservation_id, proposal);
  const { checkin_date, checkout_date } = proposal.was;
  const was = { was_checkin_date: textToDay(checkin_date), was_checkout_date: textToDay(checkout_date) };
  return { status: 'applied' as const, reason: APPLIED[what], reservation_id, ...was };
}

interface Dates {
  readonly checkin_date: string;
  readonly checkout_date: string;
}

async function moveStay(scope: Scope, id: string, dates: Dates, expected?: Dates): Promise<void> {
  const decide = (facts: ReservationFacts, _context: unknown, now: Date): Decision => {
    const changed =
      expected && (facts.checkin_date !== expected.checkin_date || facts.checkout_date !== expected.checkout_date);
    return changed ? refuse('concurrent_edit') : lifecycle.moveDates(facts, dates, now);
  };
  await changeReservation(scope, id, decide, {
    trail: ({ changes }) => [
      {
        type: 'reservation.updated',
        data: { fields: Object.keys(changes).filter((name) => name === 'checkin_date' || name === 'checkout_date') },
      },
    ],
  });
}

/**
 * Does what a proven mail says. Throws resource_missing, concurrent_edit (it was handled, or no longer fits), and what
 * the cancellation of a reservation throws.
 */
export async function applyMail(scope: Scope, mail: StoredMail, source: SyncSource): Promise<void> {
  await inTransaction(scope, async () => {
    await lockBookings(scope, source.property_id);
    const proposal = await findProposal(scope, source.property_id, mail);
    if (!proposal) throw new AppError('concurrent_edit');
    const handled = { ...(await carryOutProposal(scope, proposal)), handled_at: clock().now() };
    if (!(await repository.moveMail(scope, mail.id, 'inbox', handled))) throw new AppError('concurrent_edit');
  });
}

/** Until when what a mail did can be undone; null when there is nothing to undo. */
export function undoableUntil({ status, reason, handled_at }: StoredMail): Date | null {
  if (status !== 'applied' || !reason || !Object.hasOwn(WAITS_AS, reason) || !handled_at) return null;
  const until = new Date(handled_at.getTime() + UNDO_MS);
  return until > clock().now() ? until : null;
}

/**
 * Takes back what a mail did: the reservation is as it was, and the mail waits again. Throws concurrent_edit when the day
 * is over, or the reservation was changed meanwhile.
 */
export async function undoMail(
  scope: Scope,
  mail: StoredMail & { was_checkin_date: Date | null; was_checkout_date: Date | null },
): Promise<void> {
  const { reservation_id, was_checkin_date, was_checkout_date, handled_at, reason } = mail;
  if (!undoableUntil(mail) || !reservation_id || !handled_at || !reason) throw new AppError('concurrent_edit');
  await inTransaction(scope, async () => {
    if (was_checkin_date && was_checkout_date) {
      const { extraction } = extractedMail.read(mail.extracted);
      const now = { checkin_date: extraction?.checkin_date ?? '', checkout_date: extraction?.checkout_date ?? '' };
      const was = { checkin_date: dayToText(was_checkin_date), checkout_date: dayToText(was_checkout_date) };
      await moveStay(scope, reservation_id, was, now);
    } else {
      await changeReservation(
        scope,
        reservation_id,
        (facts) => (facts.status === 'ignored' ? lifecycle.comeBack(facts) : refuse('concurrent_edit')),
        { trail: () => [{ type: 'reservation.restored' }] },
      );
    }
    const waiting = { status: 'inbox', reason: WAITS_AS[reason], handled_at: null };
    const left = { ...waiting, was_checkin_date: null, was_checkout_date: null };
    if (!(await repository.moveMail(scope, mail.id, 'applied', left))) throw new AppError('concurrent_edit');
  });
}
