/**
 * Erases a guest on request: all data found by a name or an address. Certificates are redacted by
 * privacy/service.ts. Each unsigned reservation is erased in the transaction that records it in the
 * receipt, so that a crash leaves no reservation half erased. The next run continues.
 */
import { getAppSecret } from '@/config';
import type { GuestErasure } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { decryptSecret, encryptSecret } from '@/infra/encryption';
import { logger } from '@/infra/logger';
import { recordAuditEntry } from '@/modules/audit-log/service';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { clock } from '@/shared/clock';
import { AppError, isAppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { createRefusal } from '@/shared/refusals/refusal';
import { createSystemScope, type Scope } from '@/shared/scope';
import { listReservationsUnderLegalHold } from '../privacy/redaction.repository';
import {
  redactCertificate,
  redactGuestInRecordsWithoutReservation,
  redactUnsignedReservation,
} from '../privacy/service';
import { lockReservation } from '../repository';
import * as repository from './repository';
import {
  type ErasureCounts,
  type ErasureRequest,
  erasedRecordCountsJsonColumn,
  type GuestErasureReceipt,
  type GuestReservationMatch,
  type GuestToEraseQuery,
  MAX_FORWARDED_MAILS_IN_PREVIEW,
  MAX_RESERVATIONS_PER_ERASURE,
  reservationsKeptByErasureJsonColumn,
} from './schemas';

const PURPOSE = 'guest-erasure';
const LIST_LIMIT = 20;
/** The maximum number of erasures in one run of the durable function. */
const BATCH = 20;

/** Returns what would be erased. Changes nothing. */
export async function previewErasure(scope: Scope, query: GuestToEraseQuery) {
  const rows = await repository.findGuestReservations(scope, query, MAX_RESERVATIONS_PER_ERASURE + 1);
  const held = await listReservationsUnderLegalHold(scope);
  const matches = rows.slice(0, MAX_RESERVATIONS_PER_ERASURE).map(
    ({ signature_id, checkin_date, checkout_date, ...row }): GuestReservationMatch => ({
      ...row,
      checkin_date: checkin_date && convertDatabaseDateToIsoDay(checkin_date),
      checkout_date: checkout_date && convertDatabaseDateToIsoDay(checkout_date),
      signed: signature_id !== null,
      stays: held.has(row.reservation_id) ? 'legal_hold' : null,
    }),
  );
  const mails = await repository.findUnassignedMailsMentioningGuest(scope, query, MAX_FORWARDED_MAILS_IN_PREVIEW);
  return {
    matches,
    has_more: rows.length > MAX_RESERVATIONS_PER_ERASURE,
    loose_mails: mails[0]?.n ?? 0,
    mails: mails.map(({ id, subject, received_at }) => ({ id, subject, received_at: received_at.toISOString() })),
  };
}

/**
 * Creates an erasure. A durable function executes it. Throws resource_missing for a reservation
 * that does not match.
 */
export async function requestErasure(
  scope: Scope,
  user_id: string,
  { name, email, reservation_ids }: ErasureRequest,
): Promise<GuestErasureReceipt> {
  const query = { name, email };
  const found = (await repository.findGuestReservations(scope, query, MAX_RESERVATIONS_PER_ERASURE + 1)).map(
    (row) => row.reservation_id,
  );
  const chosen = found.filter((id) => reservation_ids.includes(id));
  const unknown = reservation_ids.find((id) => !found.includes(id));
  if (unknown !== undefined) {
    throw new AppError('resource_missing', {
      message: createRefusal('no_such_in_mode', { mode: scope.mode, thing: 'reservation', id: unknown }),
      param: 'reservation_ids',
    });
  }
  const seen = chosen.length > 0 || (await repository.findUnassignedMailsMentioningGuest(scope, query, 1)).length > 0;
  const id = newId('guest_erasure');
  const row = {
    id,
    subject: encryptSecret(getAppSecret(), PURPOSE, JSON.stringify(query)),
    reservation_ids: chosen,
    // Rows without a reservation are erased only if the preview found something and the host chose
    // every match. Otherwise they may be about another guest of the same name.
    whole: seen && chosen.length === found.length,
    requested_by: user_id,
    created_at: clock().now(),
  };
  await inTransaction(scope, async () => {
    await repository.insertErasure(scope, row);
    const data = { count: String(chosen.length) };
    await recordAuditEntry(scope, { action: 'guest.erasure_requested', object_id: id, data });
  });
  return retrieveErasure(scope, id);
}

/** Returns an erasure. Throws resource_missing. */
export async function retrieveErasure(scope: Scope, id: string): Promise<GuestErasureReceipt> {
  const row = await repository.findErasure(scope, id);
  if (!row) throw new AppError('resource_missing');
  return serializeErasure(row);
}

/** Returns the latest erasures, newest first. */
export const listErasures = async (scope: Scope): Promise<GuestErasureReceipt[]> =>
  (await repository.listErasures(scope, LIST_LIMIT)).map(serializeErasure);

function serializeErasure(row: GuestErasure): GuestErasureReceipt {
  return {
    id: row.id,
    status: row.status as GuestErasureReceipt['status'],
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    total: row.reservation_ids.length,
    counts: erasedRecordCountsJsonColumn.read(row.counts),
    erased: row.erased_ids,
    kept: reservationsKeptByErasureJsonColumn.read(row.kept),
    whole: row.whole,
  };
}

/** Starts an erasure in the background. If it fails, the durable function continues it. */
export function startGuestErasureInBackground({ team_id, mode }: Scope, id: string): void {
  void continueErasure(createSystemScope(team_id, mode, 'guest-erasure'), id).catch((error) =>
    logger().error({ err: error, erasure_id: id }, 'a guest could not be erased yet'),
  );
}

/** Continues unfinished erasures. Returns how many there were. */
export async function continueErasures(): Promise<number> {
  const running = await repository.findRunningErasures(BATCH);
  for (const { id, team_id, mode } of running)
    await continueErasure(createSystemScope(team_id, mode, 'guest-erasure'), id);
  return running.length;
}

/** Erases the remaining reservations and finishes the erasure. Concurrent calls are safe. */
export async function continueErasure(scope: Scope, id: string): Promise<void> {
  for (;;) {
    const row = await repository.findErasure(scope, id);
    if (row?.status !== 'running' || row.subject === null) return;
    const query = JSON.parse(decryptSecret(getAppSecret(), PURPOSE, row.subject)) as GuestToEraseQuery;
    const settled = new Set([
      ...row.erased_ids,
      ...reservationsKeptByErasureJsonColumn.read(row.kept).map((one) => one.reservation_id),
    ]);
    const next = row.reservation_ids.find((one) => !settled.has(one));
    if (next === undefined) return finish(scope, id, query);
    await eraseReservation(scope, id, next, repository.getGuestSearchTerms(query));
  }
}

/** Erases one reservation and adds the result to the receipt. */
async function eraseReservation(scope: Scope, id: string, reservation_id: string, also: readonly string[]) {
  const { signature_id } = await repository.findErasableReservation(scope, reservation_id);
  const counts = await repository.countErasableRecordsOfReservation(scope, reservation_id, signature_id);
  if (signature_id) {
    // redactCertificate has its own transaction, because it first reads the file from the storage.
    // After a crash it can be repeated.
    const refused = await redactCertificate(scope, signature_id, also).catch((error) => error);
    if (isAppError(refused) && refused.code === 'legal_hold') return settle(scope, id, reservation_id, 'legal_hold');
    if (refused instanceof Error) throw refused;
    return settle(scope, id, reservation_id, counts);
  }
  await inTransaction(scope, async () => {
    await lockReservation(scope, reservation_id);
    const now = await repository.findErasableReservation(scope, reservation_id);
    // The guest signed in the meantime. continueErasure repeats the call, which then redacts the
    // certificate.
    if (now.signature_id) return;
    if ((await listReservationsUnderLegalHold(scope)).has(reservation_id))
      return settle(scope, id, reservation_id, 'legal_hold');
    if (!now.redacted) await redactUnsignedReservation(scope, reservation_id, also);
    await settle(scope, id, reservation_id, counts);
  });
}

/**
 * Records the result of erasing one reservation, unless the reservation is already recorded as
 * erased.
 */
function settle(scope: Scope, id: string, reservation_id: string, outcome: ErasureCounts | 'legal_hold') {
  return inTransaction(scope, async () => {
    const row = await repository.lockErasure(scope, id);
    if (!row || row.erased_ids.includes(reservation_id)) return;
    if (typeof outcome === 'string') {
      const kept = [...reservationsKeptByErasureJsonColumn.read(row.kept), { reservation_id, reason: outcome }];
      return repository.saveErasure(scope, id, { kept: reservationsKeptByErasureJsonColumn.write(kept) });
    }
    const before = erasedRecordCountsJsonColumn.read(row.counts);
    const sum = Object.fromEntries(
      Object.entries(before).map(([name, count]) => [name, count + outcome[name as keyof ErasureCounts]]),
    ) as ErasureCounts;
    const erased_ids = [...row.erased_ids, reservation_id];
    await repository.saveErasure(scope, id, { erased_ids, counts: erasedRecordCountsJsonColumn.write(sum) });
  });
}

function finish(scope: Scope, id: string, query: GuestToEraseQuery) {
  return inTransaction(scope, async () => {
    const row = await repository.lockErasure(scope, id);
    if (row?.status !== 'running') return;
    // If a reservation of this guest remains, for example under legal hold, mails and logs without
    // a reservation are kept, because they may concern that stay.
    const alone = row.whole && (await repository.findGuestReservations(scope, query, 1)).length === 0;
    const whole =
      alone && (await redactGuestInRecordsWithoutReservation(scope, id, repository.getGuestSearchTerms(query)));
    await repository.saveErasure(scope, id, { status: 'done', subject: null, whole, finished_at: clock().now() });
    const data = { count: String(row.erased_ids.length) };
    await recordAuditEntry(scope, { action: 'guest.erased', object_id: id, data });
  });
}
