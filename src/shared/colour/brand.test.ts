import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildGuestContentSecurityPolicy,
  computeBrandColorTokens,
  getSafeLogoUrl,
  PAGE_BACKGROUND_COLORS,
  renderBrandCss,
} from './brand';
import { adjustColorForContrast, computeContrastRatio, computeLuminance, getReadableTextColor } from './contrast';
import { DEFAULT_BRAND_COLOR } from './default';

const color = fc.stringMatching(/^#[0-9a-fA-F]{6}$/);

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#0000ff', '#ffffff', 8.59],
  ])('%s on %s is %f', (a, b, ratio) => {
    expect(computeContrastRatio(a, b)).toBeCloseTo(ratio, 2);
    expect(computeContrastRatio(b, a)).toBeCloseTo(ratio, 2);
  });

  it('luminance ranges from black to white', () => {
    expect(computeLuminance('#000000')).toBe(0);
    expect(computeLuminance('#ffffff')).toBeCloseTo(1, 6);
  });

  it('black or white is readable on any colour', () => {
    fc.assert(
      fc.property(color, (background) => computeContrastRatio(background, getReadableTextColor(background)) >= 4.5),
    );
  });

  it('a colour with enough contrast is not changed', () => {
    expect(adjustColorForContrast('#1a2b3c', ['#ffffff'], 4.5)).toBe('#1a2b3c');
  });
});

describe('computeBrandColorTokens', () => {
  it.each(['light', 'dark'] as const)('any host’s colour is readable in the %s scheme', (scheme) => {
    fc.assert(
      fc.property(color, (brand_color) => {
        const tokens = computeBrandColorTokens(brand_color, scheme);
        expect(computeContrastRatio(tokens.fill, tokens.on_fill)).toBeGreaterThanOrEqual(4.5);
        for (const surface of PAGE_BACKGROUND_COLORS[scheme]) {
          expect(computeContrastRatio(tokens.ink, surface)).toBeGreaterThanOrEqual(4.5);
          expect(computeContrastRatio(tokens.edge, surface)).toBeGreaterThanOrEqual(3);
        }
      }),
    );
  });

  it.each([null, '', 'red', '#12', '#1234567', '#fff;}body{display:none'])(
    '%j falls back to the product’s colour',
    (brand_color) => {
      expect(computeBrandColorTokens(brand_color, 'light').fill).toBe(DEFAULT_BRAND_COLOR);
      expect(renderBrandCss(brand_color)).not.toContain('display');
    },
  );
});

describe('the content security policy', () => {
  it('allows exactly the page’s inline style', () => {
    const hash = createHash('sha256').update(renderBrandCss('#ff00aa')).digest('base64');
    const policy = buildGuestContentSecurityPolicy({ brand_color: '#ff00aa', logo_url: null });
    expect(policy).toContain(`style-src 'self' 'sha256-${hash}'`);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
  });

  it('allows images from the logo’s origin and no other', () => {
    const policy = buildGuestContentSecurityPolicy({ brand_color: null, logo_url: 'https://cdn.example/logo.png' });
    expect(policy).toContain("img-src 'self' data: blob: https://cdn.example;");
  });

  it.each([
    ...['http://cdn.example/l.png', 'javascript:alert(1)', 'https://u:p@cdn.example/l.png', 'x', '', null],
    ...[
      'https://*/l.png',
      'https://*.example/l.png',
      'https://a;script-src/l.png',
      "https://'self'/l.png",
      'https://a,b/',
    ],
  ])('allows no logo from %j', (logo_url) => {
    expect(getSafeLogoUrl(logo_url)).toBeNull();
    expect(buildGuestContentSecurityPolicy({ brand_color: null, logo_url })).toContain("img-src 'self' data: blob:;");
  });

  it('has the same directives and at most one additional host, whatever the logo’s host contains', () => {
    const directives = (logo_url: string | null) =>
      buildGuestContentSecurityPolicy({ brand_color: null, logo_url })
        .split(';')
        .map((text) => text.trim().split(' '));
    const without = directives(null);
    const part = fc.stringMatching(/^[!$&'()*+,;=\w.~"`{}-]{1,12}$/);
    fc.assert(
      fc.property(part, part, (one, two) => {
        const policy = directives(`https://${one}.${two}/logo.png`);
        expect(policy.map(([name]) => name)).toEqual(without.map(([name]) => name));
        const added = policy.flat().filter((word) => !without.flat().includes(word));
        expect(added.length).toBeLessThanOrEqual(1);
        for (const origin of added) expect(origin).toMatch(/^https:\/\/[a-z0-9.-]+$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('ignores directives in the logo’s URL', () => {
    const policy = buildGuestContentSecurityPolicy({
      brand_color: null,
      logo_url: "https://cdn.example/;script-src 'unsafe-inline'",
    });
    expect(policy).not.toContain('unsafe');
  });
});
