'use client';
import { MailWarning } from 'lucide-react';
import { useState } from 'react';
import { authPost } from '../accounts/auth-client';
import { Button } from '../ui/button';
import { toast } from '../ui/overlay/toaster';

/** Asks for the click on the mailed link, and sends another. */
export function VerifyAddressBar({ email }: { email: string }) {
  const [sent, setSent] = useState(false);
  const send = async () => {
    try {
      await authPost('/send-verification-email', { email, callbackURL: '/' });
      setSent(true);
    } catch (error) {
      toast.error(error instanceof Error ? error.message : 'The mail could not be sent.');
    }
  };
  return (
    <aside
      aria-label="Address not confirmed"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-warning-tint px-4 py-2.5 text-sm text-warning sm:px-8"
    >
      <MailWarning className="size-4 shrink-0" aria-hidden />
      <span>
        {sent ? `A new link is on its way to ${email}.` : `Confirm your address with the link we mailed to ${email}.`}
      </span>
      {sent ? null : (
        <Button variant="link" className="text-warning" onClick={send}>
          Send it again
        </Button>
      )}
    </aside>
  );
}
