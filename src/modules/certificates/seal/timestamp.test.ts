/** Tests timestamps from a local authority, which uses `openssl ts`. Skipped without OpenSSL. */
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { setClock } from '@/shared/clock';
import {
  createLocalTimestampAuthority,
  type HttpTimestampAuthority,
  INVALID_TIMESTAMP_RESPONSE_KINDS,
  startHttpTimestampAuthority,
} from '../testing/time-authority';
import { generateTestSealingKey, isProgramInstalled, runExternalProgram, writeTemporaryFile } from '../testing/tools';
import type { TimestampAuthority } from '../types';
import { verifySealedPdf } from '../verify/pdf';
import { addTimestampTokenToSeal, getSignatureValue, parseCmsSignedData } from './cms';
import { sealPdf } from './seal';
import type { GeneratedSealingKey } from './sealing-key';
import { assertTimestampRootsFileUsable, getConfiguredTimestampAuthority } from './timestamp-authority';

/** The expected error for each false response. */
const REASONS: Record<(typeof INVALID_TIMESTAMP_RESPONSE_KINDS)[number], RegExp> = {
  'stamps something else': /not of this signature/,
  'repeats an old answer': /a different request/,
  'leaves out the nonce': /a different request/,
  // The authority's certificate was created during this test, so it was not valid at the claimed
  // time.
  'says yesterday': /not valid then/,
  'says next month': /minutes from this server/,
  'signs with a certificate for anything': /not one for timestamps/,
  'signs with a certificate for more': /not one for timestamps/,
  'signs with an expired certificate': /not valid then/,
  'brings another’s issuer': /not issued by one another/,
  'changes a byte': /does not verify|not the one that was signed/,
  'names no certificate': /names no certificate/,
};

const OPTIONS = { reason: 'Test', name: 'Threshold', location: 'x', signed_at: new Date() };

describe.skipIf(!isProgramInstalled('openssl'))('a timestamped seal', () => {
  let key: GeneratedSealingKey;
  let blank: Uint8Array;
  let sealed: Uint8Array;
  const digests: Uint8Array[] = [];

  beforeAll(async () => {
    key = await generateTestSealingKey();
    const document = await PDFDocument.create();
    document.addPage().drawText('Hello');
    blank = await document.save();
    const authority = createLocalTimestampAuthority();
    sealed = await sealPdf(blank, key.p12, key.passphrase, OPTIONS, (digest) => {
      digests.push(digest);
      return authority(digest);
    });
  });

  it('states when the authority received the signature', async () => {
    const verdict = await verifySealedPdf(sealed, key.certificate_pem);
    expect(verdict).toMatchObject({ seal: 'valid', timestamp: { authority: 'Test Time Authority', problem: null } });
    expect(Math.abs(Date.parse(verdict.timestamp?.time ?? '') - Date.now())).toBeLessThan(60_000);
    expect(digests.map((digest) => digest.length)).toEqual([32]);
  });

  it.skipIf(!isProgramInstalled('pdfsig'))('is also valid according to pdfsig', () => {
    const report = runExternalProgram('pdfsig', ['-nocert', writeTemporaryFile('a.pdf', sealed)]);
    expect(report).toContain('Signature is Valid.');
    expect(report).toContain('Total document signed');
  });

  it('contains a token that OpenSSL verifies against the signature', () => {
    const signed_data = extractSignature(sealed);
    const { signer } = parseCmsSignedData(signed_data);
    const text = runExternalProgram('openssl', [
      'cms',
      '-cmsout',
      '-print',
      '-inform',
      'DER',
      '-in',
      writeTemporaryFile('s.der', signed_data),
    ]);
    expect(text).toContain('id-smime-aa-timeStampToken');
    expect(getSignatureValue(signed_data)).toEqual(signer.signature);
  });

  it('is not valid with the timestamp of another signature', async () => {
    const other = createLocalTimestampAuthority();
    const elsewhere: TimestampAuthority = () => other(new Uint8Array(32).fill(7));
    const verdict = await verifySealedPdf(
      await sealPdf(blank, key.p12, key.passphrase, OPTIONS, elsewhere),
      key.certificate_pem,
    );
    expect(verdict).toMatchObject({ seal: 'invalid', reason: 'The timestamp is not of this signature.' });
  });

  it.each([
    ['long before', -24, 'The timestamp is from long after the seal.'],
    ['after', 24, 'The timestamp is from before the signature.'],
  ])('proves nothing when the seal’s own time is %s the authority’s time', async (_, hours, problem) => {
    const options = { ...OPTIONS, signed_at: new Date(Date.now() + hours * 3_600_000) };
    const pdf = await sealPdf(blank, key.p12, key.passphrase, options, createLocalTimestampAuthority());
    expect(await verifySealedPdf(pdf, key.certificate_pem)).toMatchObject({ seal: 'valid', timestamp: { problem } });
  });

  it('is not made with an invalid token, nor when the authority does not respond', async () => {
    const seal = (tsa: TimestampAuthority) => sealPdf(blank, key.p12, key.passphrase, OPTIONS, tsa);
    await expect(seal(async () => new Uint8Array([0x30, 0]))).rejects.toThrow();
    await expect(seal(async () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
    expect(() => addTimestampTokenToSeal(extractSignature(sealed), new Uint8Array([4, 0]))).toThrow();
  });
});

describe.skipIf(!isProgramInstalled('openssl'))('an authority with false responses', () => {
  let authority: HttpTimestampAuthority;
  beforeAll(async () => {
    authority = await startHttpTimestampAuthority();
    setConfig({ tsa_url: authority.url });
  });
  afterAll(async () => {
    setConfig({ tsa_url: undefined });
    await authority.close();
  });
  const ask = async () => getConfiguredTimestampAuthority()?.(new Uint8Array(32).fill(1));

  it('is accepted as long as its responses are correct', async () => {
    authority.behavior = 'answers';
    await expect(ask()).resolves.toBeInstanceOf(Uint8Array);
  });

  it.each(INVALID_TIMESTAMP_RESPONSE_KINDS)('is rejected when it %s', async (lie) => {
    authority.behavior = lie;
    await expect(ask()).rejects.toThrow(REASONS[lie]);
  });

  it('cannot be configured with a TSA_CA_FILE without certificates', async () => {
    for (const file of ['/nowhere/ca.pem', writeTemporaryFile('ca.pem', 'hello')]) {
      setConfig({ tsa_ca_file: file });
      await expect(assertTimestampRootsFileUsable()).rejects.toThrow(`it is “${file}”`);
    }
    setConfig({ tsa_ca_file: writeTemporaryFile('ca.pem', authority.certificate) });
    await assertTimestampRootsFileUsable();
    setConfig({ tsa_ca_file: undefined });
  });

  it('is rejected when its time is far from this server’s', async () => {
    authority.behavior = 'answers';
    setClock({ now: () => new Date(Date.now() - 3_600_000) });
    await expect(ask()).rejects.toThrow('60 minutes from this server');
    setClock(null);
  });
});

/** Returns the DER of the seal, without its padding. */
function extractSignature(pdf: Uint8Array): Buffer {
  const hex = /\/Contents <([0-9a-f]+)>/.exec(Buffer.from(pdf).toString('latin1'))?.[1] ?? '';
  const padded = Buffer.from(hex, 'hex');
  return padded.subarray(0, 4 + padded.readUInt16BE(2));
}
