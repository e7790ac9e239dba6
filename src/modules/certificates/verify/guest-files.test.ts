/**
 * Tests that a guest's photo, drawing and one-time code are recorded in the trail and the
 * certificate, and that verification detects changed files.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAppSecret } from '@/config';
import { systemDb } from '@/infra/db/client';
import { encryptBytes } from '@/infra/encryption';
import { updateProperty } from '@/modules/properties/service';
import { loadReservation } from '@/modules/reservations/save-transition';
import { sendReservation } from '@/modules/reservations/send';
import { createReservation } from '@/modules/reservations/service';
import { sendConfirmationCodeMail, verifyConfirmationCode } from '@/modules/signing/codes';
import { GUEST_PHOTO_ENCRYPTION_PURPOSE } from '@/modules/signing/service';
import { listTrailEntries, trailEntryDataJsonColumn } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readLastOutboundMail } from '@/testing/mail';
import { insertTeam } from '@/testing/team';
import { redactCertificate } from '../privacy/service';
import { sealCertificate } from '../seal/sealing';
import { insertSentReservation, signAsGuest, TEST_GUEST } from '../testing/signed';
import { extractPdfText, isProgramInstalled } from '../testing/tools';
import { findColumnsDifferingFromSealedEvidence } from './evidence.rules';
import { verifySealedPdf } from './pdf';
import { findSignatureInAnyTeam, readStoredEvidence, toSealedEvidence, verifyCertificate } from './verification';

const PHOTO = new Uint8Array([0xff, 0xd8, 0xff, 0xd9]);
/** A PNG of one pixel. */
const DRAWING = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);

let scope: Scope;
beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam('test');
});
afterAll(closeTestDatabase);

const trailOf = async (id: string) =>
  (await listTrailEntries(scope, id)).map(({ type, created_at, data }) => ({
    type,
    created_at,
    data: trailEntryDataJsonColumn.read(data),
  }));

/**
 * Sends a packet to a guest who must confirm the address. The guest confirms it and signs with a
 * drawing and a photo.
 */
async function signed() {
  const { property_id } = await insertSentReservation(scope);
  await updateProperty(scope, property_id, { otp_required: true, photo_required: true }, null);
  const { row } = await createReservation(scope, {
    property_id,
    guest_name: TEST_GUEST.name,
    guest_email: TEST_GUEST.email,
    checkin_date: '2090-05-01',
    checkout_date: '2090-05-03',
    source: 'direct',
  });
  await sendReservation(scope, row.id);
  const guest: Scope = { ...scope, actor: { kind: 'guest' } };
  await sendConfirmationCodeMail(guest, await loadReservation(guest, row.id), 'signing', TEST_GUEST.email, 'en');
  const { text } = await readLastOutboundMail({ reservation_id: row.id, template: 'one_time_code' });
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? '';
  expect(
    await verifyConfirmationCode(guest, row.id, 'signing', TEST_GUEST.email, code, { ip: TEST_GUEST.ip }),
  ).toBeNull();
  const signature_id = await signAsGuest(scope, row.id, TEST_GUEST, {
    drawn_signature: DRAWING,
    photo: PHOTO,
    otp_confirmed: true,
  });
  return { reservation_id: row.id, signature_id };
}

async function sealed() {
  const made = await signed();
  await sealCertificate(scope, made.signature_id);
  const row = await systemDb().signature.findUniqueOrThrow({ where: { id: made.signature_id } });
  return { ...made, pdf: row.pdf ?? new Uint8Array() };
}

describe('a photo, a drawing and a code', () => {
  it('are in the trail: the files’ hashes, when the code was confirmed and for which address', async () => {
    const { reservation_id } = await signed();
    const trail = await trailOf(reservation_id);
    const confirmed = trail.find(({ type }) => type === 'guest.code_confirmed');
    expect(confirmed?.data).toEqual({ sent_to: 'a•••@guest.example' });
    expect(trail.find(({ type }) => type === 'reservation.signed')?.data).toMatchObject({
      photo_sha256: sha256Hex(PHOTO),
      drawn_signature_sha256: sha256Hex(DRAWING),
      email_code_confirmed_at: confirmed?.created_at.toISOString(),
      email_code_sent_to: 'a•••@guest.example',
    });
  });

  it.skipIf(!isProgramInstalled('pdftotext'))('are printed in the certificate', async () => {
    const { pdf, reservation_id } = await sealed();
    const text = extractPdfText(pdf).replace(/\s+/g, '');
    const confirmed = (await trailOf(reservation_id)).find(({ type }) => type === 'guest.code_confirmed');
    expect(text).toContain(sha256Hex(PHOTO));
    expect(text).toContain(sha256Hex(DRAWING));
    expect(text).toContain('codetoa•••@guest.example');
    expect(text).toContain(confirmed?.created_at.toISOString().slice(11, 23));
  });

  it('are sealed with the hashes in the signature’s entry, and a file with other hashes is detected', async () => {
    const { pdf, signature_id } = await sealed();
    const verdict = await verifySealedPdf(pdf);
    expect(verdict.evidence).toMatchObject({ signed_content_matches: true });
    const holder = await findSignatureInAnyTeam(signature_id);
    const evidence = toSealedEvidence(verdict);
    if (!holder || !evidence) throw new Error('Not sealed.');
    const stored = await readStoredEvidence(holder);
    expect(findColumnsDifferingFromSealedEvidence(evidence, stored)).toEqual([]);
    const other = structuredClone(evidence);
    other.audit.signer.photo_sha256 = sha256Hex('another');
    expect(findColumnsDifferingFromSealedEvidence(other, stored)).toEqual(['signatures.photo']);
  });

  it('that were changed between the signature and its seal are not sealed', async () => {
    const { signature_id } = await signed();
    const photo = encryptBytes(getAppSecret(), GUEST_PHOTO_ENCRYPTION_PURPOSE, new Uint8Array([1, 2, 3]));
    await systemDb().signature.update({ where: { id: signature_id }, data: { photo } });
    await expect(sealCertificate(scope, signature_id)).rejects.toThrow(/photo .* is not the one that was signed/);
  });

  it.each(['photo', 'drawn_signature'] as const)(
    'are sealed as damaged, with the hash in the signature’s entry, if the %s was damaged before',
    async (column) => {
      const { signature_id } = await signed();
      await systemDb().signature.update({ where: { id: signature_id }, data: { [column]: new Uint8Array([1, 2, 3]) } });
      expect(await sealCertificate(scope, signature_id)).toBe('sealed');
      const { pdf } = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
      const verdict = await verifySealedPdf(pdf ?? new Uint8Array());
      expect(verdict.evidence).toMatchObject({
        signed_content_matches: true,
        audit: {
          signer: {
            damaged: [column],
            photo_sha256: sha256Hex(PHOTO),
            drawn_signature_sha256: sha256Hex(DRAWING),
          },
        },
      });
      const holder = await findSignatureInAnyTeam(signature_id);
      const { content, seal, differences: differing } = await verifyCertificate(holder as NonNullable<typeof holder>);
      expect({ content, seal: seal.state, differing }).toEqual({ content: 'intact', seal: 'sealed', differing: [] });
      if (isProgramInstalled('pdftotext'))
        expect(extractPdfText(pdf ?? new Uint8Array()).replace(/\s+/g, ' ')).toContain('damaged before sealing');
    },
  );

  it('leave no hash to compare after a redaction', async () => {
    const { reservation_id, signature_id } = await sealed();
    await redactCertificate(scope, signature_id);
    const left = JSON.stringify(await trailOf(reservation_id));
    for (const gone of [sha256Hex(PHOTO), sha256Hex(DRAWING), 'guest.example']) expect(left).not.toContain(gone);
  });
});
