import type { ReactNode } from 'react';
import { createTranslator } from 'use-intl/core';
import { loadMessages } from '@/dashboard/i18n/load';
import type en from '@/dashboard/i18n/messages/en.json';
import type { Namespace } from '@/dashboard/i18n/namespaces';
import { WordsProvider } from '@/dashboard/i18n/words';
import { pageLocale } from './session';

/** Sends the messages of these namespaces with the page, in the reader's language. */
export async function Words({ of, children }: { of: readonly Namespace[]; children: ReactNode }) {
  const locale = await pageLocale();
  return (
    <WordsProvider locale={locale} messages={await loadMessages(locale, of)}>
      {children}
    </WordsProvider>
  );
}

/** Returns the messages of one namespace, for components that are rendered only on the server. */
export async function wordsOf<Of extends Namespace>(namespace: Of): Promise<(key: keyof (typeof en)[Of]) => string> {
  const locale = await pageLocale();
  const t = createTranslator({
    locale,
    messages: await loadMessages(locale, [namespace]),
    namespace: namespace as Namespace,
  });
  return (key) => t(key as never);
}

/** Returns the title of a page for the browser's tab. */
export const titled = (key: keyof (typeof en)['titles']) => async () => ({ title: (await wordsOf('titles'))(key) });

/**
 * Defines a page with a title. `body` renders the page from the route's parameters. The page loads
 * the messages of `namespaces`.
 */
export const page = <Params,>(
  title: keyof (typeof en)['titles'],
  namespaces: readonly Namespace[],
  body: (params: Params) => ReactNode,
) => ({
  generateMetadata: titled(title),
  Page: async ({ params }: { params: Promise<Params> }) => <Words of={namespaces}>{body(await params)}</Words>,
});
