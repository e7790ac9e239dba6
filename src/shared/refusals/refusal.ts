/**
 * Refusals and reports: messages to hosts, stored as a key with values. `<locale>.json` contains
 * the texts in each language. `/v1` returns the English texts.
 */
import {
  createTranslator,
  type MessageKeyOf,
  type MessageTranslator,
  type MessageValues,
} from '../language/translator';
import en from './en.json';
import type { SchemaProblemMessageKey } from './schema-problems';

export type RefusalMessageKey = MessageKeyOf<typeof en> | SchemaProblemMessageKey;
/** A function that translates refusals to one language. */
export type RefusalTranslator = MessageTranslator<RefusalMessageKey, Record<RefusalMessageKey, MessageValues>>;
type Value = string | number | null | undefined | Refusal;

let english: RefusalTranslator | undefined;
function englishWords(): RefusalTranslator {
  english ??= createTranslator<RefusalMessageKey, Record<RefusalMessageKey, MessageValues>>([en], {
    locale: 'en',
    formats: 'en',
    dir: 'ltr',
  });
  return english;
}

export class Refusal {
  /**
   * Identifies a refusal in a result, because `instanceof` fails between two copies of this module.
   */
  readonly kind = 'refusal';

  constructor(
    readonly key: RefusalMessageKey,
    readonly values: Readonly<Record<string, Value>> = {},
    /** A schema's own message, which is not in en.json. */
    readonly english?: string,
  ) {}

  /** Returns the sentence in the language of `words`. Default: English. */
  in(words?: RefusalTranslator): string {
    if (!words && this.english !== undefined) return this.english;
    const values = Object.entries(this.values).map(([name, value]) => [
      name,
      isRefusal(value) ? value.in(words) : (value ?? ''),
    ]);
    return (words ?? englishWords())(this.key, Object.fromEntries(values) as MessageValues);
  }

  toString(): string {
    return this.in();
  }
}

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && (value as Refusal).kind === 'refusal';

/** Creates a refusal with the values for the placeholders of its text. */
export const createRefusal = (key: RefusalMessageKey, values?: Readonly<Record<string, Value>>): Refusal =>
  new Refusal(key, values);

/** A refusal as plain data, for other threads and the database. */
export type RefusalData = Pick<Refusal, 'key' | 'values'>;

export const createRefusalFromKeyAndValues = ({ key, values }: RefusalData): Refusal => new Refusal(key, values);

/** Serializes a refusal for a text column. */
export const serializeRefusal = (data: RefusalData | null): string | null =>
  data && JSON.stringify({ key: data.key, values: data.values });

/**
 * Parses a refusal from a text column. A process of the previous version may have written a
 * sentence instead.
 */
export function parseStoredRefusal(stored: string | null): Refusal | null {
  if (stored === null) return null;
  try {
    return createRefusalFromKeyAndValues(JSON.parse(stored) as RefusalData);
  } catch {
    return createRefusal('as_written', { text: stored });
  }
}

/**
 * Returns the refusal with the text of an error code. Null for a code that only API callers get.
 */
export const findRefusalForCode = (code: string): Refusal | null =>
  Object.hasOwn(en, code) ? new Refusal(code as RefusalMessageKey) : null;

/** The fields of results that may contain refusals. */
type MessageField =
  | 'message'
  | 'problem'
  | 'repeated'
  | 'last_error'
  | 'error'
  | 'note'
  | 'error_message'
  | 'disabled_reason';

/** A result whose messages are not yet in the reader's language. */
export type ResultWithUntranslatedRefusals<Result> = Result extends readonly (infer Item)[]
  ? ResultWithUntranslatedRefusals<Item>[]
  : Result extends object
    ? {
        [Field in keyof Result]: Field extends MessageField
          ? Result[Field] | Refusal
          : ResultWithUntranslatedRefusals<Result[Field]>;
      }
    : Result;

/** The result with a translated sentence in place of each refusal. */
export type ResultWithTranslatedRefusals<Result> = Result extends Refusal
  ? string
  : Result extends readonly (infer Item)[]
    ? ResultWithTranslatedRefusals<Item>[]
    : Result extends object
      ? { [Field in keyof Result]: ResultWithTranslatedRefusals<Result[Field]> }
      : Result;
