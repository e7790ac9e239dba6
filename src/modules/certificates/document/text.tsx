/** Text that cannot break the layout, and the small pieces every section is made of. */
import { Text, View } from '@react-pdf/renderer';
import type { Style } from '@react-pdf/types';
import type { ReactNode } from 'react';
import { breakWithoutHyphens, printable } from './line-breaks';
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

interface CopyProps {
  children: string;
  style?: Styles;
  column?: ColumnWidth;
}

/** One text of the document. Every text goes through here, whoever wrote it. */
export function Copy({ children, style, column = 'wide' }: CopyProps) {
  // A blank text still takes its line; the renderer would drop the node and shift what follows.
  return (
    <Text style={style} hyphenationCallback={breakers[column]} orphans={2} widows={2}>
      {printable(children) || ' '}
    </Text>
  );
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

/** A titled part of a section; the title never stands alone at the foot of a page. */
export function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <View style={styles.block}>
      <View minPresenceAhead={40}>
        <Copy style={styles.heading}>{title}</Copy>
      </View>
      {children}
    </View>
  );
}

/** Several paragraphs someone wrote, each on its own so that they may break across pages. */
export function Prose({ children, color }: { children: string; color: string }) {
  return (
    <View style={[styles.prose, { borderLeftColor: color }]}>
      <Copy>{children}</Copy>
    </View>
  );
}
