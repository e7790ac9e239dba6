/** Tests the seal with third-party programs: PAdES baseline B-B, and B-T with a timestamp. */
import { createHash, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, type PDFNumber } from 'pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { startHttpTimestampAuthority } from '../testing/time-authority';
import { generateTestSealingKey, isProgramInstalled, runExternalProgram, writeTemporaryFile } from '../testing/tools';
import { verifySealedPdf } from '../verify/pdf';
import {
  encodeDer,
  encodeSealAsDer,
  findAsn1Attribute,
  getAsn1Children,
  getAsn1Octets,
  getCmsSealParts,
  parseCmsSignedData,
  SIGNING_CERTIFICATE_V2_OID,
  TIMESTAMP_TOKEN_OID,
} from './cms';
import { sealPdf } from './seal';
import type { GeneratedSealingKey } from './sealing-key';

const SIGNED_AT = new Date('2026-02-01T10:00:00Z');
const OPTIONS = { reason: 'Test', name: 'Threshold', location: 'example.com', signed_at: SIGNED_AT };
const SIGNING_TIME = '1.2.840.113549.1.9.5';

let key: GeneratedSealingKey;
let other: GeneratedSealingKey;
let sealed: Uint8Array;
beforeAll(async () => {
  key = await generateTestSealingKey();
  other = await generateTestSealingKey();
  sealed = await sealPdf(await blank(), key.p12, key.passphrase, OPTIONS);
});

async function blank(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage().drawText('Hello');
  return document.save();
}

/** Returns the signature from its PDF dictionary, and the bytes that it covers. */
async function partsOf(pdf: Uint8Array) {
  const document = await PDFDocument.load(pdf, { updateMetadata: false });
  const form = document.catalog.lookup(PDFName.of('AcroForm'), PDFDict);
  const dictionary = form.lookup(PDFName.of('Fields'), PDFArray).lookup(0, PDFDict).lookup(PDFName.of('V'), PDFDict);
  const range = dictionary
    .lookup(PDFName.of('ByteRange'), PDFArray)
    .asArray()
    .map((item) => (item as PDFNumber).asNumber()) as [number, number, number, number];
  const content = Buffer.concat([pdf.slice(0, range[1]), pdf.slice(range[2])]);
  const padded = Buffer.from(dictionary.lookup(PDFName.of('Contents'), PDFHexString).asBytes());
  const cms = padded.subarray(0, 4 + padded.readUInt16BE(2));
  return { document, dictionary, content, cms };
}

describe('a seal', () => {
  it('is a PAdES signature by exactly the certificate that it names, and permits no change', async () => {
    const { document, dictionary, cms } = await partsOf(sealed);
    expect(String(dictionary.get(PDFName.of('SubFilter')))).toBe('/ETSI.CAdES.detached');
    const { signed_attributes } = parseCmsSignedData(cms).signer;
    // The time is in the PDF's dictionary. PAdES does not allow it in the attributes.
    expect(findAsn1Attribute(signed_attributes, SIGNING_TIME)).toBeNull();
    expect(String(dictionary.get(PDFName.of('M')))).toContain('20260201100000Z');
    const named = findAsn1Attribute(signed_attributes, SIGNING_CERTIFICATE_V2_OID);
    const der = parseCmsSignedData(cms).certificates[0] ?? Buffer.alloc(0);
    expect(getAsn1Octets(getAsn1Children(getAsn1Children(getAsn1Children(named ?? undefined)[0])[0])[0])).toEqual(
      createHash('sha256').update(der).digest(),
    );
    const [reference] = dictionary.lookup(PDFName.of('Reference'), PDFArray).asArray();
    const transform = reference as PDFDict;
    expect(String(transform.get(PDFName.of('TransformMethod')))).toBe('/DocMDP');
    expect(String(transform.lookup(PDFName.of('TransformParams'), PDFDict).get(PDFName.of('P')))).toBe('1');
    const perms = document.catalog.lookup(PDFName.of('Perms'), PDFDict);
    expect(perms.lookup(PDFName.of('DocMDP'), PDFDict)).toBe(dictionary);
  });

  it('states its time and is valid', async () => {
    expect(await verifySealedPdf(sealed, key.certificate_pem)).toMatchObject({
      seal: 'valid',
      signed_at: '2026-02-01T10:00:00.000Z',
      trusted: true,
    });
  });

  it.skipIf(!isProgramInstalled('openssl'))(
    'is not valid when another certificate of the same key replaces its own',
    async () => {
      // Replaces the certificate with another one for the same key. The signature value stays
      // valid.
      const file = writeTemporaryFile('key.p12', key.p12);
      const pem = runExternalProgram('openssl', [
        'pkcs12',
        '-in',
        file,
        '-passin',
        `pass:${key.passphrase}`,
        '-nodes',
        '-nocerts',
      ]);
      const subject = ['-subj', '/CN=Somebody Else', '-days', '30'];
      const twin = runExternalProgram('openssl', [
        'req',
        '-x509',
        '-key',
        writeTemporaryFile('key.pem', pem),
        ...subject,
      ]);
      const { cms } = await partsOf(sealed);
      const der = new X509Certificate(twin).raw;
      const swapped = encodeSealAsDer({
        ...getCmsSealParts(parseCmsSignedData(cms)),
        certificates: [der],
        signer: der,
      });
      const lying = Buffer.from(sealed);
      const start = lying.indexOf('/Contents <') + '/Contents <'.length;
      const end = lying.indexOf('>', start);
      lying.write(swapped.toString('hex').padEnd(end - start, '0'), start, 'latin1');
      expect(await verifySealedPdf(lying, twin)).toMatchObject({
        seal: 'invalid',
        reason: 'The seal names another certificate.',
      });
    },
  );

  it.skipIf(!isProgramInstalled('pdfsig'))('is valid according to pdfsig', () => {
    const report = runExternalProgram('pdfsig', ['-nocert', writeTemporaryFile('a.pdf', sealed)]);
    for (const said of ['ETSI.CAdES.detached', 'Signature is Valid.', 'Total document signed', 'Prüfstelle Łódź'])
      expect(report).toContain(said);
  });

  it.skipIf(!isProgramInstalled('qpdf'))('leaves the file intact according to qpdf', () => {
    expect(runExternalProgram('qpdf', ['--check', writeTemporaryFile('a.pdf', sealed)])).toContain(
      'No syntax or stream encoding errors',
    );
  });

  it.skipIf(!isProgramInstalled('openssl'))(
    'is valid according to OpenSSL, which checks that the signer is the named certificate',
    async () => {
      const { content, cms } = await partsOf(sealed);
      const check = (signature: Buffer, data: Buffer, ca: string) => {
        const file = writeTemporaryFile('seal.der', signature);
        const at = (name: string) => path.join(path.dirname(file), name);
        writeFileSync(at('content'), data);
        writeFileSync(at('ca.pem'), ca);
        const files = [
          '-inform',
          'DER',
          '-in',
          file,
          '-content',
          at('content'),
          '-CAfile',
          at('ca.pem'),
          '-out',
          at('out'),
        ];
        return runExternalProgram('openssl', ['cms', '-verify', '-cades', '-binary', '-purpose', 'any', ...files]);
      };
      check(cms, content, key.certificate_pem);
      expect(() => check(cms, Buffer.concat([content, Buffer.from('x')]), key.certificate_pem)).toThrow();
      expect(() => check(cms, content, other.certificate_pem)).toThrow();
    },
  );
});

describe.skipIf(!isProgramInstalled('openssl'))('a seal with an authority’s timestamp', () => {
  it('is B-T: `openssl ts` verifies the token over the signature', async () => {
    const authority = await startHttpTimestampAuthority();
    const ask = async (digest: Uint8Array) => {
      const { getConfiguredTimestampAuthority } = await import('./timestamp-authority');
      const { setConfig } = await import('@/config');
      setConfig({ tsa_url: authority.url });
      const token = await getConfiguredTimestampAuthority()?.(digest);
      setConfig({ tsa_url: undefined });
      return token ?? new Uint8Array();
    };
    const now = new Date();
    const stamped = await sealPdf(await blank(), key.p12, key.passphrase, { ...OPTIONS, signed_at: now }, ask);
    await authority.close();
    expect(await verifySealedPdf(stamped, key.certificate_pem)).toMatchObject({
      seal: 'valid',
      timestamp: { authority: 'Test Time Authority', problem: null },
    });
    const { cms } = await partsOf(stamped);
    const { signer } = parseCmsSignedData(cms);
    const token = findAsn1Attribute(signer.unsigned_attributes, TIMESTAMP_TOKEN_OID);
    const file = writeTemporaryFile('token.der', token ? encodeDer(token) : '');
    const ca = writeTemporaryFile('tsa.pem', authority.certificate);
    const verify = (digest: string) =>
      runExternalProgram('openssl', ['ts', '-verify', '-digest', digest, '-in', file, '-token_in', '-CAfile', ca]);
    expect(verify(createHash('sha256').update(signer.signature).digest('hex'))).toContain('Verification: OK');
    expect(() => verify('ab'.repeat(32))).toThrow();
  });
});
