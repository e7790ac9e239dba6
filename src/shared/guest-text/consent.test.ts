import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ACCEPTANCE_STATEMENT_NAMES } from './acceptances';
import { CONSENT_STATEMENT_VERSION, getConsentText, listRequiredAcceptanceStatements } from './consent';
import { GUEST_LOCALES, type GuestLocale } from './locale';

const DIGESTS: Record<GuestLocale, string> = {
  en: '75e8ed27b6a51b79',
  'en-GB': 'cb30f62cdf486420',
  de: 'ca69578b10b74d44',
  fr: 'dbcd420e2dd105cc',
  es: 'c8e439db02276167',
  it: '28def65f9cb22aff',
  pt: '0c6977732f3537d7',
  'pt-BR': '524a401551911afe',
  nl: 'c51856449832a6db',
  pl: 'b7865199d572970d',
  ru: '32e410d6241d85fc',
  ar: '201c260afa3adb96',
  'zh-Hans': '20ef3726f5a4aa44',
  ja: '89b70f26b6be4a62',
  ko: '44fa497c67a590e2',
};

describe('the consent to sign electronically', () => {
  // A changed text is a different consent. Give the consent a new version, and update the digest
  // here.
  it.each(GUEST_LOCALES)('the text in %s changes only with its version', (locale) => {
    const { paragraphs, statement } = getConsentText(locale);
    const digest = createHash('sha256')
      .update(
        JSON.stringify([
          paragraphs,
          statement,
          listRequiredAcceptanceStatements(ACCEPTANCE_STATEMENT_NAMES, locale).map(({ text }) => text),
        ]),
      )
      .digest('hex')
      .slice(0, 16);
    expect({ version: CONSENT_STATEMENT_VERSION, digest }).toEqual({ version: '2026-11-23', digest: DIGESTS[locale] });
  });

  it.each(GUEST_LOCALES)('in %s states the cost of a paper copy and how to change contact details', (locale) => {
    const text = getConsentText(locale).paragraphs[2] ?? '';
    expect(text).toMatch(/free|kostenlos|gratui|gratis|bezpłatn|бесплатн|مجانية|免费|無料|무료/);
    expect(text).toMatch(/conta[ck]t|Kontakt|coordonnées|contatt|contato|kontakt|контакт|الاتصال|联系|連絡|연락/);
  });

  it.each(GUEST_LOCALES)('in %s names the laws it is based on', (locale) => {
    const text = getConsentText(locale).paragraphs.join(' ');
    for (const name of ['ESIGN', 'UETA', 'eIDAS', '910/2014']) expect(text).toContain(name);
  });
});
