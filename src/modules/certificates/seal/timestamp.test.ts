/** The timestamp against a local authority made with `openssl ts`; skipped where there is no OpenSSL. */
import { PDFDocument } from 'pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { localAuthority } from '../testing/time-authority';
import { hasTool, run, temporaryFile, testSealingKey } from '../testing/tools';
import type { TimestampAuthority } from '../types';
import { verifySealedPdf } from '../verify/pdf';
import { addTimestamp, parseSignedData, signatureValue } from './cms';
import { sealPdf } from './seal';
import type { GeneratedSealingKey } from './sealing-key';

const OPTIONS = { reason: 'Test', name: 'Threshold', location: 'x', signed_at: new Date('2026-02-01T10:00:00Z') };

describe.skipIf(!hasTool('openssl'))('a timestamped seal', () => {
  let key: GeneratedSealingKey;
  let blank: Uint8Array;
  let sealed: Uint8Array;
  const digests: Uint8Array[] = [];

  beforeAll(async () => {
    key = await testSealingKey();
    const document = await PDFDocument.create();
    document.addPage().drawText('Hello');
    blank = await document.save();
    const authority = localAuthority();
    sealed = await sealPdf(blank, key.p12, key.passphrase, OPTIONS, (digest) => {
      digests.push(digest);
      return authority(digest);
    });
  });

  it('says when the authority saw the signature, whatever the sealer’s clock said', async () => {
    const verdict = await verifySealedPdf(sealed, key.certificate_pem);
    expect(verdict).toMatchObject({ seal: 'valid', signed_at: '2026-02-01T10:00:00.000Z' });
    expect(verdict.timestamp?.authority).toBe('Test Time Authority');
    expect(Math.abs(Date.parse(verdict.timestamp?.time ?? '') - Date.now())).toBeLessThan(60_000);
    expect(digests.map((digest) => digest.length)).toEqual([32]);
  });

  it.skipIf(!hasTool('pdfsig'))('is valid for pdfsig too', () => {
    const report = run('pdfsig', ['-nocert', temporaryFile('a.pdf', sealed)]);
    expect(report).toContain('Signature is Valid.');
    expect(report).toContain('Total document signed');
  });

  it('holds a token that OpenSSL verifies against the signature', () => {
    const signed_data = extractSignature(sealed);
    const { signer } = parseSignedData(signed_data);
    const text = run('openssl', [
      'cms',
      '-cmsout',
      '-print',
      '-inform',
      'DER',
      '-in',
      temporaryFile('s.der', signed_data),
    ]);
    expect(text).toContain('id-smime-aa-timeStampToken');
    expect(signatureValue(signed_data)).toEqual(signer.signature);
  });

  it('is not valid with a timestamp of another signature', async () => {
    const other = localAuthority();
    const elsewhere: TimestampAuthority = () => other(new Uint8Array(32).fill(7));
    const verdict = await verifySealedPdf(
      await sealPdf(blank, key.p12, key.passphrase, OPTIONS, elsewhere),
      key.certificate_pem,
    );
    expect(verdict).toMatchObject({ seal: 'invalid', reason: 'The timestamp is not of this signature.' });
  });

  it('is not made with what is no token, nor when the authority does not answer', async () => {
    const seal = (tsa: TimestampAuthority) => sealPdf(blank, key.p12, key.passphrase, OPTIONS, tsa);
    await expect(seal(async () => new Uint8Array([0x30, 0]))).rejects.toThrow();
    await expect(seal(async () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
    expect(() => addTimestamp(extractSignature(sealed), new Uint8Array([4, 0]))).toThrow();
  });
});

/** The DER between the byte ranges, without its padding. */
function extractSignature(pdf: Uint8Array): Buffer {
  const hex = /\/Contents <([0-9a-f]+)>/.exec(Buffer.from(pdf).toString('latin1'))?.[1] ?? '';
  const padded = Buffer.from(hex, 'hex');
  return padded.subarray(0, 4 + padded.readUInt16BE(2));
}
