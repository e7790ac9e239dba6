'use client';
import { MailWarning } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { postAuthRequest } from '../accounts/auth-client';
import { Button } from '../ui/button';
import { toast } from '../ui/overlay/toaster';

/** Asks the user to confirm their address with the mailed link, and can mail another link. */
export function VerifyEmailAddressBar({ email }: { email: string }) {
  const t = useTranslations('shell');
  const [sent, setSent] = useState(false);
  const send = async () => {
    try {
      await postAuthRequest('/send-verification-email', { email });
      setSent(true);
    } catch (error) {
      toast.error(error instanceof Error && error.message ? error.message : t('the_mail_could_not_be_sent'));
    }
  };
  return (
    <aside
      aria-label={t('address_not_confirmed')}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-warning-tint px-4 py-2.5 text-sm text-warning sm:px-8"
    >
      <MailWarning className="size-4 shrink-0" aria-hidden />
      <span>
        {sent ? t('a_new_link_is_on_its_way', { email }) : t('confirm_your_address_with_the_link_we', { email })}
      </span>
      {sent ? null : (
        <Button variant="link" className="text-warning!" onClick={send}>
          {t('send_it_again')}
        </Button>
      )}
    </aside>
  );
}
