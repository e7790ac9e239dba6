/** The inbox: forwarded mail that waits for a host, who completes or dismisses it. */

import { getAppSecret } from '@/config';
import type { InboundMail } from '@/generated/prisma/client';
import { lockProperty } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { decryptBytes } from '@/infra/encryption';
import { retrieveReservation, updateReservation } from '@/modules/reservations/service';
import { addDays } from '@/modules/sync-sources/feed/calendar-days';
import {
  getReservationCodeFromExternalId,
  hasReservationCodeOtherThan,
} from '@/modules/sync-sources/plan/guest-identity';
import { listBookingsThatMailMayReferTo, retrieveSyncSource } from '@/modules/sync-sources/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { extractedMailJsonColumn } from './json-columns.schemas';
import type { UnreadableMailReason } from './mail/mail-job';
import { findReservationsMailMayBelongTo, type ReservationToMatchWithMail } from './mail/merge.rules';
import {
  applyChangeProposedByMail,
  findReservationChangeProposal,
  getMailChangeUndoDeadline,
  undoChangeProposedByMail,
} from './proposals';
import {
  createReservationFromMail,
  MAIL_ENCRYPTION_PURPOSE,
  parseRawMail,
  saveReservationColumnsFromMail,
} from './receive';
import * as repository from './repository';
import type { ForwardedMailDetail, ForwardedMailListItem, ReservationCompletionFromMailInput } from './schemas';

const MAX_TEXT = 20_000;
const TOO_MUCH: ReadonlySet<string> = new Set<UnreadableMailReason>(['took_too_long', 'too_much_memory']);

export async function listInboxMails(
  scope: Scope,
  filter: { waiting: boolean; sync_source_id?: string },
): Promise<ForwardedMailListItem[]> {
  return (await repository.listForwardedMails(scope, filter)).map(serializeMail);
}

/**
 * Returns a mail with its text, if the text is still stored, and the reservations that it may
 * belong to. Throws resource_missing.
 */
export async function retrieveForwardedMail(scope: Scope, id: string): Promise<ForwardedMailDetail> {
  const row = await findMail(scope, id);
  const property_id = row.sync_source.property.id;
  return {
    ...serializeMail(row),
    pairs: await pairsOf(scope, row),
    proposal: await findReservationChangeProposal(scope, property_id, row),
    text: await textOf(row),
  };
}

/**
 * Applies the cancellation or change that a verified mail from the channel reports. Throws
 * resource_missing, concurrent_edit and the errors of a cancellation.
 */
export async function applyReservationChangeFromVerifiedMail(scope: Scope, id: string): Promise<void> {
  const mail = await findMail(scope, id);
  await applyChangeProposedByMail(scope, mail, await retrieveSyncSource(scope, mail.sync_source_id));
}

/**
 * Reverts the change that a verified mail made, within a day. Throws resource_missing and
 * concurrent_edit.
 */
export async function undoReservationChangeFromVerifiedMail(scope: Scope, id: string): Promise<void> {
  await undoChangeProposedByMail(scope, await findMail(scope, id));
}

async function pairsOf(scope: Scope, row: repository.InboundMailWithProperty): Promise<ForwardedMailDetail['pairs']> {
  const { extraction } = extractedMailJsonColumn.read(row.extracted);
  if (row.status !== 'inbox' || row.reservation_id !== null || extraction === null) return [];
  const days = [extraction, ...extraction.readings]
    .map(({ checkin_date }) => checkin_date)
    .filter((day) => day !== null);
  const first = days.sort()[0];
  if (first === undefined) return [];
  const rows = await listBookingsThatMailMayReferTo(scope, row.sync_source.property.id, first);
  return findReservationsMailMayBelongTo(extraction, rows).map(({ id, guest_name, checkin_date, checkout_date }) => ({
    reservation_id: id,
    guest_name,
    checkin_date,
    checkout_date,
  }));
}

async function findMail(scope: Scope, id: string): Promise<repository.InboundMailWithProperty> {
  const row = await repository.findForwardedMail(scope, id);
  if (!row) throw new AppError('resource_missing', { message: createRefusal('no_such_mail', { id }) });
  return row;
}

async function textOf({ raw, reason }: InboundMail): Promise<string | null> {
  if (!raw) return null;
  const bytes = decryptBytes(getAppSecret(), MAIL_ENCRYPTION_PURPOSE, raw);
  // A mail that exceeded the parser's time or memory limit is shown unparsed.
  const read = reason !== null && TOO_MUCH.has(reason) ? null : await parseRawMail(bytes);
  const text = read?.ok ? (read.mail.original.texts[0] ?? '') : bytes.toString('latin1');
  return text.slice(0, MAX_TEXT);
}

/**
 * Creates the reservation that a mail describes, or updates the chosen reservation, with the host's
 * input. Throws resource_missing, concurrent_edit (another user handled the mail), invalid_field
 * (`reservation_code` is in use), and the errors of updateReservation.
 */
export async function completeReservationFromMail(
  scope: Scope,
  input: ReservationCompletionFromMailInput,
): Promise<{ reservation_id: string }> {
  const mail = await findMail(scope, input.id);
  const source = await retrieveSyncSource(scope, mail.sync_source_id);
  return inTransaction(scope, async () => {
    await lockProperty(scope, source.property_id);
    const { extraction } = extractedMailJsonColumn.read(mail.extracted);
    const relay_address = extraction?.relay_address === true && extraction.guest_email === input.guest_email;
    const reservation_id = input.reservation_id
      ? await completeReservation(scope, source.property_id, input.reservation_id, input, relay_address)
      : await createReservation();
    const handled = { status: 'applied', reason: 'by_host', reservation_id, handled_at: clock().now() };
    if (!(await repository.changeForwardedMailStatus(scope, mail.id, 'inbox', handled)))
      throw new AppError('concurrent_edit');
    if (input.reservation_code !== null) {
      await repository.linkInboxMailsToReservation(scope, source.id, input.reservation_code, reservation_id);
    }
    return { reservation_id };

    async function createReservation(): Promise<string> {
      assertCodeIsFree(await bookingsAround(scope, source.property_id, input), input);
      const { row } = await createReservationFromMail(scope, source, {
        ...input,
        channel: input.source,
        relay_address,
        guest_language: extraction?.guest_language ?? null,
      });
      return row.id;
    }
  });
}

/** Returns the property's reservations that may overlap the stay or have its code. */
const bookingsAround = (scope: Scope, property_id: string, { checkin_date }: ReservationCompletionFromMailInput) =>
  listBookingsThatMailMayReferTo(scope, property_id, addDays(checkin_date, -365));

/**
 * Throws invalid_field (`reservation_code`) when another reservation of the channel has the code.
 */
function assertCodeIsFree(
  bookings: readonly ReservationToMatchWithMail[],
  { reservation_code, source }: ReservationCompletionFromMailInput,
  except_id: string | null = null,
): void {
  const isSame = (row: ReservationToMatchWithMail) => row.external_id === reservation_code && row.source === source;
  if (reservation_code === null || !bookings.some((row) => row.id !== except_id && isSame(row))) return;
  const message = 'The property has a reservation with this code already.';
  throw new AppError('invalid_field', { param: 'reservation_code', message });
}

async function completeReservation(
  scope: Scope,
  property_id: string,
  id: string,
  input: ReservationCompletionFromMailInput,
  guest_email_relay: boolean,
): Promise<string> {
  const { guest_name, guest_email, checkin_date, checkout_date, reservation_code } = input;
  const { row } = await retrieveReservation(scope, id);
  if (row.property_id !== property_id) throw new AppError('resource_missing', { param: 'reservation_id' });
  const bookings = await bookingsAround(scope, property_id, input);
  const known = bookings.find((booking) => booking.id === id);
  if (known && hasReservationCodeOtherThan(known, reservation_code)) {
    const message = `The reservation belongs to another booking: its code is ${known.external_id}.`;
    throw new AppError('invalid_field', { param: 'reservation_code', message });
  }
  assertCodeIsFree(bookings, input, id);
  const changes = { guest_name, checkin_date, checkout_date, ...(guest_email && { guest_email }) };
  await updateReservation(scope, id, changes, null);
  await saveReservationColumnsFromMail(scope, id, {
    // The code is stored, because later mails may identify the booking only by its code.
    ...(known &&
      getReservationCodeFromExternalId(known) === null &&
      reservation_code !== null && { external_id: reservation_code }),
    ...(guest_email && { guest_email_relay }),
  });
  return id;
}

/**
 * Dismisses a mail. It remains in the list of all mails. Throws resource_missing and
 * concurrent_edit.
 */
export async function dismissForwardedMail(scope: Scope, id: string): Promise<void> {
  await findMail(scope, id);
  const handled = { status: 'dismissed', reason: 'by_host', handled_at: clock().now() };
  const moved = await inTransaction(scope, () => repository.changeForwardedMailStatus(scope, id, 'inbox', handled));
  if (!moved) throw new AppError('concurrent_edit');
}

/** Moves a dismissed mail back to the inbox. Throws resource_missing and concurrent_edit. */
export async function reopenForwardedMail(scope: Scope, id: string): Promise<void> {
  await findMail(scope, id);
  const waiting = { status: 'inbox', reason: 'reopened', handled_at: null };
  const moved = await inTransaction(scope, () => repository.changeForwardedMailStatus(scope, id, 'dismissed', waiting));
  if (!moved) throw new AppError('concurrent_edit');
}

function serializeMail(row: repository.InboundMailWithoutRawContent): ForwardedMailListItem {
  const { extraction, confirmation, forwarding, verified, original_from, unread } = extractedMailJsonColumn.read(
    row.extracted,
  );
  return {
    id: row.id,
    sync_source_id: row.sync_source_id,
    property_id: row.sync_source.property.id,
    property_name: row.sync_source.property.name,
    status: row.status as ForwardedMailListItem['status'],
    reason: row.reason,
    from_address: row.from_address,
    original_from,
    subject: row.subject,
    forwarding,
    unread: [...unread],
    verified,
    found: extraction && {
      channel: extraction.channel,
      guest_name: extraction.guest_name,
      guest_email: extraction.guest_email,
      checkin_date: extraction.checkin_date,
      checkout_date: extraction.checkout_date,
      reservation_code: extraction.reservation_code,
      readings: [...extraction.readings],
    },
    confirmation,
    reservation_id: row.reservation_id,
    received_at: row.received_at.toISOString(),
    handled_at: row.handled_at?.toISOString() ?? null,
    undoable_until: getMailChangeUndoDeadline(row)?.toISOString() ?? null,
  };
}
