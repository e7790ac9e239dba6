/**
 * Text that PostgreSQL cannot store: NUL (refused in text and jsonb) and lone surrogates (refused in jsonb, silently
 * replaced in text). Found at the door, so that they are a 400 and not a 500.
 */
import { AppError } from './errors';

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for.
const UNSTORABLE = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Throws `invalid_field` with the dotted path of the first string PostgreSQL cannot store. */
export function assertStorableText(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (UNSTORABLE.test(value)) {
      throw new AppError('invalid_field', {
        message: 'The text holds a NUL character or half of a surrogate pair.',
        param: path || undefined,
      });
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) assertStorableText(item, `${path}[${index}]`);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (UNSTORABLE.test(key)) throw new AppError('invalid_field', { message: 'A field name holds unusable text.' });
      assertStorableText(item, path ? `${path}.${key}` : key);
    }
  }
}
