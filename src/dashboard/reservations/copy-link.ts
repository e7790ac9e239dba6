'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTRPC, useTRPCClient } from '../trpc';
import { toast } from '../ui/overlay/toaster';
import { isUnsent } from './status-words';

interface Linked {
  id: string;
  status: Parameters<typeof isUnsent>[0]['status'];
  guest_contact_missing: boolean;
}

/** Why there is no link to give on; null when there is one. */
export function whyNoLink(row: Linked): string | null {
  if (isUnsent(row)) return row.guest_contact_missing ? null : 'There is a link once it has been sent.';
  return row.status === 'ignored' || row.status === 'expired' ? 'The link is dead.' : null;
}

/** Puts the guest's link into the clipboard: the one to sign, the copy of what was signed, or the one to share where no address is known. */
export function useCopyLinkOf() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return useMutation({
    meta: { handlesError: true },
    mutationFn: async (row: Linked) => {
      const share = isUnsent(row);
      const url = share
        ? (await client.reservations.share_link.mutate({ id: row.id })).url
        : await queryClient
            .fetchQuery(trpc.reservations.copy_link.queryOptions({ id: row.id }, { staleTime: 0 }))
            .then((links) => links.signingUrl ?? links.copyUrl ?? '');
      await navigator.clipboard.writeText(url);
      return share;
    },
    onSuccess: (share, { status }) =>
      void toast.success(
        share
          ? 'The link is copied. Who opens it enters an address and goes on to sign.'
          : status === 'signed'
            ? 'The link to the signed copy is copied.'
            : 'The link is copied. Who opens it can sign.',
      ),
    onError: () => void toast.error('The link could not be copied. It is under “Links” on the reservation’s page.'),
  });
}
