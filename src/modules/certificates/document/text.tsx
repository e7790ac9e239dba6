/** Text that cannot break the layout, and the components that every section uses. */
import type { Style } from '@react-pdf/types';
import { type ReactNode, useContext } from 'react';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { getFontStack, MONO_FONT } from './fonts';
import { createWordBreaker } from './line-breaks';
import { DirectionAwareText, DirectionAwareView, DocumentLanguageContext } from './primitives';
import { documentStyles } from './styles';

type Styles = Style | Style[];

/** The length in characters above which a word is broken, for each column width. */
const breakers = {
  wide: createWordBreaker(48),
  half: createWordBreaker(26),
  narrow: createWordBreaker(14),
};

/**
 * By default, the renderer breaks a line with a hyphen where the font changes within a word, such
 * as between a year and `年`. A penalty this high prevents these breaks. It does not affect the
 * breaks of `breakers`.
 */
const NO_BREAK_PENALTY = 10_000;

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Hanifi_Rohingya}]/u;
const FIRST_LETTER = /\p{Letter}/u;

/**
 * Returns the direction of a line. A line without right-to-left letters is left-to-right, so that
 * times and numbers in it are not reversed. A line that begins with a right-to-left letter is
 * right-to-left. Other lines have the direction of the document.
 */
function directionOf(line: string, document: 'ltr' | 'rtl'): 'ltr' | 'rtl' {
  if (!RIGHT_TO_LEFT.test(line)) return 'ltr';
  return RIGHT_TO_LEFT.test(FIRST_LETTER.exec(line)?.[0] ?? '') ? 'rtl' : document;
}

interface CopyProps {
  children: string;
  style?: Styles;
  column?: keyof typeof breakers;
}

/** Returns the fonts of a text as the renderer's `fontFamily`. */
export const getFontFamily = (text: string, locale: GuestLocale, is_mono = false) =>
  [...(is_mono ? [MONO_FONT] : []), ...getFontStack(text, locale)] as unknown as string;

/**
 * Renders a text in the fonts it needs. All text of the document uses this component. Each line is
 * a separate Text. In a single Text, the renderer would draw line ends in a font that is not
 * embedded, and a page could not break between two lines.
 */
export function DocumentText({ children, style, column = 'wide' }: CopyProps) {
  const { locale, direction } = useContext(DocumentLanguageContext);
  const is_mono = [style].flat().some((each) => each?.fontFamily === MONO_FONT);
  const fontFamily = getFontFamily(children, locale, is_mono);
  return children.split('\n').map((line, index) => (
    <DirectionAwareText
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that is rendered once.
      key={index}
      style={[...(style ? [style].flat() : []), { fontFamily, direction: directionOf(line, direction) } as Style]}
      hyphenationCallback={breakers[column]}
      hyphenationPenalty={NO_BREAK_PENALTY}
      orphans={2}
      widows={2}
    >
      {/* The space gives a blank line its height. */}
      {line || ' '}
    </DirectionAwareText>
  ));
}

/** Renders a label above a value. */
export function LabelledDetail({
  label,
  children,
  wide = false,
}: {
  label: string;
  children: ReactNode;
  wide?: boolean;
}) {
  return (
    <DirectionAwareView style={wide ? documentStyles.factWide : documentStyles.fact}>
      <DocumentText style={documentStyles.label}>{label}</DocumentText>
      {children}
    </DirectionAwareView>
  );
}

/**
 * Renders a titled part of a section. Parts are siblings on the page. If they were nested, the
 * renderer could leave a title alone at the bottom of a page.
 */
export function TitledBlock({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <DirectionAwareView style={documentStyles.headingSpace} minPresenceAhead={48}>
        <DocumentText style={documentStyles.heading}>{title}</DocumentText>
      </DirectionAwareView>
      {children}
    </>
  );
}

/** Renders a text that a person wrote. */
export function VerbatimText({ children, color }: { children: string; color: string }) {
  return (
    <DirectionAwareView style={[documentStyles.prose, { borderLeftColor: color }]}>
      <DocumentText>{children}</DocumentText>
    </DirectionAwareView>
  );
}
