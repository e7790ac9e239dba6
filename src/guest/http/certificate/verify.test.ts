/**
 * Tests the public verification page for unchanged and changed certificates, with a real database.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { redactCertificate } from '@/modules/certificates/privacy/service';
import { createCertificateDownloadUrl } from '@/modules/certificates/service';
import { insertSealedCertificate, TEST_GUEST } from '@/modules/certificates/testing/signed';
import { deriveCertificateVerifyToken } from '@/modules/links/urls';
import { sha256Hex } from '@/shared/canonical-json';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { handleCertificatePdfRequest, handleVerifyPageRequest } from './verify';

let scope: Scope;
let made: Awaited<ReturnType<typeof insertSealedCertificate>>;

beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
});
afterAll(closeTestDatabase);
beforeEach(async () => {
  made = await insertSealedCertificate(scope);
});

async function page(): Promise<string> {
  const token = deriveCertificateVerifyToken(made.signature_id);
  return (await handleVerifyPageRequest(new Request(`http://localhost/verify/${token}?lang=en`), token)).text();
}
const signature = () => systemDb().signature.findUniqueOrThrow({ where: { id: made.signature_id } });

describe('the verification page', () => {
  it('reports an unchanged certificate as genuine, and shows no personal data except a masked name', async () => {
    const text = await page();
    expect(text).toContain('This certificate is genuine');
    expect(text).toContain((await signature()).pdf_sha256);
    for (const personal of [TEST_GUEST.name, TEST_GUEST.email, TEST_GUEST.ip]) expect(text).not.toContain(personal);
  });

  it('reports a PDF with one changed byte, even if its stored hash was changed too', async () => {
    const pdf = Buffer.from((await signature()).pdf ?? []);
    pdf[pdf.length - 1_000] = (pdf[pdf.length - 1_000] ?? 0) ^ 1;
    const data = { pdf: new Uint8Array(pdf), pdf_sha256: sha256Hex(pdf) };
    await systemDb().signature.update({ where: { id: made.signature_id }, data });
    const text = await page();
    expect(text).toContain('Something does not match');
    expect(text).toContain('The stored PDF does not match its seal.');
  });

  it('reports a changed trail entry by its number', async () => {
    const where = { reservation_id_seq: { reservation_id: made.reservation_id, seq: 3 } };
    await systemDb().trailEntry.update({ where, data: { ip: '198.51.100.1' } });
    const text = await page();
    expect(text).toContain('Something does not match');
    expect(text).toContain('Broken at entry 3.');
  });

  it('reports a redacted certificate as erased, and no longer serves its file', async () => {
    const token = deriveCertificateVerifyToken(made.signature_id);
    const link = await createCertificateDownloadUrl(scope, made.signature_id);
    const file = () => handleCertificatePdfRequest(new Request(link), token);
    expect((await file()).status).toBe(200);
    await redactCertificate(scope, made.signature_id);
    expect(await page()).toContain('Genuine, personal data erased');
    expect((await file()).status).toBe(410);
  });
});
