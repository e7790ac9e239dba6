/**
 * Finds the language for a phone number's country, where the country indicates one. Swiss, Belgian
 * and North American numbers indicate none. Returns only languages of the guest pages. Pure and
 * small, because the threads that parse untrusted input load it.
 */
import type { GuestLocale } from './locale';

const SPOKEN: Readonly<Record<string, GuestLocale>> = {
  20: 'ar',
  31: 'nl',
  33: 'fr',
  34: 'es',
  39: 'it',
  43: 'de',
  44: 'en-GB',
  48: 'pl',
  49: 'de',
  51: 'es',
  52: 'es',
  54: 'es',
  55: 'pt-BR',
  56: 'es',
  57: 'es',
  58: 'es',
  61: 'en-GB',
  64: 'en-GB',
  81: 'ja',
  82: 'ko',
  86: 'zh-Hans',
  218: 'ar',
  351: 'pt',
  353: 'en-GB',
  502: 'es',
  503: 'es',
  504: 'es',
  505: 'es',
  506: 'es',
  507: 'es',
  593: 'es',
  598: 'es',
  962: 'ar',
  963: 'ar',
  966: 'ar',
  967: 'ar',
};
/**
 * Matches Russian numbers. Numbers of Kazakhstan, which has the same country code, do not match.
 */
const RUSSIAN = /^7[3489]/;

/**
 * Returns the language of a number that begins with `+` or `00`. Null without a country code, and
 * for ambiguous countries.
 */
export function getPhoneNumberLanguage(number: string): GuestLocale | null {
  const digits = number.replace(/[\s().\-/]/g, '').replace(/^00/, '+');
  if (!/^\+\d{7,15}$/.test(digits)) return null;
  const rest = digits.slice(1);
  return SPOKEN[rest.slice(0, 3)] ?? SPOKEN[rest.slice(0, 2)] ?? (RUSSIAN.test(rest) ? 'ru' : null);
}

const LABEL =
  /(?:phone|telephone|mobile|cell|whatsapp|\btel\b|t[eé]l[eéè]f|telef|handy|m[oó]vil|celular|cellulare|portable|puhelin|телефон|電話|电话|전화|هاتف|جوال)/iu;
/** Matches labels of numbers that do not belong to the guest. */
const NOT_THE_GUESTS = /support|service|help|host|hotline|emergenc|notfall|urgenc|emergenza|property|soporte|assist/i;
const MOST_LINES = 1_500;
const LONGEST_LABEL = 40;

/**
 * Returns the language of the country whose code the labelled phone numbers of a text have: German
 * for "Phone: +49 170 …". Null without such a number, or if the languages differ.
 */
export function findLanguageOfPhoneNumbersInText(text: string): GuestLocale | null {
  const found = new Set<GuestLocale | null>();
  for (const line of text.split('\n', MOST_LINES)) {
    const colon = line.slice(0, LONGEST_LABEL).search(/[:：\t]/);
    const label = line.slice(0, Math.max(0, colon));
    if (!LABEL.test(label) || NOT_THE_GUESTS.test(label)) continue;
    const number = /^[^+\d]{0,3}((?:\+|00)[\d\s().\-/]{7,24})/.exec(line.slice(colon + 1))?.[1];
    if (number) found.add(getPhoneNumberLanguage(number.trim()));
  }
  return found.size === 1 ? ([...found][0] ?? null) : null;
}
