import path from 'node:path';
import { PDFDocument, PDFName } from 'pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { produceCertificate } from '../produce';
import { attachEvidenceFiles } from '../seal/attachments';
import { sealPdf } from '../seal/seal';
import { type GeneratedSealingKey, generateSealingKey } from '../seal/sealing-key';
import { buildSampleCertificateInput, chainTrailEntries } from '../testing/sample';
import { generateTestSealingKey, isProgramInstalled, runExternalProgram, writeTemporaryFile } from '../testing/tools';
import type { CertificateRenderInput, RenderedCertificate } from '../types';
import { verifySealedPdf } from './pdf';

let key: GeneratedSealingKey;
let input: CertificateRenderInput;
let certificate: RenderedCertificate;

beforeAll(async () => {
  key = await generateTestSealingKey();
  input = buildSampleCertificateInput(key);
  certificate = await produceCertificate(input);
});

/** Seals a small file with arbitrary evidence, as an attacker who has the key could. */
async function sealedWith(evidence: CertificateRenderInput): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage();
  await attachEvidenceFiles(document, evidence);
  const options = { reason: '', name: '', location: '', signed_at: new Date(input.sealed_at) };
  return sealPdf(document, key.p12, key.passphrase, options);
}

describe('a sealed certificate', () => {
  it('is verified from the file alone: seal, content hash and chain', async () => {
    const verdict = await verifySealedPdf(certificate.pdf, key.certificate_pem);
    expect(verdict).toMatchObject({
      seal: 'valid',
      reason: null,
      covers_whole_document: true,
      trusted: true,
      signed_at: '2026-02-21T18:33:42.000Z',
      sha256: certificate.sha256,
      evidence: {
        certificate_id: input.certificate_id,
        content_hash: input.content_hash,
        content_hash_matches: true,
        signed_content_matches: true,
        chain: { ok: true, entries: 6, head_hash: input.trail.at(-1)?.hash },
      },
    });
    expect(verdict.evidence?.audit.snapshot).toEqual(input.snapshot);
    expect(verdict.evidence?.audit.entries).toEqual(input.trail);
  });

  it('is not valid when any byte is changed, also in the seal itself', async () => {
    const { pdf } = certificate;
    const seal_at = Buffer.from(pdf).indexOf('/Contents <');
    const positions = new Set<number>();
    for (let at = 0; at < pdf.length; at += Math.floor(pdf.length / 120)) positions.add(at);
    for (let at = seal_at; at < seal_at + 8250; at += 23) positions.add(at);
    for (const at of [0, 5, seal_at + 11, seal_at + 12, pdf.length - 1]) positions.add(at);
    const unseen: number[] = [];
    for (const at of positions) {
      const tampered = new Uint8Array(pdf);
      tampered[at] = (tampered[at] ?? 0) ^ 1;
      if ((await verifySealedPdf(tampered, key.certificate_pem)).seal === 'valid') unseen.push(at - seal_at);
    }
    expect(unseen).toEqual([]);
  });

  it('is not valid when bytes are added or cut off', async () => {
    const { pdf } = certificate;
    const longer = await verifySealedPdf(Buffer.concat([pdf, Buffer.from('\n%%EOF\n')]), key.certificate_pem);
    expect(longer).toMatchObject({ seal: 'invalid', covers_whole_document: false });
    expect(await verifySealedPdf(pdf.slice(0, -1), key.certificate_pem)).toMatchObject({ seal: 'invalid' });
  });

  it('is not valid when another installation sealed it', async () => {
    const other = await generateSealingKey({ common_name: 'Prüfstelle Łódź', now: new Date('2026-01-01') });
    const verdict = await verifySealedPdf(certificate.pdf, other.certificate_pem);
    expect(verdict).toMatchObject({ seal: 'invalid', trusted: false, covers_whole_document: true });
    expect(await verifySealedPdf(certificate.pdf)).toMatchObject({ seal: 'valid', trusted: null });
  });

  it('is not valid when it was signed again', async () => {
    const other = await generateSealingKey({ common_name: 'Someone', now: new Date('2026-01-01') });
    const options = { reason: '', name: '', location: '', signed_at: new Date() };
    const twice = await sealPdf(certificate.pdf, other.p12, other.passphrase, options);
    expect((await verifySealedPdf(twice)).seal).toBe('invalid');
  });

  it.each<[string, (evidence: CertificateRenderInput) => CertificateRenderInput, object]>([
    [
      'a snapshot that was changed',
      (evidence) => ({ ...evidence, snapshot: { ...evidence.snapshot, locale: 'de' } }),
      { content_hash_matches: false, chain: { ok: true } },
    ],
    [
      'a trail entry that was changed',
      (evidence) => ({
        ...evidence,
        trail: evidence.trail.map((entry) => (entry.seq === 3 ? { ...entry, ip: '198.51.100.1' } : entry)),
      }),
      { content_hash_matches: true, chain: { ok: false, broken_seq: 3, reason: 'hash' } },
    ],
    [
      'a snapshot other than the one that was signed',
      (evidence) => ({ ...evidence, trail: buildSampleCertificateInput(key, {}, { locale: 'fr' }).trail }),
      { content_hash_matches: true, chain: { ok: true }, signed_content_matches: false },
    ],
  ])('reports %s, even under a valid seal', async (_, change, expected) => {
    const verdict = await verifySealedPdf(await sealedWith(change(input)), key.certificate_pem);
    expect(verdict).toMatchObject({ seal: 'valid', evidence: expected });
  });
});

describe('any other file', () => {
  it.each<[string, () => Promise<Uint8Array>]>([
    ['a file that is not a PDF', async () => new TextEncoder().encode('hello')],
    ['an empty file', async () => new Uint8Array()],
    ['a PDF without a seal', async () => (await PDFDocument.create()).save()],
  ])('%s has no seal', async (_, make) => {
    expect(await verifySealedPdf(await make())).toMatchObject({
      seal: 'missing',
      covers_whole_document: false,
      evidence: null,
    });
  });

  it('an unsigned signature field is not a seal', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    const field = document.context.register(document.context.obj({ FT: 'Sig', T: 'Signature1' }));
    document.catalog.set(PDFName.of('AcroForm'), document.context.obj({ Fields: [field] }));
    expect(await verifySealedPdf(await document.save())).toMatchObject({ seal: 'missing' });
  });
});

describe('produceCertificate', () => {
  it('does not seal a content hash that is not the snapshot’s', async () => {
    await expect(produceCertificate({ ...input, content_hash: 'a'.repeat(64) })).rejects.toThrow(/content hash/);
  });

  it.each(['photo', 'drawn signature'])('does not seal a different %s from the signed one', async (what) => {
    const hash = 'a'.repeat(64);
    const named: Record<string, string> = what === 'photo' ? { photo_sha256: hash } : { drawn_signature_sha256: hash };
    const trail = chainTrailEntries(
      input.trail.map(({ seq: _seq, prev_hash: _prev, hash: _hash, ...entry }) =>
        entry.type === 'reservation.signed' ? { ...entry, data: { ...entry.data, ...named } } : entry,
      ),
    );
    await expect(produceCertificate({ ...input, trail })).rejects.toThrow(
      `The ${what} of ${input.certificate_id} is not the one that was signed.`,
    );
    if (what === 'photo')
      await produceCertificate({ ...input, trail, signer: { ...input.signer, photo_sha256: hash } });
  });

  it('does not seal a broken trail', async () => {
    await expect(produceCertificate({ ...input, trail: input.trail.slice(1) })).rejects.toThrow(/broken at entry 1/);
  });
});

describe('independent tools', () => {
  it.skipIf(!isProgramInstalled('pdfsig'))('pdfsig reports a valid signature over the whole document', () => {
    const report = runExternalProgram('pdfsig', ['-nocert', writeTemporaryFile('a.pdf', certificate.pdf)]);
    expect(report).toContain('Signature is Valid.');
    expect(report).toContain('Total document signed');
    expect(report).toContain('Prüfstelle Łódź');
  });

  it.skipIf(!isProgramInstalled('qpdf'))('qpdf reports no errors', () => {
    expect(runExternalProgram('qpdf', ['--check', writeTemporaryFile('a.pdf', certificate.pdf)])).toContain(
      'No syntax or stream encoding errors',
    );
  });

  it.skipIf(!isProgramInstalled('pdfdetach'))('pdfdetach extracts a snapshot whose SHA-256 is the content hash', () => {
    const file = writeTemporaryFile('a.pdf', certificate.pdf);
    runExternalProgram('pdfdetach', ['-saveall', '-o', path.dirname(file), file]);
    expect(runExternalProgram('sha256sum', [path.join(path.dirname(file), 'snapshot.json')])).toMatch(
      new RegExp(`^${input.content_hash} `),
    );
  });
});
