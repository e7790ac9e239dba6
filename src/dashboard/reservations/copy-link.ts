'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import type { NamespaceTranslator } from '../i18n/namespace-translator';
import { useTRPC, useTRPCClient } from '../trpc';
import { toast } from '../ui/overlay/toaster';
import { isReservationUnsent } from './status-words';

interface Linked {
  id: string;
  status: Parameters<typeof isReservationUnsent>[0]['status'];
  guest_contact_missing: boolean;
}

/** Returns the reason why there is no link to copy. Returns null when a link exists. */
export function getMissingGuestLinkReason(row: Linked, t: NamespaceTranslator<'reservations'>): string | null {
  if (isReservationUnsent(row)) return row.guest_contact_missing ? null : t('link_once_sent');
  return row.status === 'ignored' || row.status === 'expired' ? t('link_is_dead') : null;
}

/**
 * Copies the guest's link to the clipboard. The link depends on the status: the signing link, the
 * link to the signed copy, or the link to share when the guest has no address.
 */
export function useCopyGuestLink() {
  const t = useTranslations('reservations');
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return useMutation({
    meta: { handlesError: true },
    mutationFn: async (row: Linked) => {
      const share = isReservationUnsent(row);
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
        share ? t('share_link_is_copied') : status === 'signed' ? t('link_to_copy_is_copied') : t('link_is_copied'),
      ),
    onError: () => void toast.error(t('link_not_copied')),
  });
}
