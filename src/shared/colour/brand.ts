/**
 * Converts a property's colour to CSS custom properties in an inline style. The
 * Content-Security-Policy identifies this style by its hash and allows no other inline style.
 */
import { createHash } from 'node:crypto';
import { createBoundedCache } from '../bounded-cache';
import { isHostnameSafeInHeader } from '../plain-host';
import { adjustColorForContrast, getReadableTextColor, isHexColor } from './contrast';
import { DEFAULT_BRAND_COLOR } from './default';

/** The page backgrounds behind brand colours, with the same values as in assets/guest.css. */
export const PAGE_BACKGROUND_COLORS = {
  light: ['#ffffff', '#f6f4f0', '#efece6'],
  dark: ['#1e1c1a', '#141312', '#292623'],
} as const;

export interface BrandColorTokens {
  /** Colour of buttons and bars: the brand colour, unchanged. */
  fill: string;
  /** Colour of text on `fill`, with a contrast of at least 4.5:1. */
  on_fill: string;
  /**
   * Colour of the border of filled elements, with at least 3:1 on every surface, so that a pale
   * button stays visible.
   */
  edge: string;
  /** Colour of links and accented text, with at least 4.5:1 on every surface. */
  ink: string;
}

/**
 * Returns the colours of one scheme. For a missing or malformed brand colour it returns the
 * product's colours.
 */
export function computeBrandColorTokens(
  brand_color: string | null | undefined,
  scheme: 'light' | 'dark',
): BrandColorTokens {
  const color = isHexColor(brand_color) ? brand_color.toLowerCase() : DEFAULT_BRAND_COLOR;
  return {
    fill: color,
    on_fill: getReadableTextColor(color),
    edge: adjustColorForContrast(color, PAGE_BACKGROUND_COLORS[scheme], 3),
    ink: adjustColorForContrast(color, PAGE_BACKGROUND_COLORS[scheme], 4.5),
  };
}

/**
 * The style is cached, because a page needs it twice, and finding a colour with enough contrast
 * takes a quarter of the rendering time.
 */
const styleOf = createBoundedCache<string>(500);

/** Returns the content of the page's only inline `<style>`. */
export function renderBrandCss(brand_color: string | null | undefined): string {
  const block = (scheme: 'light' | 'dark') => {
    const { fill, on_fill, edge, ink } = computeBrandColorTokens(brand_color, scheme);
    return `:root{--brand:${fill};--on-brand:${on_fill};--brand-edge:${edge};--brand-ink:${ink}}`;
  };
  return styleOf(brand_color ?? '', () => `${block('light')}@media (prefers-color-scheme:dark){${block('dark')}}`);
}

/** Returns a logo's URL if a page may load it, otherwise null. */
export function getSafeLogoUrl(logo_url: string | null | undefined): string | null {
  if (!logo_url || !URL.canParse(logo_url)) return null;
  const url = new URL(logo_url);
  // http is allowed only for a developer's own machine.
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  return safe && url.username === '' && url.password === '' && isHostnameSafeInHeader(url) ? url.href : null;
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Builds the `Content-Security-Policy` header of a guest page. It allows files of this origin, the
 * property's logo, pictures created on the page, and the brand style by its hash.
 */
export function buildGuestContentSecurityPolicy(
  brand: { brand_color: string | null; logo_url: string | null } | null,
): string {
  const hash = createHash('sha256').update(renderBrandCss(brand?.brand_color)).digest('base64');
  const logo = getSafeLogoUrl(brand?.logo_url);
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${hash}'`,
    `img-src 'self' data: blob:${logo ? ` ${new URL(logo).origin}` : ''}`,
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    NO_FRAMES,
  ].join('; ');
}

const NO_FRAMES = "frame-ancestors 'none'";

/** Changes a guest page's policy so that only these origins may frame it. */
export function replaceFrameAncestorsInCsp(policy: string, origins: readonly string[]): string {
  return origins.length > 0 ? policy.replace(NO_FRAMES, `frame-ancestors ${origins.join(' ')}`) : policy;
}
