import { createTranslator } from 'use-intl/core';
import en from '@/dashboard/i18n/messages/en.json';
import type { Namespace } from '@/dashboard/i18n/namespaces';
import type { WordsOf } from '@/dashboard/i18n/words-of';

/** What `useTranslations(namespace)` answers in English. */
export const englishWords = <Name extends Namespace>(namespace: Name) =>
  createTranslator({ locale: 'en', messages: en, namespace, timeZone: 'UTC' } as never) as unknown as WordsOf<Name>;
