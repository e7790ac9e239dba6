/** BCP 47 tags of languages. Pure. */

/**
 * Matches a language with optional script, region and variants. Does not match extensions or codes
 * like `und`, because they do not identify a language.
 */
export const LANGUAGE_TAG_PATTERN =
  /^(?!(?:und|mul|mis|zxx)(?:-|$))[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*$/;
export const MAX_LANGUAGE_TAG_LENGTH = 35;

/**
 * Normalises `PT-br` to `pt-BR` and `iw` to `he`. Returns null when the text is not a language tag.
 */
export function toCanonicalLanguageTag(text: string): string | null {
  if (text.length > MAX_LANGUAGE_TAG_LENGTH || !LANGUAGE_TAG_PATTERN.test(text.toLowerCase())) return null;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}
