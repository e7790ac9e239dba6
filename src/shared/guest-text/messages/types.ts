import type { en } from './en';

/** A text, or its forms by plural category (CLDR; `other` is what every language has). */
export type Message = string | PluralMessage;
export type PluralMessage = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

export type MessageKey = keyof typeof en;

/** What a language file holds. A missing or surplus key, or plain text where forms belong, does not compile. */
export type Messages = {
  readonly [K in MessageKey]: (typeof en)[K] extends string ? string : PluralMessage;
};

type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Text<K extends MessageKey> = (typeof en)[K] extends string
  ? (typeof en)[K]
  : (typeof en)[K] extends { other: infer O extends string }
    ? O | '{count}'
    : never;

/** The values a text needs, read off its English wording. */
export type MessageParams<K extends MessageKey> = [Names<Text<K>>] extends [never]
  ? []
  : [params: { readonly [Name in Names<Text<K>>]: Name extends 'count' ? number : string | number }];
