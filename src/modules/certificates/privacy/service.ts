/**
 * Legal hold, redaction and the guest's copy (DESIGN "Guest's evidence"). Redaction removes the guest's personal data
 * and keeps the hashes and the fact; it is refused under legal hold, which also blocks deletion and retention.
 */
import { holdProperty } from '@/infra/db/locks';
import { afterCommit, inTransaction } from '@/infra/db/transaction';
import type { AuditAction } from '@/modules/audit-log/actions';
import { recordAudit } from '@/modules/audit-log/service';
import { attestRedacted } from '@/modules/trail/attestation';
import { appendTrail, chainedEntry, listTrail } from '@/modules/trail/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import { removeReleasedSoon } from '../files/move';
import { orGone, readSealedPdf } from '../files/read';
import * as repository from '../repository';
import type { SignatureHead } from '../serializer';
import { retrieveHead } from '../service';
import * as redaction from './redaction.repository';

/** Sets or lifts the hold on a certificate and its reservation. Throws resource_missing. */
export async function setLegalHold(scope: Scope, id: string, legal_hold: boolean): Promise<SignatureHead> {
  const head = await retrieveHead(scope, id);
  if (head.legal_hold === legal_hold) return head;
  const now = clock().now();
  await inTransaction(scope, async () => {
    // Who deletes the property has looked for holds before: of the two one waits for the other.
    await holdProperty(scope, head.property_id);
    if (!(await repository.holdTeam(scope))) throw new AppError('resource_missing');
    await repository.lockReservation(scope, head.reservation_id);
    await repository.saveLegalHold(scope, head, legal_hold, now);
    await record(scope, head, legal_hold ? 'legal_hold.set' : 'legal_hold.lifted', now);
  });
  return retrieveHead(scope, id);
}

/** Makes the guest's copy link dead, or works it again. Throws resource_missing. */
export async function setCopyRevoked(scope: Scope, id: string, revoked: boolean): Promise<SignatureHead> {
  const head = await retrieveHead(scope, id);
  if ((head.copy_revoked_at !== null) === revoked) return head;
  const now = clock().now();
  await inTransaction(scope, async () => {
    await repository.lockReservation(scope, head.reservation_id);
    await repository.saveCopyRevoked(scope, id, revoked ? now : null, now);
    await record(scope, head, revoked ? 'copy.revoked' : 'copy.restored', now);
  });
  return retrieveHead(scope, id);
}

/** Removes the guest's personal data for good. Throws resource_missing, legal_hold. Again: changes nothing. */
export async function redactCertificate(scope: Scope, id: string): Promise<SignatureHead> {
  const head = await retrieveHead(scope, id);
  if (head.redacted_at) return head;
  const now = clock().now();
  // A file that is lost or damaged must not keep the guest's data from being removed.
  const sealed = await orGone(readSealedPdf(scope, id));
  await inTransaction(scope, async () => {
    await repository.lockReservation(scope, head.reservation_id);
    const read = (reservation_id: string) =>
      redaction.readSubject(scope, { ...head, reservation_id }, sealed === 'gone' ? null : sealed);
    const subject = await read(head.reservation_id);
    const earlier: redaction.Subject[] = [];
    for (const replaced of await redaction.listReplaced(scope, head.reservation_id)) {
      await repository.lockReservation(scope, replaced);
      earlier.push(await read(replaced));
    }
    if (!(await redaction.redactSignature(scope, subject, now))) {
      // Of two who redact at once the second finds it done.
      if ((await repository.findHead(scope, id))?.redacted_at) return;
      throw new AppError('legal_hold');
    }
    for (const each of [subject, ...earlier]) {
      await redaction.redactReservation(scope, each, now);
      await redaction.redactMessages(scope, each);
      await redaction.redactRecords(scope, each);
    }
    await record(scope, head, 'certificate.redacted', now);
    const [left, trail] = [await repository.findWhole(scope, id), await listTrail(scope, head.reservation_id)];
    if (left) await repository.saveAttestation(scope, id, attestRedacted(left, trail.map(chainedEntry)));
    afterCommit(removeReleasedSoon);
  });
  return retrieveHead(scope, id);
}

async function record(scope: Scope, head: SignatureHead, type: AuditAction, now: Date): Promise<void> {
  await appendTrail(scope, head.reservation_id, [{ type }], now);
  const data = { reservation: head.reservation_id };
  await recordAudit(scope, { action: type, object_id: head.id, data });
}
