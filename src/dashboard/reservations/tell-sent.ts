'use client';
import { useMe } from '../shell/me';
import { toast } from '../ui/overlay/toaster';
import { useCopyLinkOf } from './copy-link';

/** Says what sending came to: mailed, kept in test mode, or, where no mail is sent, that the link has to be passed on. */
export function useTellSent() {
  const { mode, mail_is_sent } = useMe();
  const copy = useCopyLinkOf();
  return ({ id, guest_email }: { id: string; guest_email: string }) => {
    if (mode === 'test') toast.success('Sent in test mode. The mail is among the mails of the reservation.');
    else if (mail_is_sent) toast.success(`On its way to ${guest_email}.`);
    else {
      toast.warning('Not mailed: mail is not set up here.', {
        description: 'Give the guest the link yourself.',
        duration: 15_000,
        action: {
          label: 'Copy the link',
          onClick: () => copy.mutate({ id, status: 'sent', guest_contact_missing: false }),
        },
      });
    }
  };
}
