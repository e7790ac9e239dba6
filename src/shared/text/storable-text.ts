/**
 * Handles text that PostgreSQL cannot store: NUL (refused in text and jsonb) and lone surrogates
 * (refused in jsonb, silently replaced in text). Such text in input must cause a 400 and not a 500.
 */
import { createRefusal } from '@/shared/refusals/refusal';
import { AppError } from '../errors';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches NUL on purpose.
const UNSTORABLE = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Throws `invalid_field` with the dotted path of the first string that PostgreSQL cannot store. */
export function assertStorableText(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (UNSTORABLE.test(value)) {
      throw new AppError('invalid_field', {
        message: createRefusal('unusable_text'),
        param: path || undefined,
      });
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) assertStorableText(item, `${path}[${index}]`);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (UNSTORABLE.test(key)) throw new AppError('invalid_field', { message: createRefusal('unusable_name') });
      assertStorableText(item, path ? `${path}.${key}` : key);
    }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/**
 * The windows-1252 characters of the bytes 0x80 to 0x9F. They replace control characters, because
 * Node 20 decodes windows-1252 as latin-1.
 */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Returns the text without control characters and lone surrogates, cut to a length. For external
 * text that has to be stored.
 */
export function toStorableText(text: string, longest = Number.POSITIVE_INFINITY): string {
  return text
    .replace(CONTROL, '')
    .replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80))
    .slice(0, longest)
    .toWellFormed();
}
