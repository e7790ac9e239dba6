import type { useTranslations } from 'use-intl/react';
import type { Namespace } from './namespaces';

/** The return type of `useTranslations(namespace)`, for functions that take `t`. */
export type WordsOf<Name extends Namespace> = ReturnType<typeof useTranslations<Name>>;
