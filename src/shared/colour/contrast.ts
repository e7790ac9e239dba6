/**
 * Computes WCAG 2.2 contrast, and adjusts colours until they reach it. Hosts choose any brand
 * colour, and pages must be readable with it in both colour schemes. Pure. Colours are `#rrggbb`.
 */

type Rgb = readonly [number, number, number];

/** Returns whether a text is a colour in this format. */
export function isHexColor(value: string | null | undefined): value is string {
  return typeof value === 'string' && /^#[0-9a-fA-F]{6}$/.test(value);
}

function parse(hex: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
}

function print(rgb: Rgb): string {
  return `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the relative luminance, from 0 (black) to 1 (white). */
export function computeLuminance(hex: string): number {
  const [r, g, b] = parse(hex).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the contrast ratio, from 1 to 21. */
export function computeContrastRatio(a: string, b: string): number {
  const [high, low] = [computeLuminance(a), computeLuminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/**
 * Returns black or white, whichever has more contrast on a colour. Its contrast always reaches 4.5.
 */
export function getReadableTextColor(background: string): '#000000' | '#ffffff' {
  return computeContrastRatio(background, '#ffffff') >= computeContrastRatio(background, '#000000')
    ? '#ffffff'
    : '#000000';
}

/**
 * Returns the colour nearest to `color` that has at least `minimum` contrast against each
 * background. Mixes it with black or white, depending on the backgrounds, which must be all light
 * or all dark.
 */
export function adjustColorForContrast(color: string, backgrounds: readonly string[], minimum: number): string {
  const reaches = (candidate: string) =>
    backgrounds.every((background) => computeContrastRatio(candidate, background) >= minimum);
  const toward = computeLuminance(backgrounds[0] ?? '#ffffff') > 0.18 ? 0 : 255;
  const from = parse(color);
  for (let step = 0; step <= 100; step++) {
    const candidate = print(from.map((channel) => channel + ((toward - channel) * step) / 100) as unknown as Rgb);
    if (reaches(candidate)) return candidate;
  }
  return toward === 0 ? '#000000' : '#ffffff';
}
