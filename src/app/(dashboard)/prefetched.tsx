import { type DehydratedState, dehydrate, type FetchQueryOptions, QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { ReactNode } from 'react';
import { type AppRouter, appRouter } from '@/api/router';
import { takeSessionRateLimitTokens } from '@/api/trpc/session-limit';
import { PrefetchedQueriesProvider } from '@/dashboard/hydrated';
import { createRefusalTranslator } from '@/dashboard/i18n/refusal-translator';
import { logger } from '@/infra/logger';
import { newId } from '@/shared/ids';
import { getPageLocale, getSessionOfPageRequest, getTimeZoneFromCookie } from '../session';

// biome-ignore lint/suspicious/noExplicitAny: queries of different answers stand in one list.
type AnyQuery = FetchQueryOptions<any, any, any, any>;

interface PrefetchedProps {
  /**
   * Returns the page's first queries for a reader in `zone`. The components must use the same
   * inputs.
   */
  queries: (trpc: TRPCOptionsProxy<AppRouter>, zone: string) => AnyQuery[];
  /** Returns queries whose input depends on the results of `queries`. */
  dependent?: (trpc: TRPCOptionsProxy<AppRouter>, answers: QueryClient) => AnyQuery[];
  children: ReactNode;
}

/**
 * Runs a page's first queries on the server and sends the results with the page. The queries count
 * against the browser's rate limit. If a query fails, the browser repeats it and shows the error.
 */
export async function QueryPrefetchBoundary({ children, ...asked }: PrefetchedProps) {
  const me = (await getSessionOfPageRequest())?.me;
  const state = await answer(asked);
  // Always renders Hydrated, even without results. A different root component would remount the
  // page.
  return (
    <PrefetchedQueriesProvider mode={me?.mode ?? 'live'} team_id={me?.team.id ?? ''} state={state}>
      {children}
    </PrefetchedQueriesProvider>
  );
}

async function answer({ queries, dependent }: Omit<PrefetchedProps, 'children'>): Promise<DehydratedState | undefined> {
  const session = await getSessionOfPageRequest();
  const zone = await getTimeZoneFromCookie();
  // Without a zone, the reader's current day is unknown, and many queries need the current day.
  if (!session?.me || !zone) return undefined;
  const client = new QueryClient();
  const trpc = createTRPCOptionsProxy<AppRouter>({
    router: appRouter,
    queryClient: client,
    ctx: {
      ...session,
      request_id: newId('request'),
      surface: 'dashboard',
      if_match: null,
      reply: { headers: {} },
      translate: await createRefusalTranslator(await getPageLocale()),
    },
  });
  const caller = { user_id: session.me.user.id, ip: session.ip };
  const run = async (wanted: AnyQuery[]) => {
    await takeSessionRateLimitTokens(caller, true, wanted.length);
    await Promise.all(wanted.map((query) => client.prefetchQuery({ ...query, retry: false })));
  };
  try {
    await run(queries(trpc, zone));
    if (dependent) await run(dependent(trpc, client));
    return dehydrate(client);
  } catch (error) {
    logger().debug({ err: error }, 'a page was not prefetched');
    return undefined;
  }
}

export type SearchParamsPromise = Promise<Record<string, string | string[] | undefined>>;

/** Returns the query parameters of a page's URL. Uses the first value of a repeated parameter. */
export async function readSearchParams(page: { searchParams: SearchParamsPromise }): Promise<URLSearchParams> {
  const found = Object.entries(await page.searchParams).map(([name, value]) => [name, [value].flat()[0]]);
  return new URLSearchParams(found.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
