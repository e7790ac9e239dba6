import { type DehydratedState, dehydrate, type FetchQueryOptions, QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { ReactNode } from 'react';
import { type AppRouter, appRouter } from '@/api/router';
import { takeSessionTokens } from '@/api/trpc/session-limit';
import { Hydrated } from '@/dashboard/hydrated';
import { refusalTranslator } from '@/dashboard/i18n/refusal-translator';
import { logger } from '@/infra/logger';
import { newId } from '@/shared/ids';
import { pageLocale, pageSession, readerZone } from '../session';

// biome-ignore lint/suspicious/noExplicitAny: queries of different answers stand in one list.
type AnyQuery = FetchQueryOptions<any, any, any, any>;

interface PrefetchedProps {
  /**
   * The page's first queries, for who reads it in `zone`: as its components ask them, or they ask
   * again.
   */
  queries: (trpc: TRPCOptionsProxy<AppRouter>, zone: string) => AnyQuery[];
  /** Queries whose input is in the answers to the first ones. */
  dependent?: (trpc: TRPCOptionsProxy<AppRouter>, answers: QueryClient) => AnyQuery[];
  children: ReactNode;
}

/**
 * Asks a page's first queries here, in this process, and sends the answers with the page. It takes
 * from the same limit as the browser would; what fails is left to the browser, which shows why.
 */
export async function Prefetched({ children, ...asked }: PrefetchedProps) {
  const me = (await pageSession())?.me;
  const state = await answer(asked);
  // Whether there are answers or not, the page stays the same component: it must not begin anew.
  return (
    <Hydrated mode={me?.mode ?? 'live'} team_id={me?.team.id ?? ''} state={state}>
      {children}
    </Hydrated>
  );
}

async function answer({ queries, dependent }: Omit<PrefetchedProps, 'children'>): Promise<DehydratedState | undefined> {
  const session = await pageSession();
  const zone = await readerZone();
  // Without a zone nobody knows which day it is where the page is read.
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
      translate: await refusalTranslator(await pageLocale()),
    },
  });
  const caller = { user_id: session.me.user.id, ip: session.ip };
  const run = async (wanted: AnyQuery[]) => {
    await takeSessionTokens(caller, true, wanted.length);
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

export type Search = Promise<Record<string, string | string[] | undefined>>;

/**
 * What stands behind the question mark of a page's address; of what stands there twice the first.
 */
export async function searchParams(page: { searchParams: Search }): Promise<URLSearchParams> {
  const found = Object.entries(await page.searchParams).map(([name, value]) => [name, [value].flat()[0]]);
  return new URLSearchParams(found.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
