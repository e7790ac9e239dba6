'use client';
/** Giving parts of a packet to other properties, and taking them from another. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../../trpc';
import { useRefreshPackets } from '../queries';

export type PushPreview = Outputs['packets']['preview_push'];

export function usePreviewPush() {
  const trpc = useTRPC();
  return useMutation(trpc.packets.preview_push.mutationOptions({ meta: { handlesError: true } }));
}

export function usePush() {
  const trpc = useTRPC();
  const refresh = useRefreshPackets();
  return useMutation(trpc.packets.push.mutationOptions({ meta: { handlesError: true }, onSettled: () => refresh() }));
}

/** The default packet of a property; null when it has none. */
export function useDefaultPacketOf() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation({
    meta: { handlesError: true },
    mutationFn: async (property_id: string) => {
      const { data } = await queryClient.fetchQuery(trpc.packets.list.queryOptions({ id: property_id }));
      return data.find((packet) => packet.is_default && packet.status === 'active') ?? null;
    },
  });
}
