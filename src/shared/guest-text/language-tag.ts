/** BCP 47 tags of languages that somebody names. Pure. */

/** Language, script, region and variants; extensions say nothing of a language. `und` and its like name none. */
export const LANGUAGE_TAG =
  /^(?!(?:und|mul|mis|zxx)(?:-|$))[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*$/;
export const LONGEST_LANGUAGE_TAG = 35;

/** `PT-br` as `pt-BR`, `iw` as `he`; null when it is no tag of a language. */
export function canonicalLanguageTag(text: string): string | null {
  if (text.length > LONGEST_LANGUAGE_TAG || !LANGUAGE_TAG.test(text.toLowerCase())) return null;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}
