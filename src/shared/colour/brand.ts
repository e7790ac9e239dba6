/**
 * A property's colour as CSS custom properties, and the Content-Security-Policy that allows exactly that one inline
 * style by its hash. Everything else the pages need comes from files of their own origin.
 */
import { createHash } from 'node:crypto';
import { kept } from '../kept';
import { hasPlainHost } from '../plain-host';
import { isHexColor, readableOn, withContrast } from './contrast';

/** The product's own colour, a deep sea green. */
export const DEFAULT_BRAND_COLOR = '#0f5e56';

/** The surfaces that brand colours lie on; the same values as in assets/guest.css. */
export const SURFACES = {
  light: ['#ffffff', '#f6f4f0', '#efece6'],
  dark: ['#1e1c1a', '#141312', '#292623'],
} as const;

export interface BrandTokens {
  /** Buttons and bars: the brand's own colour, whatever it is. */
  fill: string;
  /** Text on `fill`: at least 4.5:1. */
  on_fill: string;
  /** The outline of what is filled: at least 3:1 on every surface, so that a pale button keeps its shape. */
  edge: string;
  /** Links and accents as text: at least 4.5:1 on every surface. */
  ink: string;
}

/** The colours of one scheme. An absent or malformed brand colour gives the product's. */
export function brandTokens(brand_color: string | null | undefined, scheme: 'light' | 'dark'): BrandTokens {
  const color = isHexColor(brand_color) ? brand_color.toLowerCase() : DEFAULT_BRAND_COLOR;
  return {
    fill: color,
    on_fill: readableOn(color),
    edge: withContrast(color, SURFACES[scheme], 3),
    ink: withContrast(color, SURFACES[scheme], 4.5),
  };
}

/** A page needs it twice, and to find a colour of enough contrast takes a quarter as long as drawing it. */
const styleOf = kept<string>(500);

/** The text of the page's one inline `<style>`. */
export function brandStyle(brand_color: string | null | undefined): string {
  const block = (scheme: 'light' | 'dark') => {
    const { fill, on_fill, edge, ink } = brandTokens(brand_color, scheme);
    return `:root{--brand:${fill};--on-brand:${on_fill};--brand-edge:${edge};--brand-ink:${ink}}`;
  };
  return styleOf(brand_color ?? '', () => `${block('light')}@media (prefers-color-scheme:dark){${block('dark')}}`);
}

/** A logo's URL when it is one a page may load, else null. */
export function safeLogoUrl(logo_url: string | null | undefined): string | null {
  if (!logo_url || !URL.canParse(logo_url)) return null;
  const url = new URL(logo_url);
  // On one's own machine there is no TLS.
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  return safe && url.username === '' && url.password === '' && hasPlainHost(url) ? url.href : null;
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The `Content-Security-Policy` header of a guest page: nothing but this origin's files, the property's logo, pictures
 * made on the page, and the brand style by its hash.
 */
export function guestContentSecurityPolicy(
  brand: { brand_color: string | null; logo_url: string | null } | null,
): string {
  const hash = createHash('sha256').update(brandStyle(brand?.brand_color)).digest('base64');
  const logo = safeLogoUrl(brand?.logo_url);
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

/** A policy of a guest page that lets pages of these origins show it in a frame, and no other. */
export function withFrameAncestors(policy: string, origins: readonly string[]): string {
  return origins.length > 0 ? policy.replace(NO_FRAMES, `frame-ancestors ${origins.join(' ')}`) : policy;
}
