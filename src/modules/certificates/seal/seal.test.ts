import { X509Certificate } from 'node:crypto';
import { PDFDocument } from 'pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateTestSealingKey, isProgramInstalled, runExternalProgram, writeTemporaryFile } from '../testing/tools';
import { verifySealedPdf } from '../verify/pdf';
import { sealPdf } from './seal';
import {
  computeCertificateFingerprint,
  type GeneratedSealingKey,
  generateSealingKey,
  readSealingCertificate,
} from './sealing-key';

const NOW = new Date('2026-01-01T00:00:00Z');
const OPTIONS = {
  reason: 'Test',
  name: 'Threshold',
  location: 'example.com',
  signed_at: new Date('2026-02-01T10:00:00Z'),
};

async function blankPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage().drawText('Hello');
  return document.save();
}

let key: GeneratedSealingKey;
beforeAll(async () => {
  key = await generateTestSealingKey();
});

describe('generateSealingKey', () => {
  it('makes a self-signed RSA certificate that outlives ten years', () => {
    const certificate = new X509Certificate(key.certificate_pem);
    expect(certificate.publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 3072 });
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.subject).toBe('CN=Prüfstelle Łódź');
    expect(Date.parse(certificate.validFrom)).toBeLessThanOrEqual(NOW.getTime());
    expect(new Date(certificate.validTo).getUTCFullYear()).toBeGreaterThanOrEqual(2036);
  });

  it('makes a different key for every installation', async () => {
    const other = await generateSealingKey({ common_name: 'x', now: NOW });
    expect(computeCertificateFingerprint(other.certificate_pem)).not.toBe(
      computeCertificateFingerprint(key.certificate_pem),
    );
    expect(other.passphrase).not.toBe(key.passphrase);
  });

  it.skipIf(!isProgramInstalled('openssl'))('makes a PKCS#12 that OpenSSL opens only with the passphrase', () => {
    const file = writeTemporaryFile('key.p12', key.p12);
    const open = (passphrase: string) =>
      runExternalProgram('openssl', ['pkcs12', '-in', file, '-passin', `pass:${passphrase}`, '-nodes']);
    expect(open(key.passphrase)).toContain('BEGIN PRIVATE KEY');
    expect(() => open('wrong')).toThrow();
  });
});

describe('readSealingCertificate', () => {
  it('returns the certificate of a PKCS#12', () => {
    expect(computeCertificateFingerprint(readSealingCertificate(key.p12, key.passphrase))).toBe(
      computeCertificateFingerprint(key.certificate_pem),
    );
  });

  it('refuses a wrong passphrase and data that is not a PKCS#12', () => {
    expect(() => readSealingCertificate(key.p12, 'wrong')).toThrow();
    expect(() => readSealingCertificate(new Uint8Array([1, 2, 3]), 'x')).toThrow();
  });

  it.skipIf(!isProgramInstalled('openssl'))(
    'accepts a PKCS#12 with a chain from another tool, and refuses an EC key',
    async () => {
      const dir = writeTemporaryFile('x', '').slice(0, -2);
      const ssl = (...args: string[]) => runExternalProgram('openssl', args);
      ssl(
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        `${dir}/ca.key`,
        '-out',
        `${dir}/ca.pem`,
        '-subj',
        '/O=Müller GmbH/CN=CA',
        '-utf8',
        '-days',
        '365',
      );
      ssl(
        'req',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        `${dir}/s.key`,
        '-out',
        `${dir}/s.csr`,
        '-subj',
        '/O=Müller GmbH/CN=Seal',
        '-utf8',
      );
      ssl(
        'x509',
        '-req',
        '-in',
        `${dir}/s.csr`,
        '-CA',
        `${dir}/ca.pem`,
        '-CAkey',
        `${dir}/ca.key`,
        '-CAcreateserial',
        '-out',
        `${dir}/s.pem`,
        '-days',
        '365',
      );
      ssl(
        'pkcs12',
        '-export',
        '-in',
        `${dir}/s.pem`,
        '-inkey',
        `${dir}/s.key`,
        '-certfile',
        `${dir}/ca.pem`,
        '-out',
        `${dir}/s.p12`,
        '-passout',
        'pass:chain',
      );
      const { readFileSync } = await import('node:fs');
      const p12 = readFileSync(`${dir}/s.p12`);
      const pem = readSealingCertificate(p12, 'chain');
      expect(new X509Certificate(pem).subject).toContain('CN=Seal');
      expect(await verifySealedPdf(await sealPdf(await blankPdf(), p12, 'chain', OPTIONS), pem)).toMatchObject({
        seal: 'valid',
        trusted: true,
      });

      ssl(
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        `${dir}/e.key`,
        '-out',
        `${dir}/e.pem`,
        '-subj',
        '/CN=EC',
      );
      ssl(
        'pkcs12',
        '-export',
        '-in',
        `${dir}/e.pem`,
        '-inkey',
        `${dir}/e.key`,
        '-out',
        `${dir}/e.p12`,
        '-passout',
        'pass:x',
      );
      expect(() => readSealingCertificate(readFileSync(`${dir}/e.p12`), 'x')).toThrow();
    },
  );
});

describe('sealPdf', () => {
  it('states the signer and the given time', async () => {
    const verdict = await verifySealedPdf(
      await sealPdf(await blankPdf(), key.p12, key.passphrase, OPTIONS),
      key.certificate_pem,
    );
    expect(verdict).toMatchObject({
      seal: 'valid',
      covers_whole_document: true,
      trusted: true,
      signed_at: '2026-02-01T10:00:00.000Z',
      timestamp: null,
      signer: {
        common_name: 'Prüfstelle Łódź',
        fingerprint_sha256: computeCertificateFingerprint(key.certificate_pem),
      },
    });
  });

  it.each(['Łódź (Müller)', ')\\', '/ByteRange [0 /********** /********** /**********]', '北京 🏠'])(
    'does not let a name like %j break the file',
    async (name) => {
      const options = { ...OPTIONS, name, reason: name, location: name };
      const sealed = await sealPdf(await blankPdf(), key.p12, key.passphrase, options);
      expect(await verifySealedPdf(sealed, key.certificate_pem)).toMatchObject({ seal: 'valid' });
    },
  );
});
