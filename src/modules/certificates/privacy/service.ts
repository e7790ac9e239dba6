/**
 * Legal hold, redaction and the guest's copy (design "Guest's evidence"). Redaction removes the
 * guest's personal data. Salted hashes and the fact of the redaction remain. A legal hold blocks
 * redaction, deletion and retention.
 */

import { recordEvent } from '@/events/record';
import { eraseDeletedData } from '@/infra/db/housekeeping';
import { lockPropertyAgainstDeletion } from '@/infra/db/locks';
import { inTransaction, runAfterCommit } from '@/infra/db/transaction';
import type { AuditAction } from '@/modules/audit-log/actions';
import { recordAuditEntry } from '@/modules/audit-log/service';
import { findReservationForTransition } from '@/modules/reservations/save-transition';
import { serializeReservationWithPacket } from '@/modules/reservations/service';
import { computeTrailHashAtRedaction } from '@/modules/trail/attestation';
import {
  appendTrailEntries,
  convertRowToChainedTrailEntry,
  type GuestBrowserDetails,
  listTrailEntries,
} from '@/modules/trail/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import { scheduleStoredObjectRemoval } from '../files/move';
import { awaitFileOrGoneIfLostOrDamaged, readSealedPdf } from '../files/read';
import * as repository from '../repository';
import { wasAnyCertificateRedactedSince } from '../repository';
import type { SignatureWithoutLargeColumns } from '../serializer';
import { retrieveCertificateWithoutTrail } from '../service';
import type { SignatureWithTenantScope } from '../verify/verification';
import * as redaction from './redaction.repository';

/** Sets or lifts the hold on a certificate and its reservation. Throws resource_missing. */
export async function setLegalHold(
  scope: Scope,
  id: string,
  legal_hold: boolean,
): Promise<SignatureWithoutLargeColumns> {
  const head = await retrieveCertificateWithoutTrail(scope, id);
  if (head.legal_hold === legal_hold) return head;
  const now = clock().now();
  await inTransaction(scope, async () => {
    // Without the lock, a concurrent deletion of the property could check for holds before this
    // hold is set, and delete the reservation afterwards.
    await lockPropertyAgainstDeletion(scope, head.property_id);
    if (!(await repository.lockTeamAgainstDeletion(scope))) throw new AppError('resource_missing');
    await repository.lockReservation(scope, head.reservation_id);
    // Locks the reservations that this one replaced. A concurrent erasure of one of them either
    // finishes before the hold is set, or finds the hold.
    for (const replaced of await redaction.listIdsOfReplacedReservations(scope, [head.reservation_id]))
      await repository.lockReservation(scope, replaced);
    await repository.saveLegalHold(scope, head, legal_hold, now);
    await record(scope, head, legal_hold ? 'legal_hold.set' : 'legal_hold.lifted', now);
  });
  return retrieveCertificateWithoutTrail(scope, id);
}

/** Revokes or restores the guest's copy link. Throws resource_missing. */
export async function setGuestCertificateCopyRevoked(
  scope: Scope,
  id: string,
  revoked: boolean,
): Promise<SignatureWithoutLargeColumns> {
  const head = await retrieveCertificateWithoutTrail(scope, id);
  if ((head.copy_revoked_at !== null) === revoked) return head;
  const now = clock().now();
  await inTransaction(scope, async () => {
    await repository.lockReservation(scope, head.reservation_id);
    await repository.setGuestCertificateCopyRevokedAt(scope, id, revoked ? now : null, now);
    await record(scope, head, revoked ? 'copy.revoked' : 'copy.restored', now);
  });
  return retrieveCertificateWithoutTrail(scope, id);
}

/**
 * Removes the guest's personal data permanently. `also` contains further texts that identify the
 * guest. A repeated call changes nothing. Throws resource_missing and legal_hold.
 */
export async function redactCertificate(
  scope: Scope,
  id: string,
  also: readonly string[] = [],
): Promise<SignatureWithoutLargeColumns> {
  const head = await retrieveCertificateWithoutTrail(scope, id);
  if (head.redacted_at) return head;
  const now = clock().now();
  // A lost or damaged file must not prevent the redaction.
  const sealed = await awaitFileOrGoneIfLostOrDamaged(readSealedPdf(scope, id));
  await inTransaction(scope, async () => {
    const stay = await readStay(scope, head, sealed === 'gone' ? null : sealed, also);
    if (!(await redaction.redactSignature(scope, stay[0], now))) {
      // A concurrent redaction came first.
      if ((await repository.findSignatureWithoutLargeColumns(scope, id))?.redacted_at) return;
      throw new AppError('legal_hold');
    }
    await redactStay(scope, stay, now);
    await record(scope, head, 'certificate.redacted', now);
    const [left, trail] = [
      await repository.findSignatureRow(scope, id),
      await listTrailEntries(scope, head.reservation_id),
    ];
    if (left)
      await repository.saveTrailHashAtRedaction(
        scope,
        id,
        computeTrailHashAtRedaction(left, trail.map(convertRowToChainedTrailEntry)),
      );
    for (const { reservation_id } of stay) await recordRedaction(scope, reservation_id);
    runAfterCommit(scheduleStoredObjectRemoval);
  });
  return retrieveCertificateWithoutTrail(scope, id);
}

type Stay = [redaction.GuestIdentifiersToRedact, ...redaction.GuestIdentifiersToRedact[]];

/**
 * Locks and reads a reservation and the reservations that it replaced. Together they are one stay.
 */
async function readStay(
  scope: Scope,
  head: Parameters<typeof redaction.readGuestIdentifiersToRedact>[1],
  sealed: Uint8Array | null,
  also: readonly string[],
): Promise<Stay> {
  const read = async (reservation_id: string) => {
    await repository.lockReservation(scope, reservation_id);
    return redaction.readGuestIdentifiersToRedact(scope, { ...head, reservation_id }, sealed, also);
  };
  const stay: Stay = [await read(head.reservation_id)];
  for (const replaced of await redaction.listIdsOfReplacedReservations(scope, [head.reservation_id]))
    stay.push(await read(replaced));
  return stay;
}

async function redactStay(scope: Scope, stay: Stay, now: Date): Promise<void> {
  for (const subject of stay) await redaction.redactReservation(scope, subject, now);
  // The stay is already redacted here, so a text that the database still contains belongs to
  // another guest.
  const traces = new Set(stay.flatMap((subject) => subject.traces));
  const loose = await redaction.selectTextsNotNamingOtherGuests(scope, [...traces]);
  for (const subject of stay) {
    await redaction.redactGuestMessages(scope, subject, loose);
    await redaction.redactGuestInEventsAndLogs(scope, subject, loose);
  }
}

/**
 * Returns the input of `readGuestIdentifiersToRedact` for an unsigned reservation, which has no
 * certificate.
 */
const unsigned = (reservation_id: string) => ({
  ...{ id: reservation_id, reservation_id, snapshot_id: reservation_id, content_hash: '' },
});

/**
 * Removes the guest's personal data from an unsigned reservation permanently, and revokes its
 * links. `also` contains further texts that identify the guest. Also works for a deleted
 * reservation.
 */
export async function redactUnsignedReservation(
  scope: Scope,
  reservation_id: string,
  also: readonly string[],
): Promise<void> {
  const now = clock().now();
  const stay = await readStay(scope, unsigned(reservation_id), null, also);
  await redactStay(scope, stay, now);
  for (const subject of stay) await redaction.revokeReservationLinks(scope, subject.reservation_id);
  if (await repository.doesReservationExist(scope, reservation_id))
    await appendTrailEntries(scope, reservation_id, [{ type: 'guest.erased' }], now);
  for (const subject of stay) await recordRedaction(scope, subject.reservation_id);
}

/**
 * Redacts records without a reservation: forwarded mails, logs and pending questions of calendars.
 * Searches for every text that the user entered, even a single word, because the user saw the
 * matches. Omits texts that occur in another guest's name. Returns false if any were omitted.
 */
export async function redactGuestInRecordsWithoutReservation(
  scope: Scope,
  erasure_id: string,
  texts: readonly string[],
): Promise<boolean> {
  const subject = await redaction.readGuestIdentifiersToRedact(scope, unsigned(erasure_id), null, texts);
  const loose = await redaction.selectTextsNotNamingOtherGuests(scope, texts);
  await redaction.redactGuestMessages(scope, subject, loose);
  await redaction.redactGuestInEventsAndLogs(scope, subject, loose);
  return loose.length === texts.length;
}

/** Records `reservation.updated` without the previous values, which are redacted. */
async function recordRedaction(scope: Scope, reservation_id: string): Promise<void> {
  const left = await findReservationForTransition(scope, reservation_id);
  // The reservation may have been deleted although its certificate still exists. In that case no
  // event is recorded.
  if (!left) return;
  const data = { object: serializeReservationWithPacket(left), previous_attributes: { redacted: false } };
  await recordEvent(scope, { type: 'reservation.updated', object_id: reservation_id, data });
}

async function record(scope: Scope, head: SignatureWithoutLargeColumns, type: AuditAction, now: Date): Promise<void> {
  await appendTrailEntries(scope, head.reservation_id, [{ type }], now);
  const data = { reservation: head.reservation_id };
  await recordAuditEntry(scope, { action: type, object_id: head.id, data });
}

/**
 * How far back a run looks for redactions. It is twice the interval between runs, so that a delayed
 * run misses no redaction.
 */
const LOOK_BACK_MS = 2 * 3_600_000;

/**
 * Removes redacted data from the database's files. Returns whether there was anything to remove.
 */
export async function purgeRedactedDataFromDisk(): Promise<boolean> {
  if (!(await wasAnyCertificateRedactedSince(new Date(clock().now().getTime() - LOOK_BACK_MS)))) return false;
  return eraseDeletedData();
}

/** Opening the copy again within this time does not count as another visit. */
const VISIT_MS = 60 * 60 * 1000;
const MAX_VISITS = 100;

/**
 * Records a visit to the guest's copy in the trail, at most once an hour. Ignores a revoked or
 * redacted copy.
 */
export async function recordGuestCertificateCopyVisit(
  { scope, head }: SignatureWithTenantScope,
  origin: GuestBrowserDetails,
): Promise<void> {
  if (head.redacted_at || head.copy_revoked_at) return;
  const now = clock().now();
  await inTransaction(scope, async () => {
    await repository.lockReservation(scope, head.reservation_id);
    // The copy was redacted after the link was opened, so the visit is not recorded.
    if ((await repository.findSignatureWithoutLargeColumns(scope, head.id))?.redacted_at !== null) return;
    const visits = (await listTrailEntries(scope, head.reservation_id)).filter(({ type }) => type === 'copy.opened');
    const last = visits.at(-1)?.created_at.getTime() ?? 0;
    if (visits.length >= MAX_VISITS || now.getTime() - last < VISIT_MS) return;
    const item = { type: 'copy.opened', data: { certificate_id: head.id } };
    await appendTrailEntries(scope, head.reservation_id, [item], now, origin);
  });
}
