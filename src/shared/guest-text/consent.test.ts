import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CONSENT_VERSION, consentText } from './consent';
import { GUEST_LOCALES, type GuestLocale } from './locale';

const DIGESTS: Record<GuestLocale, string> = {
  en: '9775bd8aa481d8c9',
  'en-GB': '0427022566819761',
  de: '2dfb003a250562f4',
  fr: '460e3a3523700b38',
  es: '77a7fac8dc9845e1',
  it: 'e629148724afcf1d',
  pt: '8f1aa89505aa8fc9',
  'pt-BR': '0d98732f4707ce7f',
  nl: '37c27a17d3324379',
  pl: '82531d10cbbe11be',
  ru: 'a14799ba92efde59',
  ar: '57199fcff3f9514a',
  'zh-Hans': '9694aee5cc1855f3',
  ja: 'eef5e430e1f6b12c',
  ko: '40e7a182cbba6e9c',
};

describe('the consent to sign electronically', () => {
  // Changed a word? Then the consent is another one: give it a new version, and write the new digest here.
  it.each(GUEST_LOCALES)('keeps its words in %s while it keeps its version', (locale) => {
    const { paragraphs, statement } = consentText(locale);
    const digest = createHash('sha256')
      .update(JSON.stringify([paragraphs, statement]))
      .digest('hex')
      .slice(0, 16);
    expect({ version: CONSENT_VERSION, digest }).toEqual({ version: '2026-11-22', digest: DIGESTS[locale] });
  });

  it.each(GUEST_LOCALES)('in %s names the laws it rests on', (locale) => {
    const text = consentText(locale).paragraphs.join(' ');
    for (const name of ['ESIGN', 'UETA', 'eIDAS', '910/2014']) expect(text).toContain(name);
  });
});
