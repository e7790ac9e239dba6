'use client';
import { useTranslations } from 'use-intl/react';
import { useMe } from '../shell/me';
import { toast } from '../ui/overlay/toaster';
import { useCopyGuestLink } from './copy-link';

/**
 * Returns a function that shows the result of sending. The packet was mailed or, in test mode,
 * stored. Without a mail provider, the host has to pass on the link.
 */
export function useSendResultToast() {
  const t = useTranslations('reservations');
  const { mode, mail_is_sent } = useMe();
  const copy = useCopyGuestLink();
  return ({ id, guest_email }: { id: string; guest_email: string }) => {
    if (mode === 'test') toast.success(t('sent_in_test_mode'));
    else if (mail_is_sent) toast.success(t('on_its_way', { address: guest_email }));
    else {
      toast.warning(t('not_mailed'), {
        description: t('give_the_link_yourself'),
        duration: 15_000,
        action: {
          label: t('copy_the_link'),
          onClick: () => copy.mutate({ id, status: 'sent', guest_contact_missing: false }),
        },
      });
    }
  };
}
