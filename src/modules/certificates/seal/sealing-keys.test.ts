/**
 * Tests that a new sealing key invalidates no earlier seal, and that an attacker who can write to
 * the database cannot add a trusted certificate.
 */
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { deriveCertificateVerifyToken } from '@/modules/links/urls';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { insertSealedCertificate } from '../testing/signed';
import { generateTestSealingKey, writeTemporaryFile } from '../testing/tools';
import { verifySealedFile } from '../verify/file';
import { findSignatureByVerifyToken, verifyCertificate } from '../verify/verification';
import {
  formatTrustedSealingCertificatesPem,
  importSealingCertificate,
  listTrustedSealingCertificates,
  retireSealingKey,
} from './installation-key';
import { computeCertificateFingerprint } from './sealing-key';

let scope: Scope;
beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
  await systemDb().installationKey.deleteMany();
  await systemDb().sealingCertificate.deleteMany();
});
afterAll(async () => {
  setConfig({ seal_p12_file: undefined });
  await closeTestDatabase();
});

async function seal(): Promise<{ id: string; file: string }> {
  const { signature_id: id } = await insertSealedCertificate(scope);
  const { pdf } = await systemDb().signature.findUniqueOrThrow({ where: { id } });
  return { id, file: writeTemporaryFile('a.pdf', pdf ?? '') };
}

async function isGenuine({ id, file }: { id: string; file: string }) {
  const holder = await findSignatureByVerifyToken(deriveCertificateVerifyToken(id));
  const page = holder && (await verifyCertificate(holder));
  return page?.seal.state === 'sealed' && page.content === 'intact' && (await verifySealedFile(file)).ok;
}

it('certificates of retired, later and configured keys stay valid and published; none can be planted', async () => {
  expect(await formatTrustedSealingCertificatesPem()).toBeNull();
  const first = await seal();
  expect(await isGenuine(first)).toBe(true);

  const retired = await retireSealingKey();
  expect(retired?.current).toBe(false);
  expect(await isGenuine(first)).toBe(true);
  const second = await seal();

  const { p12, passphrase, certificate_pem } = await generateTestSealingKey();
  setConfig({ seal_p12_file: writeTemporaryFile('seal.p12', p12), seal_p12_passphrase: passphrase });
  const third = await seal();
  await expect(retireSealingKey()).rejects.toThrow(/SEAL_P12_FILE/);
  const replaced = await generateTestSealingKey();
  setConfig({ seal_p12_file: writeTemporaryFile('seal.p12', replaced.p12), seal_p12_passphrase: replaced.passphrase });
  const fourth = await seal();
  setConfig({ seal_p12_file: undefined, seal_p12_passphrase: undefined });

  for (const each of [first, second, third, fourth]) expect(await isGenuine(each)).toBe(true);
  const known = await listTrustedSealingCertificates();
  expect(known.map(({ origin }) => origin).sort()).toEqual(['file', 'file', 'made', 'made']);
  expect(known.filter(({ current }) => current)).toHaveLength(1);

  const published = (await formatTrustedSealingCertificatesPem()) ?? '';
  const pems = published.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? [];
  expect(pems.map((pem) => new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase())).toEqual(
    known.map(({ fingerprint_sha256 }) => fingerprint_sha256),
  );
  expect(published).toContain(`# sha256 ${known[0]?.fingerprint_sha256}`);
  // With a file of all certificates, another installation can verify the seal.
  expect(await verifySealedFile(first.file, writeTemporaryFile('all.pem', published))).toMatchObject({
    ok: true,
    trusted: true,
  });

  // An attacker replaces a stored certificate with its unencrypted text or with another
  // certificate.
  const fingerprint = computeCertificateFingerprint(certificate_pem);
  await systemDb().sealingCertificate.delete({ where: { fingerprint } });
  expect(await isGenuine(third)).toBe(false);
  const row = { fingerprint, origin: 'imported' as const, created_at: new Date() };
  await systemDb().sealingCertificate.create({ data: { ...row, secret: certificate_pem } });
  expect(await isGenuine(third)).toBe(false);
  await systemDb().installationKey.updateMany({ data: { public_pem: certificate_pem } });
  expect(await isGenuine(third)).toBe(false);
  await systemDb().sealingCertificate.delete({ where: { fingerprint } });
  expect(await importSealingCertificate(certificate_pem)).toMatchObject({
    fingerprint_sha256: fingerprint,
    origin: 'imported',
  });
  expect(await isGenuine(third)).toBe(true);
  await expect(importSealingCertificate('no certificate')).rejects.toThrow();
});
