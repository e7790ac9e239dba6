/**
 * Legal hold, redaction and the guest's copy (DESIGN "Guest's evidence"). Redaction removes the guest's personal data
 * and keeps the hashes and the fact; it is refused under legal hold, which also blocks deletion and retention.
 */
import { inTransaction, type ScopedDb } from '@/infra/db/scoped-client';
import { appendTrail } from '@/modules/reservations/trail';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import { REDACTED_NAME, redactText, redactValue } from './redaction.rules';
import * as repository from './repository';
import type { SignatureHead } from './serializer';
import { retrieveHead } from './service';

/** Sets or lifts the hold on a certificate and its reservation. Throws resource_missing. */
export async function setLegalHold(scope: Scope, id: string, legal_hold: boolean): Promise<SignatureHead> {
  const head = await retrieveHead(scope, id);
  if (head.legal_hold === legal_hold) return head;
  const now = clock().now();
  await inTransaction(scope, async (tx) => {
    await repository.lockReservation(scope, head.reservation_id, tx);
    await tx.signature.updateMany({ where: { id }, data: { legal_hold, updated_at: now } });
    await tx.reservation.updateMany({
      where: { id: head.reservation_id },
      data: { legal_hold, updated_at: now, version: { increment: 1 } },
    });
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
    await tx.signature.updateMany({ where: { id }, data: { copy_revoked_at: revoked ? now : null, updated_at: now } });
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
    // The hold is part of the condition: one that is set at the same moment wins or loses, never both.
    const { count } = await tx.signature.updateMany({
      where: { id, legal_hold: false, redacted_at: null },
      data: {
        signer_name: REDACTED_NAME,
        signer_email: null,
        signed_ip: null,
        user_agent: null,
        drawn_signature: null,
        photo: null,
        pdf: null,
        redacted_at: now,
        updated_at: now,
      },
    });
    if (count === 0) throw new AppError('legal_hold');
    await tx.snapshot.updateMany({ where: { id: head.snapshot_id }, data: { canonical: '' } });
    await redactReservation(tx, head.reservation_id, now);
    await redactTraces(tx, head, now);
    await record(scope, tx, head, 'certificate.redacted', now);
  });
  return retrieveHead(scope, id);
}

async function redactReservation(tx: ScopedDb, reservation_id: string, now: Date): Promise<void> {
  await tx.reservation.updateMany({
    where: { id: reservation_id },
    data: {
      guest_name: REDACTED_NAME,
      guest_email: null,
      guest_locale: null,
      redacted: true,
      updated_at: now,
      version: { increment: 1 },
    },
  });
  for (const entry of await tx.trailEntry.findMany({ where: { reservation_id } })) {
    // The entry's hash stays as it was written: the chain's links can still be followed, its contents no longer recomputed.
    const data = redactValue(entry.data, reservation_id) as object;
    await tx.trailEntry.updateMany({ where: { id: entry.id }, data: { ip: null, user_agent: null, data } });
  }
}

/** Mail, codes, kept webhook payloads, kept answers, forwarded mail. */
async function redactTraces(tx: ScopedDb, head: SignatureHead, now: Date): Promise<void> {
  const { reservation_id } = head;
  const blank = { to: 'redacted@guest.invalid', subject: 'Redacted', html: '', text: '', preview_until: null };
  await tx.mailMessage.updateMany({ where: { reservation_id }, data: blank });
  await tx.guestCode.deleteMany({ where: { reservation_id } });
  await tx.smsMessage.updateMany({ where: { reservation_id }, data: { to: null, body: null } });
  await tx.inboundMail.updateMany({
    where: { reservation_id },
    data: { raw: null, from_address: null, subject: null, extracted: {} },
  });
  for (const event of await tx.event.findMany({ where: { object_id: { in: [reservation_id, head.id] } } })) {
    await tx.event.updateMany({ where: { id: event.id }, data: { body: redactText(event.body, reservation_id) } });
  }
  const kept = await tx.idempotencyRecord.findMany({
    where: { response_body: { contains: reservation_id }, encrypted: false, expires_at: { gt: now } },
  });
  for (const record of kept) {
    const response_body = redactText(record.response_body ?? '', reservation_id);
    await tx.idempotencyRecord.updateMany({ where: { key: record.key }, data: { response_body } });
  }
}

async function record(scope: Scope, tx: ScopedDb, head: SignatureHead, type: string, now: Date): Promise<void> {
  await appendTrail(scope, tx, head.reservation_id, [{ type }], now);
  const { actor } = scope;
  await tx.auditLog.create({
    data: {
      id: newId('audit'),
      team_id: scope.team_id,
      mode: scope.mode,
      action: type,
      actor: 'id' in actor ? actor.id : actor.kind,
      actor_name: 'name' in actor ? actor.name : null,
      object_id: head.id,
      created_at: now,
    },
  });
}
