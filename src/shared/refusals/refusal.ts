/** Why the product refuses something, as a key and values. The words are in `<locale>.json`; `/v1` answers the English ones. */
import en from './en.json';
import type { SchemaProblemKey } from './schema-problems';

export type RefusalKey = keyof typeof en | SchemaProblemKey;
/** The words of one language. */
export type RefusalWords = Readonly<Record<RefusalKey, string>>;
type Value = string | number | null | undefined | Refusal;

export class Refusal {
  /** Distinguishes one in a result: a class is not the same in two copies of a module. */
  readonly kind = 'refusal';

  constructor(
    readonly key: RefusalKey,
    readonly values: Readonly<Record<string, Value>> = {},
    /** A schema's own message, which has no words in en.json. */
    readonly english?: string,
  ) {}

  /** The sentence in the language of `words`, English by default. */
  in(words?: RefusalWords): string {
    if (!words && this.english !== undefined) return this.english;
    const template = (words ?? (en as RefusalWords))[this.key];
    return template.replaceAll(/\{(\w+)\}/g, (_place, name: string) => {
      const value = this.values[name];
      return isRefusal(value) ? value.in(words) : String(value ?? '');
    });
  }

  toString(): string {
    return this.in();
  }
}

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && (value as Refusal).kind === 'refusal';

/** A refusal with the values that the places of its words need. */
export const refusal = (key: RefusalKey, values?: Readonly<Record<string, Value>>): Refusal => new Refusal(key, values);

/** The refusal with the words of an error's code; null for a code that only callers of the API meet. */
export const refusalOfCode = (code: string): Refusal | null =>
  Object.hasOwn(en, code) ? new Refusal(code as RefusalKey) : null;

/** The fields of results that hold refusals. */
type MessageField = 'message' | 'problem' | 'repeated';

/** A result whose messages are not in the reader's language yet. */
export type Untranslated<Result> = Result extends readonly (infer Item)[]
  ? Untranslated<Item>[]
  : Result extends object
    ? { [Field in keyof Result]: Field extends MessageField ? Result[Field] | Refusal : Untranslated<Result[Field]> }
    : Result;

/** The same result with sentences in place of refusals. */
export type Translated<Result> = Result extends Refusal
  ? string
  : Result extends readonly (infer Item)[]
    ? Translated<Item>[]
    : Result extends object
      ? { [Field in keyof Result]: Translated<Result[Field]> }
      : Result;
