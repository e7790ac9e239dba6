import type { useTranslations } from 'use-intl/react';
import type { Namespace } from './namespaces';

/** What `useTranslations(namespace)` answers: rules that say something take it as their `t`. */
export type WordsOf<Name extends Namespace> = ReturnType<typeof useTranslations<Name>>;
