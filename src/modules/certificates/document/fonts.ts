/**
 * The fonts that a certificate embeds, because the PDF's standard fonts cover only Latin-1. Every
 * document uses Noto Sans (Latin, Cyrillic, Greek, Vietnamese, Devanagari). A document also uses
 * fallback fonts when its text needs them. Every other script that has a million users according to
 * the Unicode CLDR (48, territoryInfo) has a fallback font. Only the glyphs that occur are
 * embedded.
 */
import path from 'node:path';
import { Font } from '@react-pdf/renderer';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { patchTextShapingOfFontClass } from './shaping';

export const BODY_FONT = 'Noto Sans';
export const MONO_FONT = 'Geist Mono';

interface Fallback {
  family: string;
  /** Matches texts that need this font family. */
  needed: RegExp;
  regular: string;
  bold: string;
}

/** Returns the fallback font for one script. */
const scriptFont = (script: string, name: string, subset: string, bold = true): Fallback => {
  const file = (weight: number) => `@fontsource/${name}/files/${name}-${subset}-${weight}-normal.woff`;
  return {
    family: `Noto ${script}`,
    needed: new RegExp(`\\p{Script=${script}}`, 'u'),
    regular: file(400),
    bold: file(bold ? 700 : 400),
  };
};

const noto = (script: string, subset = script.toLowerCase().replaceAll('_', '-'), bold = true) =>
  scriptFont(script, `noto-sans-${subset}`, subset, bold);

/**
 * Fonts for scripts whose letters are joined and reordered. They come before Noto Sans, because an
 * invisible joiner must be drawn with the same font as the letters next to it. Otherwise the
 * letters would not join.
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
  scriptFont('Tibetan', 'noto-serif-tibetan', 'tibetan'),
];

const SCRIPTS: readonly Fallback[] = [
  noto('Armenian'),
  noto('Coptic', 'coptic', false),
  noto('Ethiopic'),
  noto('Georgian'),
  noto('Khmer'),
  scriptFont('Nyiakeng_Puachue_Hmong', 'noto-serif-np-hmong', 'nyiakeng-puachue-hmong'),
  noto('Ol_Chiki'),
  { ...noto('Thai'), needed: /[\p{Script=Thai}\u0e3f]/u },
  noto('Yi', 'yi', false),
];

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

const FALLBACKS: readonly Fallback[] = [
  {
    // Listed before the Chinese font, which draws Han characters in their Chinese form.
    family: 'Noto Sans JP',
    needed: KANA,
    regular: '@embedpdf/fonts-jp/fonts/NotoSansJP-Regular.otf',
    bold: '@embedpdf/fonts-jp/fonts/NotoSansJP-Bold.otf',
  },
  {
    family: 'Noto Sans CJK',
    // Han, kana, CJK punctuation, full-width forms, and the arrows and enclosed numbers that Noto
    // Sans lacks.
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

// The packages do not export their font files, so the path starts at the project's root.
const file = (name: string) => path.join(process.cwd(), 'node_modules', name);

type Latin = 'Regular' | 'SemiBold' | 'Bold' | 'Italic';
const LATIN = (style: Latin) => `@embedpdf/fonts-latin/fonts/NotoSans-${style}.ttf`;
const MONO_FILE = 'geist/dist/fonts/geist-mono/GeistMono-Regular.ttf';

/**
 * Returns every font file that a document may need, relative to the project's root. Packaging
 * copies these files.
 */
export function listFontFiles(): string[] {
  const latin = (['Regular', 'SemiBold', 'Bold', 'Italic'] as const).map(LATIN);
  const others = [...SHAPED, ...FALLBACKS].flatMap(({ regular, bold }) => [regular, bold]);
  return [...new Set([...latin, MONO_FILE, ...others])].map((name) => `node_modules/${name}`);
}

let registered = false;

/**
 * Registers every font family once per process or worker. The renderer reads a font's file only
 * when a document uses the font.
 */
export function registerFonts(): void {
  if (registered) return;
  registered = true;
  const latin = (style: Latin) => file(LATIN(style));
  Font.register({
    family: BODY_FONT,
    fonts: [
      { src: latin('Regular'), fontWeight: 400 },
      { src: latin('SemiBold'), fontWeight: 600 },
      { src: latin('Bold'), fontWeight: 700 },
      { src: latin('Italic'), fontWeight: 400, fontStyle: 'italic' },
    ],
  });
  Font.register({ family: MONO_FONT, src: file(MONO_FILE) });
  for (const { family, regular, bold } of [...SHAPED, ...FALLBACKS]) {
    Font.register({
      family,
      fonts: [
        { src: file(regular), fontWeight: 400 },
        { src: file(bold), fontWeight: 700 },
        // These scripts have no italics, but the renderer throws when the italic style is not
        // registered.
        { src: file(regular), fontWeight: 400, fontStyle: 'italic' },
      ],
    });
  }
}

/**
 * Returns the font families for a text, in order of preference. Next to kana, and in a Japanese
 * document, Han characters use the Japanese font.
 */
export function getFontStack(text: string, locale?: GuestLocale): string[] {
  const is_japanese = (needed: RegExp) => needed === KANA && locale === 'ja' && /\p{Script=Han}/u.test(text);
  const families = (fallbacks: readonly Fallback[]) =>
    fallbacks.filter(({ needed }) => needed.test(text) || is_japanese(needed)).map(({ family }) => family);
  return [...families(SHAPED), BODY_FONT, ...families(FALLBACKS)];
}

/**
 * Loads the font families. The returned function checks whether one of them has a glyph for a
 * character.
 */
export async function loadFontCoverage(families: readonly string[]): Promise<(code_point: number) => boolean> {
  const fonts = await Promise.all(
    families.map(async (fontFamily) => {
      const descriptor = { fontFamily, fontWeight: 400 as const, fontStyle: 'normal' as const };
      await Font.load(descriptor);
      const font = Font.getFont(descriptor)?.data;
      if (font) patchTextShapingOfFontClass(font);
      return font;
    }),
  );
  return (code_point) =>
    fonts.some((font) => font && 'hasGlyphForCodePoint' in font && font.hasGlyphForCodePoint(code_point));
}
