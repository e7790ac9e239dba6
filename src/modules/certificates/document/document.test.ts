import { deflateSync } from 'node:zlib';
import { PDFDocument, PDFName } from 'pdf-lib';
import { describe, expect, it, vi } from 'vitest';
import { getConsentText } from '@/shared/guest-text/consent';
import { GUEST_LANGUAGES, GUEST_LOCALES } from '@/shared/guest-text/locale';
import { getGuestTranslator } from '@/shared/guest-text/translate';
import { produceCertificate } from '../produce';
import { buildSampleCertificateInput, SAMPLE_AGREEMENT_SNAPSHOT_INPUT } from '../testing/sample';
import {
  extractPdfText,
  generateTestSealingKey,
  isProgramInstalled,
  runExternalProgram,
  writeTemporaryFile,
} from '../testing/tools';
import type { CertificateRenderInput } from '../types';
import { verifySealedPdf } from '../verify/pdf';
import { formatDay, formatMoney } from './format';
import { parseEmbeddableImage } from './images';
import { renderCertificateDocument } from './render-document';
import { getDocumentTranslator } from './words';

// Rendering is slow, especially while other tests run.
vi.setConfig({ testTimeout: 90_000 });

const NO_KEY = { p12: new Uint8Array(), passphrase: '' };
const render = async (
  changes: Partial<CertificateRenderInput> = {},
  source: Partial<typeof SAMPLE_AGREEMENT_SNAPSHOT_INPUT> = {},
) =>
  (await renderCertificateDocument(buildSampleCertificateInput(NO_KEY, changes, source))).save({
    useObjectStreams: false,
  });

function png(width: number, height: number): Uint8Array {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = Buffer.alloc((width * 3 + 1) * height, 0x30);
  for (let row = 0; row < height; row += 1) pixels[row * (width * 3 + 1)] = 0;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * 200 rules: short and long texts, a word of 500 characters, URLs, scripts without spaces, line
 * breaks.
 */
const HARD_RULES = Array.from({ length: 200 }, (_, index) => {
  const texts = [
    `Rule ${index}: keep everything as you found it.`,
    `Rule ${index}: ${'please mind the neighbours '.repeat(12)}end ${index}.`,
    `${index}${'W'.repeat(497)}`,
    `https://example.com/${index}/${'path/'.repeat(90)}`,
    `${index} 请勿在室内吸烟，谢谢。${'不要开派对。'.repeat(30)}`,
    `Line ${index} one\nline two\n\nline four`,
  ];
  return {
    id: `rule_${index}`,
    text: texts[index % texts.length] ?? '',
    category: ['Noise', 'Kitchen', null][index % 3],
  };
});

/** Returns the text of a PDF as lines. A form feed marks the end of a page. */
const linesOf = (bytes: Uint8Array) =>
  runExternalProgram('pdftotext', ['-layout', writeTemporaryFile('a.pdf', bytes), '-']).split('\n');

describe('the certificate document', () => {
  it.skipIf(!isProgramInstalled('pdftotext')).each(['ja', 'zh-Hans', 'ko'])(
    'in %s never adds a hyphen at the end of a line',
    async (locale) => {
      for (const guest_name of ['Ada', 'Ada Lovelace', '山田 太郎', 'A'.repeat(30)]) {
        const reservation = { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.reservation, guest_name };
        const bytes = await render({}, { locale, reservation });
        expect(
          linesOf(bytes).filter((line) => /-\s*$/.test(line)),
          guest_name,
        ).toEqual([]);
      }
    },
  );

  it.skipIf(!isProgramInstalled('pdftotext'))(
    'contains the booking reference, and leaves no page nearly empty',
    async () => {
      const { version, paragraphs } = getConsentText('de');
      const consent = { version, locale: 'de', text: paragraphs.join('\n\n') };
      const reservation = { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.reservation, external_id: 'HMABCDEF42' };
      const text = linesOf(await render({}, { locale: 'de', consent, reservation })).join('\n');
      for (const printed of ['Buchungsnummer', 'HMABCDEF42']) expect(text).toContain(printed);
      const pages = text.split('\f').slice(0, -1);
      for (const page of pages.slice(0, -1)) expect(page.length).toBeGreaterThan(1_000);
    },
  );

  it('has title, language, author and date, and declares PDF/A-3b', async () => {
    const bytes = await render({}, { locale: 'pt-PT' });
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    expect(document.getTitle()).toContain('Casa da Ribeira');
    expect(document.getAuthor()).toBe('Casa da Ribeira');
    expect(document.getCreationDate()?.toISOString()).toBe('2026-02-21T18:33:42.000Z');
    expect(document.catalog.get(PDFName.of('Lang'))?.toString()).toBe('(pt-PT)');
    expect(document.catalog.has(PDFName.of('OutputIntents'))).toBe(true);
    expect(Buffer.from(bytes).toString('latin1')).toMatch(/pdfaid:part>3<.*pdfaid:conformance>B</s);
  });

  it.each(['A & B <c> "d"', '/ByteRange [0 /********** /********** /**********]', 'Łódź 🏠 民宿'])(
    'has well-formed metadata, and can be sealed, for a property called %j',
    async (name) => {
      const source = { property: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.property, name } };
      const key = await generateTestSealingKey();
      const { pdf } = await produceCertificate(buildSampleCertificateInput(key, {}, source));
      expect(await verifySealedPdf(pdf, key.certificate_pem)).toMatchObject({ seal: 'valid' });
      const document = await PDFDocument.load(pdf, { updateMetadata: false });
      expect(document.getAuthor()).toBe(name);
      const text = Buffer.from(pdf).toString('utf8');
      expect(text.match(/<x:xmpmeta/g)).toHaveLength(1);
      const creator = /<rdf:Seq><rdf:li>(.*?)<\/rdf:li>/.exec(text)?.[1] ?? '';
      expect(creator).not.toMatch(/[<>"/]|&(?!#\d+;)/);
      expect(creator.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toBe(name);
    },
  );

  it('contains a drawn signature and a logo, and omits unreadable images', async () => {
    const signer = buildSampleCertificateInput(NO_KEY).signer;
    const branding = { brand_color: '#123456', logo: png(40, 20) };
    const with_images = await render({ signer: { ...signer, drawn_signature_png: png(120, 40) }, branding });
    const broken = Buffer.from(png(120, 40)).subarray(0, 70);
    const without = await render({
      signer: { ...signer, drawn_signature_png: broken },
      branding: { brand_color: 'javascript:', logo: new TextEncoder().encode('<svg/>') },
    });
    const images = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1').split('/Subtype /Image').length - 1;
    expect(images(with_images) - images(without)).toBe(2);
  });

  it('is marked in test mode', async () => {
    const pages = (bytes: Uint8Array) => PDFDocument.load(bytes).then((document) => document.getPageCount());
    expect(await pages(await render({ livemode: false }))).toBe(await pages(await render()));
    if (!isProgramInstalled('pdftotext')) return;
    expect(extractPdfText(await render({ livemode: false }))).toContain('TEST MODE');
    expect(extractPdfText(await render())).not.toContain('TEST MODE');
  });
});

describe.skipIf(!isProgramInstalled('pdftotext'))('the text of the certificate document', () => {
  it('states who signed what and when, in the property’s zone and in UTC, with hashes and URL', async () => {
    const packet = {
      ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.packet,
      visible_notes: [{ group: 'checkin_notes' as const, text: 'Mind the step.' }],
    };
    const input = buildSampleCertificateInput(NO_KEY, {}, { packet });
    const text = extractPdfText(await (await renderCertificateDocument(input)).save());
    for (const part of [
      'Łukasz Müller-Ødegård',
      '2026-02-21 18:33:40.512 UTC',
      'Europe/Lisbon',
      '203.0.113.7',
      input.content_hash,
      input.snapshot.consent.text,
      input.snapshot.acknowledgement.text,
      '€65.00',
      'per night',
      // The labels of the guest page: headings, conditions of fees, and units.
      'Noise and quiet hours',
      'Only if they apply',
      'Only if you bring a pet',
      'Parking notes when the host releases them',
      'Mind the step.',
      ...input.trail.map(({ hash }) => hash),
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('never-print-me');
    expect(text.replaceAll(' ', '')).toContain(input.verify_url);
  });

  it('contains every rule completely, with 200 rules and 500-character words, within the page', async () => {
    const bytes = await render({}, { packet: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.packet, rules: HARD_RULES } });
    const file = writeTemporaryFile('a.pdf', bytes);
    // Each rule occurs without a page number or footer inside it, so no rule is split across pages.
    const text = runExternalProgram('pdftotext', ['-raw', file, '-']).replace(/\s/g, '');
    for (const rule of HARD_RULES) expect(text).toContain(rule.text.replace(/\s/g, ''));
    const boxes = runExternalProgram('pdftotext', ['-bbox', file, '-']).matchAll(
      /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.]+)" yMax="([\d.]+)"/g,
    );
    let words = 0;
    for (const [, x_min, y_min, x_max, y_max] of boxes) {
      words += 1;
      expect(Number(x_min)).toBeGreaterThan(30);
      expect(Number(x_max)).toBeLessThan(595 - 30);
      expect(Number(y_min)).toBeGreaterThan(10);
      expect(Number(y_max)).toBeLessThan(842 - 10);
    }
    expect(words).toBeGreaterThan(2000);
  });

  it.each([
    ['Polish, Turkish, Vietnamese', 'Zażółć gęślą jaźń, İstanbul, Nguyễn'],
    ['Cyrillic', 'Тихо після 22:00'],
    ['Greek', 'Ησυχία μετά τις 22:00'],
    ['Chinese', '请勿吸烟'],
    ['Japanese', '土足厳禁です'],
    ['Korean', '조용히 해 주세요'],
    ['Thai', 'ห้ามสูบบุหรี่'],
    ['emoji', '🚭 🐕'],
  ])('contains %s in an embedded font', async (_, sample) => {
    const rules = [{ id: 'r', text: sample, category: null }];
    const signer = { ...buildSampleCertificateInput(NO_KEY).signer, typed_name: sample };
    const bytes = await render({ signer }, { packet: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.packet, rules } });
    expect(extractPdfText(bytes).replaceAll(' ', '')).toContain(sample.replaceAll(' ', ''));
    if (!isProgramInstalled('pdffonts')) return;
    const fonts = runExternalProgram('pdffonts', [writeTemporaryFile('a.pdf', bytes)])
      .trim()
      .split('\n')
      .slice(2);
    for (const font of fonts) expect(font).toMatch(/\byes +yes +yes\b/);
  });

  it('can be copied completely after another certificate composed some of its letters', async () => {
    // The renderer composes “ź” from “z” and a mark. This must not affect later uses of “z”.
    await render({}, { property: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.property, name: 'Ćwiąź' } });
    const name = 'Zwięzła czerń';
    expect(
      extractPdfText(await render({}, { property: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.property, name } })),
    ).toContain(name);
  });

  it('uses only embedded fonts, whatever the text', async () => {
    const text = 'a\u0000\u0007\uFFFF\u{10FFFD}\u{1F469}\u200D\u{1F467}\u{1F1F5}\u{1F1F9}\ud800 ᚠ ꙮ \u202e\t\r\nb';
    const bytes = await render(
      {},
      { packet: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.packet, rules: [{ id: 'r', text, category: text }] } },
    );
    const fonts = runExternalProgram('pdffonts', [writeTemporaryFile('a.pdf', bytes)]);
    expect(fonts).not.toContain('Helvetica');
    expect(fonts).not.toMatch(/\bno +(yes|no) +(yes|no) +\d/);
  });
});

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '');
const ARABIC_WORD = /[\p{Script=Arabic}]{3,}/gu;
/**
 * Returns an Arabic word's letters in sorted order, because PDF readers return the letters of a
 * ligature in either order.
 */
const letters = (word: string) => [...plain(word).replace(/[^\p{L}\p{N}.]/gu, '')].sort().join('');

describe.skipIf(!isProgramInstalled('pdftotext')).each(GUEST_LOCALES)('a certificate in %s', (locale) => {
  const { version, paragraphs, statement } = getConsentText(locale);
  const words = getDocumentTranslator(locale);

  it('states in that language what was signed and when, in embedded fonts', async () => {
    const source = {
      locale,
      consent: { version, locale, text: paragraphs.join('\n\n') },
      acknowledgement: { version, locale, text: statement, photo_required: false },
    };
    const bytes = await render({ livemode: false }, source);
    const file = writeTemporaryFile('a.pdf', bytes);
    const text = runExternalProgram('pdftotext', ['-raw', file, '-']).normalize('NFKC');
    const squeezed = text.replace(/[\s\u2066-\u2069\u202a-\u202e]/g, '');
    const day = formatDay('2026-03-01', locale);
    const shown = [
      statement,
      ...paragraphs,
      words('document_title'),
      words('test_mode'),
      words('times_own'),
      words('trail_type.reservation.signed'),
      getGuestTranslator(locale)('fee_when.conditional_pet'),
      day,
      formatMoney(6500, 'EUR', locale),
    ].map((part) => part.normalize('NFKC'));
    if (GUEST_LANGUAGES[locale].dir === 'rtl') {
      const there = new Set(text.split(/\s+/).map((word) => letters(word.replace(/[^\p{L}\p{M}]/gu, ''))));
      const words_of = (part: string) => plain(part).match(ARABIC_WORD) ?? [];
      const missing = shown.flatMap(words_of).filter((word) => !there.has(letters(word)));
      expect(missing).toEqual([]);
    } else {
      for (const part of shown) expect(squeezed).toContain(part.replace(/\s/g, ''));
    }
    expect(runExternalProgram('pdffonts', [file])).not.toContain('Helvetica');
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    expect(document.catalog.get(PDFName.of('Lang'))?.toString()).toBe(`(${GUEST_LANGUAGES[locale].tag})`);
  });
});

describe.skipIf(!isProgramInstalled('pdftotext'))('a certificate in Arabic', () => {
  it('is right-aligned: headings, rules and their numbers, with the amounts on the left', async () => {
    const rules = [{ id: 'r', text: 'ممنوع التدخين.', category: null }];
    const file = writeTemporaryFile(
      'a.pdf',
      await render({}, { locale: 'ar', packet: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.packet, rules } }),
    );
    const words = [
      ...runExternalProgram('pdftotext', ['-bbox', file, '-']).matchAll(
        /xMin="([\d.]+)"[^>]*xMax="([\d.]+)"[^>]*>([^<]*)</g,
      ),
    ];
    const at = (wanted: string) => {
      const word = words.find(([, , , text]) => letters(text ?? '') === letters(wanted));
      return { from: Number(word?.[1]), to: Number(word?.[2]) };
    };
    const page_width = 595;
    expect(at('إقرار').to).toBeGreaterThan(page_width / 2);
    expect(at('شهادة').to).toBeGreaterThan(page_width - 60);
    expect(at('1.').from).toBeGreaterThan(at('ممنوع').to - 1);
    expect(at('ممنوع').from).toBeGreaterThan(at('التدخين.').from);
    expect(at('65.00').to).toBeLessThan(page_width / 3);
    // The surrounding right-to-left text does not reverse a time.
    expect(runExternalProgram('pdftotext', ['-raw', file, '-'])).toContain('2026-02-21 18:33:40.512 UTC');
  });
});

describe('parseEmbeddableImage', () => {
  it('accepts a PNG', () => expect(parseEmbeddableImage(png(10, 10))).toMatchObject({ format: 'png' }));

  it.each<[string, Uint8Array | null]>([
    ['nothing', null],
    ['an SVG', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a truncated PNG', png(50, 50).slice(0, 60)],
    [
      'a PNG that declares enormous dimensions',
      (() => {
        const image = Buffer.from(png(4, 4));
        image.writeUInt32BE(100_000, 16);
        return image;
      })(),
    ],
    ['an image with too many bytes', new Uint8Array(3 * 1024 * 1024)],
    ['the beginning of a JPEG', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0, 0, 0, 0, 0, 0, 0])],
  ])('refuses %s', (_, bytes) => expect(parseEmbeddableImage(bytes)).toBeNull());
});
