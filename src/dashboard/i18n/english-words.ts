import { createTranslator } from 'use-intl/core';
import en from './messages/en.json';
import type { Namespace } from './namespaces';
import type { WordsOf } from './words-of';

/** Returns what `useTranslations(namespace)` returns in English, for tests. */
export const englishWords = <Name extends Namespace>(namespace: Name) =>
  createTranslator({ locale: 'en', messages: en, namespace, timeZone: 'UTC' } as never) as unknown as WordsOf<Name>;
