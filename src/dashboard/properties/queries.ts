'use client';
/** What the pages of properties ask for and do. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Inputs, type Outputs, useTRPC } from '../trpc';
import { PROPERTIES_ASKED } from './asked';

export type Property = Outputs['properties']['retrieve'];
export type PropertySearch = Inputs['properties']['list'];

export function useProperties(cursor: { starting_after?: string; ending_before?: string } = {}) {
  const trpc = useTRPC();
  return useQuery(
    trpc.properties.list.queryOptions({ ...PROPERTIES_ASKED, ...cursor }, { placeholderData: keepPreviousData }),
  );
}

export function usePropertySearch(query: PropertySearch) {
  const trpc = useTRPC();
  return useQuery(trpc.properties.list.queryOptions(query, { placeholderData: keepPreviousData }));
}

export function useProperty(id: string | undefined) {
  const trpc = useTRPC();
  return useQuery(trpc.properties.retrieve.queryOptions({ id: id ?? '' }, { enabled: Boolean(id), staleTime: 60_000 }));
}

export function useDomainRecords(property: Property) {
  const trpc = useTRPC();
  return useQuery(
    trpc.properties.domain.queryOptions({ id: property.id }, { enabled: property.custom_domain !== null }),
  );
}

export function useDeletionPreview(id: string, enabled: boolean) {
  const trpc = useTRPC();
  return useQuery(trpc.properties.deletion.queryOptions({ id }, { enabled, staleTime: 0 }));
}

/** Puts what the server answered where every page reads it; lists are asked anew. */
function useKeep() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (property: Property) => {
    queryClient.setQueryData(trpc.properties.retrieve.queryKey({ id: property.id }), property);
    return Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.properties.list.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.properties.domain.pathKey() }),
    ]);
  };
}

export function useCreateProperty(onDone: (property: Property) => void) {
  const trpc = useTRPC();
  const keep = useKeep();
  return useMutation(
    trpc.properties.create.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (property) => {
        void keep(property);
        onDone(property);
      },
    }),
  );
}

/** The form shows what was refused beside its field. */
export function useUpdateProperty(onDone: (property: Property) => void) {
  const trpc = useTRPC();
  const keep = useKeep();
  return useMutation(
    trpc.properties.update.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (property) => {
        void keep(property);
        onDone(property);
      },
    }),
  );
}

export function useVerifyDomain() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const keep = useKeep();
  return useMutation(
    trpc.properties.verify_domain.mutationOptions({
      onSuccess: ({ property }) => {
        void keep(property);
        void queryClient.invalidateQueries(trpc.properties.domain.queryFilter({ id: property.id }));
      },
    }),
  );
}

export function useDeleteProperty(onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.properties.delete.mutationOptions({
      meta: { handlesError: true },
      onSuccess: async () => {
        onDone();
        // The page of the deleted property is still on screen: only lists may ask again.
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: trpc.properties.list.pathKey() }),
          queryClient.invalidateQueries({ queryKey: trpc.reservations.pathKey() }),
        ]);
      },
    }),
  );
}
