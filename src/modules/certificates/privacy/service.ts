/**
 * Legal hold, redaction and the guest's copy (DESIGN "Guest's evidence"). Redaction removes the guest's personal data
 * and keeps the hashes and the fact; it is refused under legal hold, which also blocks deletion and retention.
 */
import { inTransaction, type ScopedDb } from '@/infra/db/scoped-client';
import type { AuditAction } from '@/modules/audit-log/actions';
import { recordAudit } from '@/modules/audit-log/service';
import { appendTrail } from '@/modules/trail/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import * as repository from '../repository';
import type { SignatureHead } from '../serializer';
import { retrieveHead } from '../service';
import * as redaction from './redaction.repository';

/** Sets or lifts the hold on a certificate and its reservation. Throws resource_missing. */
export async function setLegalHold(scope: Scope, id: string, legal_hold: boolean): Promise<SignatureHead> {
  const head = await retrieveHead(scope, id);
  if (head.legal_hold === legal_hold) return head;
  const now = clock().now();
  await inTransaction(scope, async (tx) => {
    if (!(await repository.holdTeam(scope, tx))) throw new AppError('resource_missing');
    await repository.lockReservation(scope, head.reservation_id, tx);
    await repository.saveLegalHold(scope, head, legal_hold, now, tx);
    await record(scope, tx, head, legal_hold ? 'legal_hold.set' : 'legal_hold.lifted', now);
  });
  return retrieveHead(scope, id);
}

/** Makes the guest's copy link dead, or works it again. Throws resource_missing. */
export async function setCopyRevoked(scope: Scope, id: string, revoked: boolean): Promise<SignatureHead> {
  const head = await retrieveHead(scope, id);
  if ((head.copy_revoked_at !== null) === revoked) return head;
  const now = clock().now();
  await inTransaction(scope, async (tx) => {
    await repository.lockReservation(scope, head.reservation_id, tx);
    await repository.saveCopyRevoked(scope, id, revoked ? now : null, now, tx);
    await record(scope, tx, head, revoked ? 'copy.revoked' : 'copy.restored', now);
  });
  return retrieveHead(scope, id);
}

/** Removes the guest's personal data for good. Throws resource_missing, legal_hold. Again: changes nothing. */
export async function redactCertificate(scope: Scope, id: string): Promise<SignatureHead> {
  const head = await retrieveHead(scope, id);
  if (head.redacted_at) return head;
  const now = clock().now();
  await inTransaction(scope, async (tx) => {
    await repository.lockReservation(scope, head.reservation_id, tx);
    const subject = await redaction.readSubject(tx, head);
    if (!(await redaction.redactSignature(tx, subject, now))) {
      // Of two who redact at once the second finds it done.
      if ((await repository.findHead(scope, id, tx))?.redacted_at) return;
      throw new AppError('legal_hold');
    }
    await redaction.redactReservation(tx, subject, now);
    await redaction.redactMessages(scope, tx, subject);
    await redaction.redactRecords(scope, tx, subject);
    await record(scope, tx, head, 'certificate.redacted', now);
  });
  return retrieveHead(scope, id);
}

async function record(scope: Scope, tx: ScopedDb, head: SignatureHead, type: AuditAction, now: Date): Promise<void> {
  await appendTrail(scope, tx, head.reservation_id, [{ type }], now);
  const data = { reservation: head.reservation_id };
  await recordAudit(scope, tx, { action: type, object_id: head.id, data });
}
