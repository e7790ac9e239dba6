'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { lazyComponent } from '../ui/lazy-component';

const EmailDialog = lazyComponent(() => import('./email-dialog').then((file) => file.ChangeSignInEmailDialog));

/** Shows the user's sign-in address, and a new address that is not confirmed yet. */
export function SignInEmailAddressCard() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const { user, mail_is_sent } = useMe();
  const [changing, setChanging] = useState(false);
  const security = useQuery(trpc.accounts.security.queryOptions());
  const cancel = useMutation(trpc.accounts.cancel_email_change.mutationOptions());
  const pending = security.data?.pending_email;
  return (
    <Card>
      <CardHeader title={t('email_address')} description={t('email_address_lead')} />
      <CardBody className="grid gap-4 text-sm">
        <p className="wrap-anywhere font-medium">{user.email}</p>
        {pending ? (
          <div className="grid gap-3 rounded-md bg-warning-tint px-3 py-2.5" role="status">
            <p className="wrap-anywhere">{t('email_pending', { email: pending })}</p>
            <Button
              variant="secondary"
              size="sm"
              className="w-fit"
              pending={cancel.isPending}
              onClick={() => cancel.mutate()}
            >
              {t('email_cancel')}
            </Button>
          </div>
        ) : null}
        <Button
          variant="secondary"
          className="w-fit"
          disabledReason={mail_is_sent ? null : t('email_no_mail')}
          onClick={() => setChanging(true)}
        >
          {t('email_change')}
        </Button>
      </CardBody>
      {changing ? <EmailDialog proof={security.data?.proof ?? 'password'} onClose={() => setChanging(false)} /> : null}
    </Card>
  );
}
