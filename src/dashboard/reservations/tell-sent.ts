'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import { toast } from '../ui/overlay/toaster';

/** Says what sending came to: mailed, kept in test mode, or, where no mail is sent, that the link has to be passed on. */
export function useTellSent() {
  const { mode, mail_is_sent } = useMe();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return ({ id, guest_email }: { id: string; guest_email: string }) => {
    if (mode === 'test') toast.success('Sent in test mode. The mail is among the mails of the reservation.');
    else if (mail_is_sent) toast.success(`On its way to ${guest_email}.`);
    else {
      const copy = async () => {
        try {
          const links = await queryClient.fetchQuery(
            trpc.reservations.copy_link.queryOptions({ id }, { staleTime: 0 }),
          );
          await navigator.clipboard.writeText(links.signingUrl ?? '');
          toast.success('The link is copied. Who opens it can sign.');
        } catch {
          toast.error('The link could not be copied. It is under “Links” on the reservation’s page.');
        }
      };
      toast.warning('Not mailed: mail is not set up here.', {
        description: 'Give the guest the link yourself.',
        duration: 15_000,
        action: { label: 'Copy the link', onClick: () => void copy() },
      });
    }
  };
}
