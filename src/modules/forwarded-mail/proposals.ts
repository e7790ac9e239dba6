/**
 * Applies cancellations and changes from mails with the channel's valid DKIM signature, if a
 * reservation has the mail's code. The change is applied when the host agrees, or automatically if
 * the source is configured so. It can be reverted for a day.
 */

import type { SyncSource } from '@/generated/prisma/client';
import { lockProperty } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import * as lifecycle from '@/modules/reservations/rules/lifecycle';
import {
  createReservationTransitionRefusal,
  type ReservationFactsForRules,
  type ReservationTransitionDecision,
} from '@/modules/reservations/rules/transitions';
import {
  applyReservationTransition,
  type ReservationChangeOptions,
  type ReservationTransitionDecider,
} from '@/modules/reservations/save-transition';
import { addDays } from '@/modules/sync-sources/feed/calendar-days';
import { listBookingsThatMailMayReferTo } from '@/modules/sync-sources/service';
import { convertDatabaseDateToIsoDay, parseCalendarDay } from '@/shared/calendar-day';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import { getLocalDate } from '@/shared/zoned-time';
import { type ExtractedMailData, extractedMailJsonColumn } from './json-columns.schemas';
import { proposeReservationChange, type ReservationChangeProposal } from './mail/merge.rules';
import * as repository from './repository';

/** A mail can be about a stay that ended at most this many days ago. */
export const MAX_DAYS_BETWEEN_STAY_END_AND_MAIL = 365;

const UNDO_MS = 24 * 60 * 60 * 1_000;

/** The `reason` that is stored with a mail after its proposal was applied. */
const APPLIED = { cancel: 'cancelled_by_mail', move: 'moved_by_mail' } as const;
/** The `reason` of a mail that is back in the inbox after a revert. */
const WAITS_AS: Record<string, string> = { cancelled_by_mail: 'cancellation', moved_by_mail: 'change' };

type StoredMail = Pick<
  repository.InboundMailWithoutRawContent,
  'id' | 'status' | 'reason' | 'extracted' | 'sync_source_id' | 'received_at' | 'handled_at' | 'reservation_id'
>;

/**
 * Returns whether the channel wrote a later mail about the same booking. Compares the times of
 * writing. If these are unknown, compares the times of arrival.
 */
export async function isForwardedMailSuperseded(
  scope: Scope,
  mail: SameBooking,
  reading: ExtractedMailData,
): Promise<boolean> {
  const code = reading.extraction?.reservation_code;
  if (!code) return false;
  const others = await repository.listForwardedMailsOfBooking(scope, mail, code);
  return others.some((other) => {
    const [theirs, own] = [extractedMailJsonColumn.read(other.extracted).written_at, reading.written_at];
    return theirs !== null && own !== null && theirs !== own ? theirs > own : other.received_at > mail.received_at;
  });
}

/**
 * Returns whether another verified mail in the inbox asks for the same change of the same booking.
 * The host may have reverted that mail's change, so the change must not be applied automatically
 * again.
 */
export async function hasOtherInboxMailAskingForSameChange(
  scope: Scope,
  mail: SameBooking,
  reading: ExtractedMailData,
): Promise<boolean> {
  const { extraction } = reading;
  if (!extraction?.reservation_code) return false;
  const others = await repository.listForwardedMailsOfBooking(scope, mail, extraction.reservation_code);
  return others.some(({ status, extracted }) => {
    const other = extractedMailJsonColumn.read(extracted);
    return status === 'inbox' && other.verified && other.extraction?.intent === extraction.intent;
  });
}

type SameBooking = Pick<StoredMail, 'sync_source_id' | 'received_at'> & { readonly id?: string };

/**
 * Returns the change that a waiting mail proposes. Returns null when the mail is not verified, or
 * when a later mail is about the same booking.
 */
export async function findReservationChangeProposal(
  scope: Scope,
  property_id: string,
  mail: StoredMail,
): Promise<ReservationChangeProposal | null> {
  const reading = extractedMailJsonColumn.read(mail.extracted);
  const { extraction, verified } = reading;
  if (mail.status !== 'inbox' || !extraction?.reservation_code || !verified) return null;
  if (await isForwardedMailSuperseded(scope, mail, reading)) return null;
  const today = getLocalDate(clock().now(), await repository.findPropertyTimezone(scope, property_id));
  const bookings = await listBookingsThatMailMayReferTo(
    scope,
    property_id,
    addDays(today, -MAX_DAYS_BETWEEN_STAY_END_AND_MAIL),
  );
  return proposeReservationChange(extraction, verified, bookings, today);
}

/**
 * Cancels or moves the reservation, in the caller's transaction. Returns the columns to store with
 * the mail. Throws concurrent_edit when the reservation must not be changed any more.
 */
export async function applyReservationChangeProposal(scope: Scope, proposal: ReservationChangeProposal) {
  const { what, reservation_id } = proposal;
  if (what === 'cancel') {
    const { row } = await mustChange(scope, reservation_id, (facts, context, now) =>
      isOpen(facts)
        ? lifecycle.cancel(facts, context, 'host', now)
        : createReservationTransitionRefusal('concurrent_edit'),
    );
    const cancelled_at = row.cancelled_at?.toISOString() ?? null;
    return { status: 'applied' as const, reason: APPLIED[what], reservation_id, cancelled_at };
  }
  await moveStay(scope, reservation_id, proposal, proposal.was);
  const { checkin_date, checkout_date } = proposal.was;
  const was = { was_checkin_date: parseCalendarDay(checkin_date), was_checkout_date: parseCalendarDay(checkout_date) };
  return { status: 'applied' as const, reason: APPLIED[what], reservation_id, cancelled_at: null, ...was };
}

/** Returns whether a mail may change the reservation. */
const isOpen = ({ status, redacted, legal_hold, manual_override }: ReservationFactsForRules): boolean =>
  status !== 'signed' && status !== 'expired' && !redacted && !legal_hold && !manual_override;

/** Changes the reservation. Throws concurrent_edit when nothing changes. */
async function mustChange(
  scope: Scope,
  id: string,
  decide: ReservationTransitionDecider,
  options?: ReservationChangeOptions,
) {
  const { changed, loaded } = await applyReservationTransition(scope, id, decide, options);
  if (!changed) throw new AppError('concurrent_edit');
  return loaded;
}

interface Dates {
  readonly checkin_date: string;
  readonly checkout_date: string;
}

async function moveStay(scope: Scope, id: string, dates: Dates, expected?: Dates): Promise<void> {
  const decide = (facts: ReservationFactsForRules, _context: unknown, now: Date): ReservationTransitionDecision => {
    const changed =
      expected && (facts.checkin_date !== expected.checkin_date || facts.checkout_date !== expected.checkout_date);
    const closed = !isOpen(facts) || facts.status === 'ignored';
    return changed || closed
      ? createReservationTransitionRefusal('concurrent_edit')
      : lifecycle.decideReservationDateChangeFromCalendar(facts, dates, now);
  };
  await mustChange(scope, id, decide, {
    trail: ({ changes }) => [
      {
        type: 'reservation.updated',
        data: { fields: Object.keys(changes).filter((name) => name === 'checkin_date' || name === 'checkout_date') },
      },
    ],
  });
}

/**
 * Applies the change that a mail proposes. Throws resource_missing, concurrent_edit (the mail was
 * handled already, or its change is no longer possible), and the errors of a cancellation.
 */
export async function applyChangeProposedByMail(scope: Scope, mail: StoredMail, source: SyncSource): Promise<void> {
  await inTransaction(scope, async () => {
    await lockProperty(scope, source.property_id);
    const proposal = await findReservationChangeProposal(scope, source.property_id, mail);
    if (!proposal) throw new AppError('concurrent_edit');
    const { cancelled_at, ...done } = await applyReservationChangeProposal(scope, proposal);
    const extracted = extractedMailJsonColumn.write({ ...extractedMailJsonColumn.read(mail.extracted), cancelled_at });
    const handled = { ...done, extracted, handled_at: clock().now() };
    if (!(await repository.changeForwardedMailStatus(scope, mail.id, 'inbox', handled)))
      throw new AppError('concurrent_edit');
  });
}

/**
 * Returns the time until which a mail's change can be reverted, or null when it cannot be reverted.
 */
export function getMailChangeUndoDeadline({ status, reason, handled_at }: StoredMail): Date | null {
  if (status !== 'applied' || !reason || !Object.hasOwn(WAITS_AS, reason) || !handled_at) return null;
  const until = new Date(handled_at.getTime() + UNDO_MS);
  return until > clock().now() ? until : null;
}

/**
 * Reverts a mail's change and moves the mail back to the inbox. Throws concurrent_edit after a day,
 * or when the reservation was changed since.
 */
export async function undoChangeProposedByMail(
  scope: Scope,
  mail: StoredMail & { was_checkin_date: Date | null; was_checkout_date: Date | null },
): Promise<void> {
  const { reservation_id, was_checkin_date, was_checkout_date, reason } = mail;
  if (!getMailChangeUndoDeadline(mail) || !reservation_id || !reason) throw new AppError('concurrent_edit');
  const { extraction, cancelled_at } = extractedMailJsonColumn.read(mail.extracted);
  await inTransaction(scope, async () => {
    if (was_checkin_date && was_checkout_date) {
      const now = { checkin_date: extraction?.checkin_date ?? '', checkout_date: extraction?.checkout_date ?? '' };
      const was = {
        checkin_date: convertDatabaseDateToIsoDay(was_checkin_date),
        checkout_date: convertDatabaseDateToIsoDay(was_checkout_date),
      };
      await moveStay(scope, reservation_id, was, now);
    } else {
      // Only the cancellation by this mail is reverted, not a later one.
      const isThisOne = (facts: ReservationFactsForRules) =>
        facts.status === 'ignored' && facts.cancelled_at !== null && facts.cancelled_at.toISOString() === cancelled_at;
      await mustChange(
        scope,
        reservation_id,
        (facts) =>
          isOpen(facts) && isThisOne(facts)
            ? lifecycle.restoreReservationBackInCalendar(facts)
            : createReservationTransitionRefusal('concurrent_edit'),
        { trail: () => [{ type: 'reservation.restored' }] },
      );
    }
    const waiting = { status: 'inbox', reason: WAITS_AS[reason], handled_at: null };
    const left = { ...waiting, was_checkin_date: null, was_checkout_date: null };
    if (!(await repository.changeForwardedMailStatus(scope, mail.id, 'applied', left)))
      throw new AppError('concurrent_edit');
  });
}
