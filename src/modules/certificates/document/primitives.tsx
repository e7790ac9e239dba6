/**
 * Wraps the renderer's elements for both writing directions. Styles are written for left-to-right
 * text, and only this file mirrors them.
 */
import * as pdf from '@react-pdf/renderer';
import type { Style } from '@react-pdf/types';
import { type ComponentProps, createContext, useContext } from 'react';
import type { GuestLocale } from '@/shared/guest-text/locale';

type Styles = Style | Style[];

export const DocumentLanguageContext = createContext<{ locale: GuestLocale; direction: 'ltr' | 'rtl' }>({
  locale: 'en',
  direction: 'ltr',
});

const OTHER_SIDE: Readonly<Record<string, string>> = {
  left: 'right',
  right: 'left',
  Left: 'Right',
  Right: 'Left',
  row: 'row-reverse',
  '0% 100%': '100% 100%',
};

/** Swaps left and right in a style's keys and values. */
export function mirrorStyleForRtl(style: Style): Style {
  return Object.fromEntries(
    Object.entries(style).map(([key, value]) => [
      key.replace(/^(?:left|right)$|Left|Right/, (side) => OTHER_SIDE[side] ?? side),
      typeof value === 'string' ? (OTHER_SIDE[value] ?? value) : value,
    ]),
  );
}

function useMirror(): (style: Styles | undefined) => Style[] {
  const { direction } = useContext(DocumentLanguageContext);
  return (style) => [style ?? []].flat().map((each) => (direction === 'rtl' ? mirrorStyleForRtl(each) : each));
}

type ViewProps = ComponentProps<typeof pdf.View> & { style?: Styles };

export function DirectionAwareView({ style, ...props }: ViewProps) {
  return <pdf.View {...props} style={useMirror()(style)} />;
}

type TextProps = ComponentProps<typeof pdf.Text> & { style?: Styles };

/**
 * Renders text in the document's direction, which determines its alignment and the order of mixed
 * text.
 */
export function DirectionAwareText({ style, ...props }: TextProps) {
  const { direction } = useContext(DocumentLanguageContext);
  return <pdf.Text {...props} style={[{ direction } as Style, ...useMirror()(style)]} />;
}

type ImageProps = ComponentProps<typeof pdf.Image> & { style?: Styles };

export function DirectionAwareImage({ style, ...props }: ImageProps) {
  return <pdf.Image {...props} style={useMirror()(style)} />;
}
