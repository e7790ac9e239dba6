/**
 * Checks the rules of PDF/A-3b (ISO 19005-3) that can be verified from a file's objects. veraPDF
 * checks all rules, but it needs Java, which tests must not require.
 */
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFString } from 'pdf-lib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { produceCertificate } from '../produce';
import { buildSampleCertificateInput } from '../testing/sample';
import { generateTestSealingKey, isProgramInstalled, runExternalProgram, writeTemporaryFile } from '../testing/tools';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const name = (key: string) => PDFName.of(key);
let bytes: Buffer;
let document: PDFDocument;
let dictionaries: PDFDict[];

beforeAll(async () => {
  const { pdf } = await produceCertificate(buildSampleCertificateInput(await generateTestSealingKey(), {}));
  bytes = Buffer.from(pdf);
  document = await PDFDocument.load(pdf, { updateMetadata: false });
  const inside = (value: unknown): PDFDict[] => {
    if (value instanceof PDFRawStream) return inside(value.dict);
    if (value instanceof PDFArray) return value.asArray().flatMap(inside);
    if (value instanceof PDFDict) return [value, ...value.values().flatMap(inside)];
    return [];
  };
  dictionaries = document.context.enumerateIndirectObjects().flatMap(([, object]) => inside(object));
});

const ofType = (type: string) => dictionaries.filter((dict) => dict.lookup(name('Type')) === name(type));

describe('a sealed certificate, as PDF/A-3b', () => {
  it('begins with its version and a comment of bytes above 127, and has an id (6.1.2, 6.1.3)', () => {
    expect(bytes.subarray(0, 9).toString('latin1')).toMatch(/^%PDF-1\.[4-7]\n$/);
    expect(bytes[9]).toBe(0x25);
    expect([...bytes.subarray(10, 14)].every((byte) => byte > 127)).toBe(true);
    expect(document.context.trailerInfo.ID).toBeDefined();
    expect(document.context.trailerInfo.Encrypt).toBeUndefined();
  });

  it('defines its color space (6.2.3)', () => {
    const [intent] = ofType('OutputIntent');
    expect(intent?.lookup(name('S'))).toBe(name('GTS_PDFA1'));
    const profile = intent?.lookup(name('DestOutputProfile'));
    expect(profile).toBeInstanceOf(PDFRawStream);
    expect((profile as PDFRawStream).dict.lookup(name('N'))?.toString()).toBe('3');
  });

  it('embeds every font it uses (6.2.11)', () => {
    const described = ofType('FontDescriptor');
    expect(described.length).toBeGreaterThan(0);
    const files = ['FontFile', 'FontFile2', 'FontFile3'];
    for (const font of described) {
      expect(
        files.some((file) => font.has(name(file))),
        String(font.lookup(name('FontName'))),
      ).toBe(true);
    }
    for (const font of ofType('Font')) {
      const subtype = String(font.lookup(name('Subtype')));
      // A composite font has no descriptor of its own.
      if (subtype !== '/Type0')
        expect(font.has(name('FontDescriptor')), String(font.lookup(name('BaseFont')))).toBe(true);
      else expect(font.has(name('ToUnicode')), 'texts can be taken out').toBe(true);
    }
  });

  it('runs nothing: no scripts, no actions on opening, no media (6.5, 6.6)', () => {
    const forbidden = ['Launch', 'Sound', 'Movie', 'ResetForm', 'ImportData', 'JavaScript', 'Hide', 'SetOCGState'];
    for (const dict of dictionaries) {
      expect(dict.has(name('AA'))).toBe(false);
      expect(dict.has(name('JS'))).toBe(false);
      expect(forbidden).not.toContain(String(dict.lookup(name('S'))).slice(1));
    }
    expect(document.catalog.has(name('OpenAction'))).toBe(false);
    expect(document.catalog.has(name('NeedsRendering'))).toBe(false);
  });

  it('has no annotation that would not be printed (6.3.2)', () => {
    for (const annotation of ofType('Annot')) {
      const flags = Number(annotation.lookup(name('F'))?.toString() ?? 'NaN');
      // The annotation has the flag Print, and none of Hidden, Invisible and NoView.
      expect(flags & 0b100111, String(annotation.lookup(name('Subtype')))).toBe(0b100);
    }
  });

  it('declares how its attachments relate to it (6.8)', () => {
    const files = ofType('Filespec');
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect(file.lookup(name('AFRelationship'))).toBe(name('Data'));
      const text = file.lookup(name('UF'));
      expect(text instanceof PDFHexString || text instanceof PDFString).toBe(true);
    }
    expect(document.catalog.lookup(name('AF'), PDFArray).size()).toBe(files.length);
    for (const stream of ofType('EmbeddedFile')) expect(String(stream.lookup(name('Subtype')))).toMatch(/^\/\w+/);
  });

  it.skipIf(!isProgramInstalled('pdffonts'))('has embedded fonts according to pdffonts', () => {
    const [, , ...fonts] = runExternalProgram('pdffonts', [writeTemporaryFile('a.pdf', bytes)])
      .trimEnd()
      .split('\n');
    expect(fonts.length).toBeGreaterThan(0);
    for (const line of fonts) expect(line).toMatch(/ yes\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+$/);
  });
});
