import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CONSENT_VERSION, consentText } from './consent';
import { GUEST_LOCALES } from './locale';

describe('the consent to sign electronically', () => {
  it('keeps its words while it keeps its version', () => {
    const words = GUEST_LOCALES.map((locale) => [
      locale,
      consentText(locale).paragraphs,
      consentText(locale).statement,
    ]);
    const digest = createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 16);
    // Changed a word? Then the consent is another one: give it a new version, and write the new digest here.
    expect({ version: CONSENT_VERSION, digest }).toEqual({ version: '2026-11-22', digest: 'd95ad558519f5cd4' });
  });

  it.each(GUEST_LOCALES)('in %s names the laws it rests on', (locale) => {
    const text = consentText(locale).paragraphs.join(' ');
    for (const name of ['ESIGN', 'UETA', 'eIDAS', '910/2014']) expect(text).toContain(name);
  });
});
