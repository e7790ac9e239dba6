'use client';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import type { InvitationPageContent } from '@/modules/accounts/schemas';
import { paths } from '../paths';
import { toDisplayableError } from '../read-error';
import { useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { LinkButton } from '../ui/link-button';
import { postAuthRequest } from './auth-client';
import { AuthFormLayout } from './auth-form';

const CLOSED = {
  accepted: 'this_invitation_was_accepted_already',
  revoked: 'this_invitation_was_withdrawn_or_replaced_by',
  expired: 'this_invitation_has_expired_ask_for_another',
} as const;

interface Props {
  /** The secret token in the invitation link. */
  token: string;
  invitation: InvitationPageContent;
  signedInAs: string | null;
}

export function InvitationPanel({ token, invitation, signedInAs }: Props) {
  const t = useTranslations('accounts');
  const trpc = useTRPC();
  const accept = useMutation(
    trpc.accounts.accept_invitation.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => window.location.assign(paths.home),
    }),
  );
  const here = paths.invite(token);
  const title = t('join_team_name', { team_name: invitation.team_name });
  if (invitation.state !== 'open') {
    return (
      <AuthFormLayout title={title} lead={t(CLOSED[invitation.state])}>
        <LinkButton variant="secondary" size="lg" href={paths.home}>
          {t('go_to_the_dashboard')}
        </LinkButton>
      </AuthFormLayout>
    );
  }
  const { inviter_name, email } = invitation;
  const lead = t(`invites_as_${invitation.role}`, { inviter_name, email });
  if (!signedInAs) {
    const way = invitation.has_account ? paths.sign_in : paths.sign_up;
    const query = `?next=${encodeURIComponent(here)}&email=${encodeURIComponent(invitation.email)}`;
    return (
      <AuthFormLayout title={title} lead={lead}>
        <LinkButton size="lg" href={way + query}>
          {invitation.has_account ? t('sign_in_to_accept') : t('create_an_account_to_accept')}
        </LinkButton>
      </AuthFormLayout>
    );
  }
  if (signedInAs !== invitation.email) {
    return (
      <AuthFormLayout title={title} lead={`${lead} ${t('you_are_signed_in_as', { email: signedInAs })}`}>
        <Button size="lg" onClick={() => postAuthRequest('/sign-out').then(() => window.location.assign(here))}>
          {t('sign_out_and_use_email', { email: invitation.email })}
        </Button>
      </AuthFormLayout>
    );
  }
  return (
    <AuthFormLayout title={title} lead={lead} error={accept.error ? toDisplayableError(accept.error).message : null}>
      <Button size="lg" pending={accept.isPending || accept.isSuccess} onClick={() => accept.mutate({ token })}>
        {t('accept_the_invitation')}
      </Button>
    </AuthFormLayout>
  );
}
