/** Finds e-mail addresses in a text, in linear time. */
import { trimCharactersFromEnd, trimCharactersFromStart } from '@/shared/text/trim-characters';

/** Returns the addresses in the order and spelling of the text, with duplicates. */
export function findEmailAddressesInText(text: string): string[] {
  return text
    .split(/[^\w.%+'@-]+/)
    .map((word) => trimCharactersFromEnd(trimCharactersFromStart(word, ".'"), ".'-"))
    .filter((word) => {
      const [local = '', domain = '', ...more] = word.split('@');
      const fits = local.length <= 64 && domain.length <= 253 && more.length === 0;
      return local !== '' && fits && /^[A-Za-z0-9.-]+$/.test(domain);
    });
}
