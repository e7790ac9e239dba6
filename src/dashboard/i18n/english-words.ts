import { createTranslator } from 'use-intl/core';
import en from './messages/en.json';
import type { NamespaceTranslator } from './namespace-translator';
import type { MessageNamespace } from './namespaces';

/** Returns what `useTranslations(namespace)` returns in English, for tests. */
export const createEnglishTranslator = <Name extends MessageNamespace>(namespace: Name) =>
  createTranslator({
    locale: 'en',
    messages: en,
    namespace,
    timeZone: 'UTC',
  } as never) as unknown as NamespaceTranslator<Name>;
