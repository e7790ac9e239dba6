'use client';
/**
 * The dashboard's typed API client: tRPC with TanStack Query, for the team and mode of the rendered
 * page.
 */
import {
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  type UseQueryResult,
} from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, type TRPCClientErrorLike } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { AppRouter } from '@/api/router';
import { LIVE_OR_TEST_MODE_HEADER_NAME, TEAM_ID_HEADER } from '@/modules/accounts/session-headers';
import type { NamespaceTranslator } from './i18n/namespace-translator';
import { cacheMutationResult, invalidateQueriesAfterMutation } from './invalidation';
import { paths } from './paths';
import { setServerUnreachableMessage, toDisplayableError } from './read-error';
import { toast } from './ui/overlay/toaster';
import { hasUnsavedText, resetUnsavedTextState } from './unsaved';

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();
export type ProcedureInputs = inferRouterInputs<AppRouter>;
export type ProcedureOutputs = inferRouterOutputs<AppRouter>;
/** The return type of `useQuery` for a procedure. */
export type ProcedureQueryResult<Output> = UseQueryResult<Output, TRPCClientErrorLike<AppRouter>>;

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** True when the form shows the error itself, next to the field. */
      handlesError?: boolean;
    };
  }
}

/**
 * Called when the session has ended. Opens the sign-in page. If the page has unsaved input, it
 * stays open instead, and the user can sign in in another tab and save.
 */
function signInAgain(t: NamespaceTranslator<'ui'>): void {
  if (hasUnsavedText()) {
    toast.error(t('session_ended'), {
      id: 'session-ended',
      description: t('session_ended_detail'),
      duration: Number.POSITIVE_INFINITY,
      action: { label: t('sign_in'), onClick: () => window.open(paths.sign_in, '_blank') },
    });
    return;
  }
  const here = window.location.pathname + window.location.search;
  window.location.assign(`${paths.sign_in}?next=${encodeURIComponent(here)}`);
}

function makeQueryClient(t: NamespaceTranslator<'ui'>): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Retries only after server errors and network errors. Other errors would occur again.
        retry: (count, error) => toDisplayableError(error).status >= 500 && count < 2,
      },
    },
    queryCache: new QueryCache({
      onError: (error) => {
        if (toDisplayableError(error).status === 401) signInAgain(t);
      },
    }),
    mutationCache: new MutationCache({
      onSuccess: (answer, _variables, _result, _mutation, { client }) => {
        resetUnsavedTextState();
        cacheMutationResult(client, answer);
      },
      onSettled: (_answer, _error, _variables, _result, mutation, { client }) =>
        invalidateQueriesAfterMutation(client, mutation.options.mutationKey),
      onError: (error, _variables, _result, mutation) => {
        const { status, message, request_id } = toDisplayableError(error);
        if (status === 401) return signInAgain(t);
        if (mutation.meta?.handlesError) return;
        toast.error(message, { description: request_id ? t('request_id_value', { id: request_id }) : undefined });
      },
    }),
  });
}

interface ApiProviderProps {
  mode: 'live' | 'test';
  /** Undefined until the user has a team. */
  team_id?: string;
  children: ReactNode;
}

/**
 * Provides the API client for one team and mode, which never change during the component's
 * lifetime. When the user chooses another team in another tab, this page neither shows nor changes
 * that team's data.
 */
export function ApiClientProvider({ mode, team_id, children }: ApiProviderProps) {
  const t = useTranslations('ui');
  useEffect(() => setServerUnreachableMessage(t('server_unreachable')), [t]);
  const [queryClient] = useState(() => makeQueryClient(t));
  const [trpcClient] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        httpBatchLink({
          url: '/api/trpc',
          headers: { [LIVE_OR_TEST_MODE_HEADER_NAME]: mode, ...(team_id && { [TEAM_ID_HEADER]: team_id }) },
          maxURLLength: 4000,
        }),
      ],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
