import type { ReactNode } from 'react';
import { createTranslator } from 'use-intl/core';
import { loadMessages } from '@/dashboard/i18n/load';
import type en from '@/dashboard/i18n/messages/en.json';
import type { MessageNamespace } from '@/dashboard/i18n/namespaces';
import { TranslationsProvider } from '@/dashboard/i18n/translations-provider';
import { getPageLocale } from './session';

/** Sends the messages of these namespaces with the page, in the reader's language. */
export async function ServerTranslationsProvider({
  of,
  children,
}: {
  of: readonly MessageNamespace[];
  children: ReactNode;
}) {
  const locale = await getPageLocale();
  return (
    <TranslationsProvider locale={locale} messages={await loadMessages(locale, of)}>
      {children}
    </TranslationsProvider>
  );
}

/** Returns the messages of one namespace, for components that are rendered only on the server. */
export async function loadServerTranslator<Of extends MessageNamespace>(
  namespace: Of,
): Promise<(key: keyof (typeof en)[Of]) => string> {
  const locale = await getPageLocale();
  const t = createTranslator({
    locale,
    messages: await loadMessages(locale, [namespace]),
    namespace: namespace as MessageNamespace,
  });
  return (key) => t(key as never);
}

/** Returns the title of a page for the browser's tab. */
export const createTitleMetadata = (key: keyof (typeof en)['titles']) => async () => ({
  title: (await loadServerTranslator('titles'))(key),
});

/**
 * Defines a page with a title. `body` renders the page from the route's parameters. The page loads
 * the messages of `namespaces`.
 */
export const defineTranslatedPage = <Params,>(
  title: keyof (typeof en)['titles'],
  namespaces: readonly MessageNamespace[],
  body: (params: Params) => ReactNode,
) => ({
  generateMetadata: createTitleMetadata(title),
  Page: async ({ params }: { params: Promise<Params> }) => (
    <ServerTranslationsProvider of={namespaces}>{body(await params)}</ServerTranslationsProvider>
  ),
});
