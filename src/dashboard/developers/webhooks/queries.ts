'use client';
/** What the webhook pages ask for and do. Any change refreshes all of them: health, lists and deliveries hang together. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Inputs, type Outputs, useTRPC } from '../../trpc';

export type Endpoint = Outputs['webhook_endpoints']['retrieve'];
export type EndpointHistory = Outputs['webhook_endpoints']['history'];
export type Delivery = Outputs['webhook_endpoints']['list_deliveries']['data'][number];
export type DeliveryDetail = Outputs['webhook_endpoints']['retrieve_attempt'];
export type EventDelivery = Outputs['webhook_endpoints']['list_event_deliveries']['data'][number];

/** Deliveries happen without us. */
const OFTEN_MS = 5_000;

export function useEndpoints() {
  const trpc = useTRPC();
  return useQuery(trpc.webhook_endpoints.list.queryOptions({}, { refetchInterval: OFTEN_MS }));
}

export function useEndpoint(id: string | undefined) {
  const trpc = useTRPC();
  return useQuery(
    trpc.webhook_endpoints.retrieve.queryOptions(
      { id: id ?? '' },
      { refetchInterval: OFTEN_MS, enabled: id !== undefined },
    ),
  );
}

export function useEndpointHistory(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.webhook_endpoints.history.queryOptions({ id }, { refetchInterval: 30_000 }));
}

/** By event, each with its attempts. */
export function useDeliveries(query: Inputs['webhook_endpoints']['list_event_deliveries']) {
  const trpc = useTRPC();
  return useQuery(
    trpc.webhook_endpoints.list_event_deliveries.queryOptions(query, {
      placeholderData: keepPreviousData,
      refetchInterval: OFTEN_MS,
    }),
  );
}

/** Looked at again and again until the attempt has ended. */
export function useDelivery(id: string) {
  const trpc = useTRPC();
  return useQuery(
    trpc.webhook_endpoints.retrieve_attempt.queryOptions(
      { id },
      { refetchInterval: (query) => (query.state.data?.status === 'pending' ? 1_500 : false) },
    ),
  );
}

/** How many events would be sent again; asked anew for each time. */
export function useFailedCount(id: string, since: string | null) {
  const trpc = useTRPC();
  return useQuery(
    trpc.webhook_endpoints.count_failed.queryOptions(
      { id, since: since ?? '' },
      { enabled: since !== null, staleTime: 0, placeholderData: keepPreviousData },
    ),
  );
}

function useRefresh() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.webhook_endpoints.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.events.pathKey() }),
    ]);
}

/** The answer holds the signing secret. */
export function useCreateEndpoint() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(
    trpc.webhook_endpoints.create.mutationOptions({ meta: { handlesError: true }, onSuccess: () => refresh() }),
  );
}

export function useUpdateEndpoint(options: { inForm?: boolean; onDone?: () => void } = {}) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(
    trpc.webhook_endpoints.update.mutationOptions({
      meta: { handlesError: options.inForm },
      onSuccess: options.onDone,
      onSettled: () => refresh(),
    }),
  );
}

export function useEnableEndpoint(onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = useRefresh();
  return useMutation(
    trpc.webhook_endpoints.enable.mutationOptions({
      onSuccess: (endpoint) => {
        queryClient.setQueryData(trpc.webhook_endpoints.retrieve.queryKey({ id: endpoint.id }), endpoint);
        onDone();
      },
      onSettled: () => refresh(),
    }),
  );
}

export function useSwitchDigest() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.webhook_endpoints.switch_digest.mutationOptions({
      onSuccess: (endpoint) =>
        queryClient.setQueryData(trpc.webhook_endpoints.retrieve.queryKey({ id: endpoint.id }), endpoint),
    }),
  );
}

export function useDeleteEndpoint(onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.webhook_endpoints.delete.mutationOptions({
      onSuccess: async () => {
        onDone();
        // The page of the deleted endpoint is still on screen: only the list may ask again.
        await queryClient.invalidateQueries({ queryKey: trpc.webhook_endpoints.list.pathKey() });
      },
    }),
  );
}

/** The answer holds the new signing secret. */
export function useRotateSecret() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(trpc.webhook_endpoints.rotate.mutationOptions({ onSettled: () => refresh() }));
}

/** The answer is the id of the delivery to watch. */
export function useSendTest() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(
    trpc.webhook_endpoints.send_test.mutationOptions({ meta: { handlesError: true }, onSettled: () => refresh() }),
  );
}

export function useRedeliver(onDone: (delivery: { id: string }) => void) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(
    trpc.webhook_endpoints.redeliver.mutationOptions({ onSuccess: onDone, onSettled: () => refresh() }),
  );
}

export function useRedeliverFailed(onDone: (done: { events: number; more: boolean }) => void) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(
    trpc.webhook_endpoints.redeliver_failed.mutationOptions({ onSuccess: onDone, onSettled: () => refresh() }),
  );
}
