/**
 * The fonts a certificate embeds. The PDF's standard fonts garble everything outside Latin-1, so each document uses
 * Noto Sans (Latin, Cyrillic, Greek, Vietnamese, Devanagari) and, only when its text needs them, fallbacks for the other
 * scripts: every one in which a million people write, as the Unicode CLDR counts them (48, territoryInfo). A CJK font is
 * 8 MB to read, and only the glyphs that occur are embedded.
 */
import path from 'node:path';
import { Font } from '@react-pdf/renderer';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { mendShaping } from './shaping';

export const BODY = 'Noto Sans';
export const MONO = 'Geist Mono';

interface Fallback {
  family: string;
  /** Whether a text has characters that need this family. */
  needed: RegExp;
  regular: string;
  bold: string;
}

/** A script's own subset of its font: nearly nothing but the script is in it. */
const ofScript = (script: string, name: string, subset: string, bold = true): Fallback => {
  const file = (weight: number) => `@fontsource/${name}/files/${name}-${subset}-${weight}-normal.woff`;
  return {
    family: `Noto ${script}`,
    needed: new RegExp(`\\p{Script=${script}}`, 'u'),
    regular: file(400),
    bold: file(bold ? 700 : 400),
  };
};

const noto = (script: string, subset = script.toLowerCase().replaceAll('_', '-'), bold = true) =>
  ofScript(script, `noto-sans-${subset}`, subset, bold);

/**
 * Scripts whose letters are joined and reordered. They come before Noto Sans: a joiner between two of their letters has to
 * be set in their font, or the letters are torn apart.
 */
const SHAPED: readonly Fallback[] = [
  noto('Bengali'),
  noto('Gujarati'),
  noto('Gurmukhi'),
  noto('Hanifi_Rohingya'),
  noto('Kannada'),
  noto('Lao'),
  noto('Malayalam'),
  noto('Mongolian', 'mongolian', false),
  noto('Myanmar'),
  noto('Nko', 'nko', false),
  noto('Oriya'),
  noto('Sinhala'),
  noto('Tamil'),
  noto('Telugu'),
  noto('Tifinagh', 'tifinagh', false),
  ofScript('Tibetan', 'noto-serif-tibetan', 'tibetan'),
];

const SCRIPTS: readonly Fallback[] = [
  noto('Armenian'),
  noto('Coptic', 'coptic', false),
  noto('Ethiopic'),
  noto('Georgian'),
  noto('Khmer'),
  ofScript('Nyiakeng_Puachue_Hmong', 'noto-serif-np-hmong', 'nyiakeng-puachue-hmong'),
  noto('Ol_Chiki'),
  { ...noto('Thai'), needed: /[\p{Script=Thai}\u0e3f]/u },
  noto('Yi', 'yi', false),
];

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

const FALLBACKS: readonly Fallback[] = [
  {
    // Before the Chinese one, which draws many characters that both have in the Chinese way.
    family: 'Noto Sans JP',
    needed: KANA,
    regular: '@embedpdf/fonts-jp/fonts/NotoSansJP-Regular.otf',
    bold: '@embedpdf/fonts-jp/fonts/NotoSansJP-Bold.otf',
  },
  {
    family: 'Noto Sans CJK',
    // Han, kana, CJK punctuation and full-width forms; also arrows and enclosed numbers, which Noto Sans lacks.
    needed:
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u2190-\u21ff\u2460-\u24ff\u3000-\u303f\uff00-\uffef]/u,
    regular: '@embedpdf/fonts-sc/fonts/NotoSansHans-Regular.otf',
    bold: '@embedpdf/fonts-sc/fonts/NotoSansHans-Bold.otf',
  },
  {
    family: 'Noto Sans KR',
    needed: /\p{Script=Hangul}/u,
    regular: '@embedpdf/fonts-kr/fonts/NotoSansKR-Regular.otf',
    bold: '@embedpdf/fonts-kr/fonts/NotoSansKR-Bold.otf',
  },
  {
    family: 'Noto Naskh Arabic',
    needed: /\p{Script=Arabic}/u,
    regular: '@embedpdf/fonts-arabic/fonts/NotoNaskhArabic-Regular.ttf',
    bold: '@embedpdf/fonts-arabic/fonts/NotoNaskhArabic-Bold.ttf',
  },
  {
    family: 'Noto Sans Hebrew',
    needed: /\p{Script=Hebrew}/u,
    regular: '@embedpdf/fonts-hebrew/fonts/NotoSansHebrew-Regular.ttf',
    bold: '@embedpdf/fonts-hebrew/fonts/NotoSansHebrew-Bold.ttf',
  },
  ...SCRIPTS,
  {
    family: 'Noto Emoji',
    needed: /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u,
    regular: '@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf',
    bold: '@expo-google-fonts/noto-emoji/700Bold/NotoEmoji_700Bold.ttf',
  },
];

// The packages' `exports` hide their font files from the resolver, so the path is made from the project's root.
const file = (name: string) => path.join(process.cwd(), 'node_modules', name);

type Latin = 'Regular' | 'SemiBold' | 'Bold' | 'Italic';
const LATIN = (style: Latin) => `@embedpdf/fonts-latin/fonts/NotoSans-${style}.ttf`;
const MONO_FILE = 'geist/dist/fonts/geist-mono/GeistMono-Regular.ttf';

/** Every file that a document may need, below the project's root: what a copy of the product has to hold. */
export function fontFiles(): string[] {
  const latin = (['Regular', 'SemiBold', 'Bold', 'Italic'] as const).map(LATIN);
  const others = [...SHAPED, ...FALLBACKS].flatMap(({ regular, bold }) => [regular, bold]);
  return [...new Set([...latin, MONO_FILE, ...others])].map((name) => `node_modules/${name}`);
}

let registered = false;

/** Registers every family once per process or worker. Nothing is read from disk before a document uses it. */
export function registerFonts(): void {
  if (registered) return;
  registered = true;
  const latin = (style: Latin) => file(LATIN(style));
  Font.register({
    family: BODY,
    fonts: [
      { src: latin('Regular'), fontWeight: 400 },
      { src: latin('SemiBold'), fontWeight: 600 },
      { src: latin('Bold'), fontWeight: 700 },
      { src: latin('Italic'), fontWeight: 400, fontStyle: 'italic' },
    ],
  });
  Font.register({ family: MONO, src: file(MONO_FILE) });
  for (const { family, regular, bold } of [...SHAPED, ...FALLBACKS]) {
    Font.register({
      family,
      fonts: [
        { src: file(regular), fontWeight: 400 },
        { src: file(bold), fontWeight: 700 },
        // None of these scripts has an italic; without an entry the renderer would throw.
        { src: file(regular), fontWeight: 400, fontStyle: 'italic' },
      ],
    });
  }
}

/**
 * The font families for a text, in the order in which a glyph is looked for. Han characters are drawn as in Japan where kana
 * stand beside them, and in a Japanese document.
 */
export function fontStackFor(text: string, locale?: GuestLocale): string[] {
  const is_japanese = (needed: RegExp) => needed === KANA && locale === 'ja' && /\p{Script=Han}/u.test(text);
  const families = (fallbacks: readonly Fallback[]) =>
    fallbacks.filter(({ needed }) => needed.test(text) || is_japanese(needed)).map(({ family }) => family);
  return [...families(SHAPED), BODY, ...families(FALLBACKS)];
}

/** Loads the families and tells which characters they cover between them. */
export async function coverageOf(families: readonly string[]): Promise<(code_point: number) => boolean> {
  const fonts = await Promise.all(
    families.map(async (fontFamily) => {
      const descriptor = { fontFamily, fontWeight: 400 as const, fontStyle: 'normal' as const };
      await Font.load(descriptor);
      const font = Font.getFont(descriptor)?.data;
      if (font) mendShaping(font);
      return font;
    }),
  );
  return (code_point) =>
    fonts.some((font) => font && 'hasGlyphForCodePoint' in font && font.hasGlyphForCodePoint(code_point));
}
