/**
 * Legal hold, redaction and the guest's copy (DESIGN "Guest's evidence"). Redaction removes the
 * guest's personal data and keeps the hashes and the fact of the redaction. A legal hold blocks
 * redaction, deletion and retention.
 */

import { recordEvent } from '@/events/record';
import { eraseDeletedData } from '@/infra/db/housekeeping';
import { lockPropertyAgainstDeletion } from '@/infra/db/locks';
import { afterCommit, inTransaction } from '@/infra/db/transaction';
import type { AuditAction } from '@/modules/audit-log/actions';
import { recordAudit } from '@/modules/audit-log/service';
import { findReservationWithPacket } from '@/modules/reservations/save-transition';
import { showReservation } from '@/modules/reservations/service';
import { attestRedactedTrail } from '@/modules/trail/attestation';
import { appendTrail, listTrail, type TrailOrigin, toChainedEntry } from '@/modules/trail/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import { scheduleObjectRemoval } from '../files/move';
import { catchLostFile, readSealedPdf } from '../files/read';
import * as repository from '../repository';
import { wasRedactedSince } from '../repository';
import type { SignatureHead } from '../serializer';
import { retrieveSignatureHead } from '../service';
import type { TokenHolder } from '../verify/verification';
import * as redaction from './redaction.repository';

/** Sets or lifts the hold on a certificate and its reservation. Throws resource_missing. */
export async function setLegalHold(scope: Scope, id: string, legal_hold: boolean): Promise<SignatureHead> {
  const head = await retrieveSignatureHead(scope, id);
  if (head.legal_hold === legal_hold) return head;
  const now = clock().now();
  await inTransaction(scope, async () => {
    // Deleting the property first checks for holds, so the two must wait for each other.
    await lockPropertyAgainstDeletion(scope, head.property_id);
    if (!(await repository.lockTeamAgainstDeletion(scope))) throw new AppError('resource_missing');
    await repository.lockReservation(scope, head.reservation_id);
    // Locks the reservations that this one replaced, so that a concurrent erasure of their guest either
    // finishes before the hold is set or finds the hold.
    for (const replaced of await redaction.listReplacedReservations(scope, [head.reservation_id]))
      await repository.lockReservation(scope, replaced);
    await repository.saveLegalHold(scope, head, legal_hold, now);
    await record(scope, head, legal_hold ? 'legal_hold.set' : 'legal_hold.lifted', now);
  });
  return retrieveSignatureHead(scope, id);
}

/** Revokes or restores the guest's copy link. Throws resource_missing. */
export async function setCopyRevoked(scope: Scope, id: string, revoked: boolean): Promise<SignatureHead> {
  const head = await retrieveSignatureHead(scope, id);
  if ((head.copy_revoked_at !== null) === revoked) return head;
  const now = clock().now();
  await inTransaction(scope, async () => {
    await repository.lockReservation(scope, head.reservation_id);
    await repository.saveCopyRevoked(scope, id, revoked ? now : null, now);
    await record(scope, head, revoked ? 'copy.revoked' : 'copy.restored', now);
  });
  return retrieveSignatureHead(scope, id);
}

/**
 * Removes the guest's personal data permanently. `also` contains further texts that identify the
 * guest. A second call changes nothing. Throws resource_missing and legal_hold.
 */
export async function redactCertificate(
  scope: Scope,
  id: string,
  also: readonly string[] = [],
): Promise<SignatureHead> {
  const head = await retrieveSignatureHead(scope, id);
  if (head.redacted_at) return head;
  const now = clock().now();
  // A lost or damaged file must not prevent the redaction.
  const sealed = await catchLostFile(readSealedPdf(scope, id));
  await inTransaction(scope, async () => {
    const stay = await readStay(scope, head, sealed === 'gone' ? null : sealed, also);
    if (!(await redaction.redactSignature(scope, stay[0], now))) {
      // When two requests redact at once, the second finds it done.
      if ((await repository.findSignatureHead(scope, id))?.redacted_at) return;
      throw new AppError('legal_hold');
    }
    await redactStay(scope, stay, now);
    await record(scope, head, 'certificate.redacted', now);
    const [left, trail] = [await repository.findSignatureRow(scope, id), await listTrail(scope, head.reservation_id)];
    if (left) await repository.saveAttestation(scope, id, attestRedactedTrail(left, trail.map(toChainedEntry)));
    for (const { reservation_id } of stay) await recordRedaction(scope, reservation_id);
    afterCommit(scheduleObjectRemoval);
  });
  return retrieveSignatureHead(scope, id);
}

type Stay = [redaction.RedactionSubject, ...redaction.RedactionSubject[]];

/** Locks and reads a reservation and those that it replaced, which are the same stay. */
async function readStay(
  scope: Scope,
  head: Parameters<typeof redaction.readSubject>[1],
  sealed: Uint8Array | null,
  also: readonly string[],
): Promise<Stay> {
  const read = async (reservation_id: string) => {
    await repository.lockReservation(scope, reservation_id);
    return redaction.readSubject(scope, { ...head, reservation_id }, sealed, also);
  };
  const stay: Stay = [await read(head.reservation_id)];
  for (const replaced of await redaction.listReplacedReservations(scope, [head.reservation_id]))
    stay.push(await read(replaced));
  return stay;
}

async function redactStay(scope: Scope, stay: Stay, now: Date): Promise<void> {
  for (const subject of stay) await redaction.redactReservation(scope, subject, now);
  // This runs after the redaction above, so that a text that still occurs is another guest's.
  const traces = new Set(stay.flatMap((subject) => subject.traces));
  const loose = await redaction.filterUnsharedTexts(scope, [...traces]);
  for (const subject of stay) {
    await redaction.redactMessages(scope, subject, loose);
    await redaction.redactRecords(scope, subject, loose);
  }
}

/**
 * Returns the facts with which the redaction of an unsigned reservation starts. It has no
 * certificate.
 */
const unsigned = (reservation_id: string) => ({
  ...{ id: reservation_id, reservation_id, snapshot_id: reservation_id, content_hash: '' },
});

/**
 * Removes the guest's personal data from an unsigned reservation permanently, and revokes its
 * links. `also` contains further texts that identify the guest. The reservation may have been
 * deleted.
 */
export async function redactUnsignedReservation(
  scope: Scope,
  reservation_id: string,
  also: readonly string[],
): Promise<void> {
  const now = clock().now();
  const stay = await readStay(scope, unsigned(reservation_id), null, also);
  await redactStay(scope, stay, now);
  for (const subject of stay) await redaction.revokeLinks(scope, subject.reservation_id);
  if (await repository.hasReservation(scope, reservation_id))
    await appendTrail(scope, reservation_id, [{ type: 'guest.erased' }], now);
  for (const subject of stay) await recordRedaction(scope, subject.reservation_id);
}

/**
 * Redacts data without a reservation: forwarded mail, logs and calendars' questions. A person
 * entered these texts and saw the matches, so single words count. Texts that occur in another
 * guest's name are not searched. Returns whether all texts were searched.
 */
export async function redactUnassignedData(
  scope: Scope,
  erasure_id: string,
  texts: readonly string[],
): Promise<boolean> {
  const subject = await redaction.readSubject(scope, unsigned(erasure_id), null, texts);
  const loose = await redaction.filterUnsharedTexts(scope, texts);
  await redaction.redactMessages(scope, subject, loose);
  await redaction.redactRecords(scope, subject, loose);
  return loose.length === texts.length;
}

/** Records the event without the former values, which were just removed. */
async function recordRedaction(scope: Scope, reservation_id: string): Promise<void> {
  const left = await findReservationWithPacket(scope, reservation_id);
  // Without a reservation there is no event. Its certificate may still exist.
  if (!left) return;
  const data = { object: showReservation(left), previous_attributes: { redacted: false } };
  await recordEvent(scope, { type: 'reservation.updated', object_id: reservation_id, data });
}

async function record(scope: Scope, head: SignatureHead, type: AuditAction, now: Date): Promise<void> {
  await appendTrail(scope, head.reservation_id, [{ type }], now);
  const data = { reservation: head.reservation_id };
  await recordAudit(scope, { action: type, object_id: head.id, data });
}

/** Twice the interval between runs, so that a late run misses nothing. */
const LOOK_BACK_MS = 2 * 3_600_000;

/** Clears redacted data from the database's files. Returns whether there was anything to clear. */
export async function clearRedactedData(): Promise<boolean> {
  if (!(await wasRedactedSince(new Date(clock().now().getTime() - LOOK_BACK_MS)))) return false;
  return eraseDeletedData();
}

/** Opens within this time count as one visit, so that the trail does not record each page load. */
const VISIT_MS = 60 * 60 * 1000;
const MAX_VISITS = 100;

/** Records a visit, at most once an hour, unless the copy is revoked or redacted. */
export async function recordCopyVisit({ scope, head }: TokenHolder, origin: TrailOrigin): Promise<void> {
  if (head.redacted_at || head.copy_revoked_at) return;
  const now = clock().now();
  await inTransaction(scope, async () => {
    await repository.lockReservation(scope, head.reservation_id);
    // If it was redacted since the link was opened, nothing about the visitor is stored.
    if ((await repository.findSignatureHead(scope, head.id))?.redacted_at !== null) return;
    const visits = (await listTrail(scope, head.reservation_id)).filter(({ type }) => type === 'copy.opened');
    const last = visits.at(-1)?.created_at.getTime() ?? 0;
    if (visits.length >= MAX_VISITS || now.getTime() - last < VISIT_MS) return;
    const item = { type: 'copy.opened', data: { certificate_id: head.id } };
    await appendTrail(scope, head.reservation_id, [item], now, origin);
  });
}
