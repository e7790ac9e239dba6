/** Text that cannot break the layout, and the small pieces every section is made of. */
import type { Style } from '@react-pdf/types';
import { type ReactNode, useContext } from 'react';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { fontStackFor, MONO } from './fonts';
import { breakWithoutHyphens } from './line-breaks';
import { LanguageContext, Text, View } from './primitives';
import { styles } from './styles';

type Styles = Style | Style[];

/** How long a word may be before it is broken, by the width of the column it stands in. */
const LIMITS = { wide: 48, half: 26, narrow: 14 } as const;
export type ColumnWidth = keyof typeof LIMITS;

const breakers = {
  wide: breakWithoutHyphens(LIMITS.wide),
  half: breakWithoutHyphens(LIMITS.half),
  narrow: breakWithoutHyphens(LIMITS.narrow),
};

/**
 * The renderer would end a line, with a hyphen, wherever the font changes within a word: between a year and `年`. Its
 * algorithm reads this penalty as: not here. The places of `breakers` are none of its hyphens.
 */
const NEVER = 10_000;

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Hanifi_Rohingya}]/u;
const FIRST_LETTER = /\p{Letter}/u;

/**
 * From which side a line is read. Without a letter that runs to the left it runs to the right, or a time between figures
 * would be turned round; with one, a document of that direction goes before the line's first letter.
 */
function directionOf(line: string, document: 'ltr' | 'rtl'): 'ltr' | 'rtl' {
  if (!RIGHT_TO_LEFT.test(line)) return 'ltr';
  return RIGHT_TO_LEFT.test(FIRST_LETTER.exec(line)?.[0] ?? '') ? 'rtl' : document;
}

interface CopyProps {
  children: string;
  style?: Styles;
  column?: ColumnWidth;
}

/** The fonts of a text, in the form in which the renderer takes several. */
export const fontFamilyFor = (text: string, locale: GuestLocale, is_mono = false) =>
  [...(is_mono ? [MONO] : []), ...fontStackFor(text, locale)] as unknown as string;

/**
 * One text of the document, in the fonts it needs. Every text goes through here, whoever wrote it. Each line is a text of its own: the
 * renderer would set line ends in a font that is not embedded, and can break a page between them.
 */
export function Copy({ children, style, column = 'wide' }: CopyProps) {
  const { locale, direction } = useContext(LanguageContext);
  const is_mono = [style].flat().some((each) => each?.fontFamily === MONO);
  const fontFamily = fontFamilyFor(children, locale, is_mono);
  return children.split('\n').map((line, index) => (
    <Text
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that is rendered once.
      key={index}
      style={[...(style ? [style].flat() : []), { fontFamily, direction: directionOf(line, direction) } as Style]}
      hyphenationCallback={breakers[column]}
      hyphenationPenalty={NEVER}
      orphans={2}
      widows={2}
    >
      {/* A blank line still takes its height. */}
      {line || ' '}
    </Text>
  ));
}

/** A label over a value. */
export function Fact({ label, children, wide = false }: { label: string; children: ReactNode; wide?: boolean }) {
  return (
    <View style={wide ? styles.factWide : styles.fact}>
      <Copy style={styles.label}>{label}</Copy>
      {children}
    </View>
  );
}

/**
 * A titled part of a section. The parts are siblings in the page: only then does the renderer keep a title from
 * standing alone at the foot of a page.
 */
export function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <View style={styles.headingSpace} minPresenceAhead={48}>
        <Copy style={styles.heading}>{title}</Copy>
      </View>
      {children}
    </>
  );
}

/** Something someone wrote, as they wrote it. */
export function Prose({ children, color }: { children: string; color: string }) {
  return (
    <View style={[styles.prose, { borderLeftColor: color }]}>
      <Copy>{children}</Copy>
    </View>
  );
}
