/**
 * Tests that names in many scripts are readable on the page, and that a character without a font is
 * printed as its code.
 */
import { Font } from '@react-pdf/renderer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSampleCertificateInput, SAMPLE_AGREEMENT_SNAPSHOT_INPUT } from '../testing/sample';
import { isProgramInstalled, runExternalProgram, writeTemporaryFile } from '../testing/tools';
import { BODY_FONT, getFontStack, loadFontCoverage, registerFonts } from './fonts';
import { toPrintableText } from './printable';
import { renderCertificateDocument } from './render-document';

/**
 * Names by ISO 15924 script code. Every script with over a million writers in CLDR 48's
 * territoryInfo is included, except notations such as Braille.
 */
const NAMES: Record<string, string> = {
  Arab: 'محمد علی‌پور',
  Armn: 'Արամ Խաչատրյան',
  Beng: 'রবীন্দ্রনাথ ঠাকুর',
  Copt: 'Ⲁⲛⲧⲱⲛⲓ',
  Cyrl: 'Григорій Сковорода',
  Deva: 'सूर्यकान्त त्रिपाठी',
  Ethi: 'አበበ ቢቂላ',
  Geor: 'შოთა რუსთაველი',
  Grek: 'Οδυσσέας Ελύτης',
  Gujr: 'ઝવેરચંદ મેઘાણી',
  Guru: 'ਅੰਮ੍ਰਿਤਾ ਪ੍ਰੀਤਮ',
  Hans: '李小龙',
  Hant: '張學友',
  Hebr: 'שמואל יוסף',
  Hmnp: '𞄀𞄩𞄰𞄁',
  Jpan: '山田さくらカナ',
  Khmr: 'សុខ ស្រីមុំ',
  Knda: 'ಕುವೆಂಪು ಶ್ರೀ',
  Kore: '김민준',
  Laoo: 'ສົມສັກ ວົງສາ',
  Latn: 'Nguyễn Łucja',
  Mlym: 'വൈക്കം മുഹമ്മദ്',
  Mong: 'ᠴᠢᠩᠭᠢᠰ',
  Mymr: 'အောင်ဆန်း စုကြည်',
  Nkoo: 'ߛߏߟߏߡߊߣߊ',
  Olck: 'ᱨᱟᱜᱷᱩᱱᱟᱛᱷ',
  Orya: 'ଫକୀର ମୋହନ',
  Rohg: '𐴀𐴝𐴌𐴗',
  Sinh: 'ශ්‍රී ලාල්',
  Taml: 'சுப்பிரமணிய பாரதி',
  Telu: 'శ్రీశ్రీ గురజాడ',
  Tfng: 'ⵎⴰⵙⵙⵉⵏⵉⵙⵙⴰ',
  Thai: 'สมชาย ใจดี',
  Tibt: 'བསྟན་འཛིན་རྒྱ་མཚོ',
  Yiii: 'ꆈꌠꁱꂷ',
};

const NO_KEY = { p12: new Uint8Array(), passphrase: '' };
const asRules = (texts: readonly string[]) => texts.map((text, index) => ({ id: `r${index}`, text, category: null }));
const render = async (name: string, texts: readonly string[]) => {
  const packet = { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.packet, rules: asRules(texts) };
  const input = buildSampleCertificateInput(
    NO_KEY,
    {},
    { packet, reservation: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.reservation, guest_name: name } },
  );
  return (await renderCertificateDocument(input)).save({ useObjectStreams: false });
};
const rulesIn = (text: string) =>
  new Map(
    [...text.matchAll(/^(\d+)\.\s([\s\S]*?)(?=^\d+\.\s|^Fees)/gm)].map(([, at, line]) => [Number(at), line ?? '']),
  );
const letters = (text: string) => [...new Set(text.normalize('NFD').replace(/[\p{Cf}\s]/gu, ''))];

describe('a name in the certificate', () => {
  registerFonts();

  it.each(Object.entries(NAMES))('in %s has a glyph for each of its characters', async (_, name) => {
    const covers = await loadFontCoverage(getFontStack(name));
    expect(toPrintableText(name, covers).replaceAll('\u200b', '')).toBe(name);
  });

  it.skipIf(!isProgramInstalled('pdftotext'))(
    'in any script can be extracted from the file again, with embedded fonts only',
    async () => {
      const file = writeTemporaryFile('a.pdf', await render(NAMES.Sinh ?? '', Object.values(NAMES)));
      const text = runExternalProgram('pdftotext', ['-raw', file, '-']);
      const lines = rulesIn(text);
      for (const [index, [script, name]] of Object.entries(NAMES).entries()) {
        const shown = letters(lines.get(index + 1) ?? '');
        for (const letter of letters(name)) expect(shown, `${script} ${index + 1}: ${name}`).toContain(letter);
      }
      const fonts = runExternalProgram('pdffonts', [file]).trim().split('\n').slice(2);
      expect(fonts.length).toBeGreaterThan(20);
      for (const font of fonts) expect(font).toMatch(/\byes +yes +yes\b/);
    },
    120_000,
  );
});

describe('any text in the certificate', () => {
  const anything = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });

  it('is blank only if the input was blank, and contains no character without a glyph', async () => {
    const covers = await loadFontCoverage(getFontStack(Object.values(NAMES).join('')));
    fc.assert(
      fc.property(anything, (text) => {
        const shown = toPrintableText(text, covers);
        expect(shown.trim() === '').toBe(text.trim() === '');
        for (const character of shown) expect(character === '\n' || covers(character.codePointAt(0) ?? 0)).toBe(true);
      }),
    );
  });

  it.each([
    '\u200b',
    '\u3164',
    '\u202e\u2066',
    '\u00ad\ufeff',
    '\u2800',
    '\ue000',
    '\u{10ffff}',
    '\ud800',
    '\u{e0041}',
  ])('shows the code points of %j', async (text) => {
    const covers = await loadFontCoverage(getFontStack(text));
    expect(toPrintableText(text, covers)).toMatch(/^(\[U\+[0-9A-F]{4,6}\])+$/);
  });

  it.skipIf(!isProgramInstalled('pdftotext'))(
    'is rendered without an exception and visibly',
    async () => {
      const texts = fc.sample(anything, 60).map((text) => text.toWellFormed());
      const text = runExternalProgram('pdftotext', [
        '-raw',
        writeTemporaryFile('a.pdf', await render('Ada', texts)),
        '-',
      ]);
      const lines = rulesIn(text);
      for (const [index, source] of texts.entries()) {
        const shown = (lines.get(index + 1) ?? '').replace(/\s/g, '');
        if (source.trim() !== '') expect(shown, JSON.stringify(source)).not.toBe('');
      }
    },
    120_000,
  );
});

it('a cached text is rendered the same again, even if a caller changed the earlier result', async () => {
  registerFonts();
  await loadFontCoverage([BODY_FONT]);
  const font = Font.getFont({ fontFamily: BODY_FONT, fontWeight: 400, fontStyle: 'normal' })?.data as unknown as Shaper;
  const shaped = () => font.layout('Vätö 🏠 fi', undefined, undefined, undefined, 'ltr');
  const [first, copy] = [shaped(), JSON.stringify(shaped().positions)];
  const { advanceWidth } = first;
  first.glyphs.length = 0;
  for (const position of first.positions) position.xAdvance = 0;
  const again = shaped();
  expect(JSON.stringify(again.positions)).toBe(copy);
  expect(again.glyphs).toHaveLength(again.positions.length);
  expect(again.advanceWidth).toBe(advanceWidth);
  expect(font.layout('Vätö 🏠 fi', undefined, undefined, undefined, 'rtl').glyphs[0]).not.toBe(again.glyphs[0]);
});

interface Shaper {
  layout(...text: unknown[]): { glyphs: object[]; positions: { xAdvance: number }[]; advanceWidth: number };
}
