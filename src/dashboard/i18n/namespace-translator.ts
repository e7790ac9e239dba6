import type { useTranslations } from 'use-intl/react';
import type { MessageNamespace } from './namespaces';

/** The return type of `useTranslations(namespace)`, for functions that take `t`. */
export type NamespaceTranslator<Name extends MessageNamespace> = ReturnType<typeof useTranslations<Name>>;
