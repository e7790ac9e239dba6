/**
 * The statement that a guest signs, and the consent to sign electronically (ESIGN 15 U.S.C. §
 * 7001(c), UETA § 5, eIDAS art. 3(10) and 25(1)). Both are part of the signed snapshot. Their text
 * is in the message files. A test requires a new version whenever the text changes.
 */
import { ACCEPTANCE_STATEMENT_NAMES, type AcceptanceStatementName } from './acceptances';
import type { GuestLocale } from './locale';
import { getGuestTranslator } from './translate';

export const CONSENT_STATEMENT_VERSION = '2026-11-23';

export interface ConsentText {
  version: string;
  locale: GuestLocale;
  paragraphs: string[];
  /**
   * The sentence that the guest accepts and signs, the same on the page, in the mail and on the
   * certificate.
   */
  statement: string;
}

/** Returns the text of the consent in a language. */
export function getConsentText(locale: GuestLocale): ConsentText {
  const t = getGuestTranslator(locale);
  return {
    version: CONSENT_STATEMENT_VERSION,
    locale,
    paragraphs: [t('consent.scope'), t('consent.choice'), t('consent.access'), t('consent.record')],
    statement: t('consent.statement'),
  };
}

/** Returns the sentence of a separate acceptance. It has the same version as the consent. */
export function buildAcceptanceStatement(name: AcceptanceStatementName, locale: GuestLocale) {
  return { name, version: CONSENT_STATEMENT_VERSION, locale, text: getGuestTranslator(locale)(`accept.${name}`) };
}

/** Returns the acceptances that a property requires, in the order in which the page shows them. */
export const listRequiredAcceptanceStatements = (required: readonly string[], locale: GuestLocale) =>
  ACCEPTANCE_STATEMENT_NAMES.filter((name) => required.includes(name)).map((name) =>
    buildAcceptanceStatement(name, locale),
  );
