/** The inbox: forwarded mail that a host completes by hand, or sets aside. */

import { appSecret } from '@/config';
import type { InboundMail } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { decryptBytes } from '@/infra/encryption';
import { retrieveReservation, updateReservation } from '@/modules/reservations/service';
import { addDays } from '@/modules/sync-sources/feed/calendar-days';
import { listBookings, lockBookings, retrieveSource } from '@/modules/sync-sources/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import { extractedMail } from './json-columns.schemas';
import type { UnreadReason } from './mail/mail-job';
import { findPairs } from './mail/merge.rules';
import { createFromMail, MAIL_PURPOSE, readRawMail } from './receive';
import * as repository from './repository';
import type { InboxComplete, InboxDetail, InboxEntry } from './schemas';

const MAX_TEXT = 20_000;
const TOO_MUCH: ReadonlySet<string> = new Set<UnreadReason>(['took_too_long', 'too_much_memory']);

export async function listInbox(
  scope: Scope,
  filter: { waiting: boolean; sync_source_id?: string },
): Promise<InboxEntry[]> {
  return (await repository.listMails(scope, filter)).map(serializeMail);
}

/** With the mail's text, while its bytes are kept, and the reservations it may belong to. Throws resource_missing. */
export async function retrieveMail(scope: Scope, id: string): Promise<InboxDetail> {
  const row = await findMail(scope, id);
  return { ...serializeMail(row), pairs: await pairsOf(scope, row), text: await textOf(row) };
}

async function pairsOf(scope: Scope, row: repository.FoundMail): Promise<InboxDetail['pairs']> {
  const { extraction } = extractedMail.read(row.extracted);
  if (row.status !== 'inbox' || row.reservation_id !== null || extraction === null) return [];
  const days = [extraction, ...extraction.readings]
    .map(({ checkin_date }) => checkin_date)
    .filter((day) => day !== null);
  const first = days.sort()[0];
  if (first === undefined) return [];
  const rows = await listBookings(scope, row.sync_source.property.id, first);
  return findPairs(extraction, rows).map(({ id, guest_name, checkin_date, checkout_date }) => ({
    reservation_id: id,
    guest_name,
    checkin_date,
    checkout_date,
  }));
}

async function findMail(scope: Scope, id: string): Promise<repository.FoundMail> {
  const row = await repository.findMail(scope, id);
  if (!row) throw new AppError('resource_missing', { message: `There is no mail ${id}.` });
  return row;
}

async function textOf({ raw, reason }: InboundMail): Promise<string | null> {
  if (!raw) return null;
  const bytes = decryptBytes(appSecret(), MAIL_PURPOSE, raw);
  // What was too much once is not tried again at each look.
  const read = reason !== null && TOO_MUCH.has(reason) ? null : await readRawMail(bytes);
  const text = read?.ok ? (read.mail.original.texts[0] ?? '') : bytes.toString('latin1');
  return text.slice(0, MAX_TEXT);
}

/**
 * Makes the reservation a mail tells of, or completes the one it belongs to, with what the host typed. Throws
 * resource_missing, concurrent_edit (handled by someone else), invalid_field (`reservation_code`: there is one), and what updateReservation throws.
 */
export async function completeMail(scope: Scope, input: InboxComplete): Promise<{ reservation_id: string }> {
  const mail = await findMail(scope, input.id);
  const source = await retrieveSource(scope, mail.sync_source_id);
  return inTransaction(scope, async () => {
    await lockBookings(scope, source.property_id);
    const reservation_id = input.reservation_id
      ? await completeReservation(scope, source.property_id, input.reservation_id, input)
      : await createReservation();
    const handled = { status: 'applied', reason: 'by_host', reservation_id, handled_at: clock().now() };
    if (!(await repository.moveMail(scope, mail.id, 'inbox', handled))) throw new AppError('concurrent_edit');
    return { reservation_id };

    async function createReservation(): Promise<string> {
      const { reservation_code, source: channel } = input;
      const since = addDays(input.checkin_date, -365);
      const others = await listBookings(scope, source.property_id, since);
      const same = others.find(
        (row) => reservation_code && row.external_id === reservation_code && row.source === channel,
      );
      if (same) {
        const message = 'The property has a reservation with this code already.';
        throw new AppError('invalid_field', { param: 'reservation_code', message });
      }
      const known = extractedMail.read(mail.extracted).extraction;
      const relay_address = known?.relay_address === true && known.guest_email === input.guest_email;
      const { row } = await createFromMail(scope, source, {
        ...input,
        channel,
        relay_address,
        guest_language: known?.guest_language ?? null,
      });
      return row.id;
    }
  });
}

async function completeReservation(
  scope: Scope,
  property_id: string,
  id: string,
  { guest_name, guest_email, checkin_date, checkout_date }: InboxComplete,
): Promise<string> {
  const { row } = await retrieveReservation(scope, id);
  if (row.property_id !== property_id) throw new AppError('resource_missing', { param: 'reservation_id' });
  const changes = { guest_name, checkin_date, checkout_date, ...(guest_email && { guest_email }) };
  await updateReservation(scope, id, changes, null);
  return id;
}

/** Sets a mail aside; it stays listed among all mails. Throws resource_missing, concurrent_edit. */
export async function dismissMail(scope: Scope, id: string): Promise<void> {
  await findMail(scope, id);
  const handled = { status: 'dismissed', reason: 'by_host', handled_at: clock().now() };
  const moved = await inTransaction(scope, () => repository.moveMail(scope, id, 'inbox', handled));
  if (!moved) throw new AppError('concurrent_edit');
}

/** Takes a dismissed mail back into the inbox. Throws resource_missing, concurrent_edit. */
export async function reopenMail(scope: Scope, id: string): Promise<void> {
  await findMail(scope, id);
  const waiting = { status: 'inbox', reason: 'reopened', handled_at: null };
  const moved = await inTransaction(scope, () => repository.moveMail(scope, id, 'dismissed', waiting));
  if (!moved) throw new AppError('concurrent_edit');
}

function serializeMail(row: repository.ListedMail): InboxEntry {
  const { extraction, confirmation, forwarding, verified, original_from, unread } = extractedMail.read(row.extracted);
  return {
    id: row.id,
    sync_source_id: row.sync_source_id,
    property_id: row.sync_source.property.id,
    property_name: row.sync_source.property.name,
    status: row.status as InboxEntry['status'],
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
    confirmation: confirmation && { link: confirmation.link, code: confirmation.code, mailbox: confirmation.mailbox },
    reservation_id: row.reservation_id,
    received_at: row.received_at.toISOString(),
    handled_at: row.handled_at?.toISOString() ?? null,
  };
}
