'use client';
/** What the packet pages ask for and do. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Inputs, type Outputs, useTRPC, useTRPCClient } from '../trpc';

export type Packet = Outputs['packets']['create'];
/** A packet with what may be done with it. */
export type Variant = Outputs['packets']['retrieve'];
export type PacketRevision = Outputs['packets']['revisions'][number];
export type PreviewInput = Inputs['signing_page']['preview'];

export function useVariants(property_id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.packets.list.queryOptions({ id: property_id }));
}

/** The editor decides itself when to take what is on the server: nothing may change under someone's hands. */
export function useEditable(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.packets.retrieve.queryOptions({ id }, { staleTime: 0, refetchOnWindowFocus: false, gcTime: 0 }));
}

export function useRevisions(id: string, enabled: boolean) {
  const trpc = useTRPC();
  return useQuery(trpc.packets.revisions.queryOptions({ id }, { enabled, staleTime: 0 }));
}

/** The guest's page for what is being typed; the last one stays until the next is there. */
export function usePreview(input: PreviewInput | null) {
  const client = useTRPCClient();
  return useQuery({
    queryKey: ['packet-preview', input],
    queryFn: ({ signal }) => client.signing_page.preview.mutate(input as PreviewInput, { signal }),
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 0,
    retry: false,
  });
}

/** Whatever changes a packet changes what may be done with its siblings. The open editor asks for itself. */
export function useRefreshPackets() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.packets.list.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.packets.revisions.pathKey() }),
    ]);
}

export function useSavePacket() {
  const trpc = useTRPC();
  return useMutation(trpc.packets.update.mutationOptions({ meta: { handlesError: true } }));
}

export function useCreateVariant(onDone: (packet: Packet) => void) {
  const trpc = useTRPC();
  const refresh = useRefreshPackets();
  return useMutation(
    trpc.packets.create.mutationOptions({
      meta: { handlesError: true },
      onSuccess: async (packet) => {
        await refresh();
        onDone(packet);
      },
    }),
  );
}

export function useRenamePacket(onDone: () => void) {
  const trpc = useTRPC();
  const refresh = useRefreshPackets();
  return useMutation(
    trpc.packets.update.mutationOptions({
      meta: { handlesError: true },
      onSuccess: async () => {
        await refresh();
        onDone();
      },
    }),
  );
}

/** Default, archive, restore, delete: what was refused is said in a toast, and the buttons are asked for anew. */
export function useVariantAction(action: 'set_default' | 'archive' | 'restore' | 'delete', onDone: () => void) {
  const trpc = useTRPC();
  const refresh = useRefreshPackets();
  const options = { onSuccess: () => onDone(), onSettled: () => refresh() };
  const all = {
    set_default: trpc.packets.set_default.mutationOptions(options),
    archive: trpc.packets.archive.mutationOptions(options),
    restore: trpc.packets.restore.mutationOptions(options),
    delete: trpc.packets.delete.mutationOptions(options),
  };
  // The four have the same input; what they answer is not used.
  return useMutation(all[action] as (typeof all)['archive']);
}
