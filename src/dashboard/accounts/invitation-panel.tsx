'use client';
import { useMutation } from '@tanstack/react-query';
import type { InvitationView } from '@/modules/accounts/schemas';
import { paths } from '../paths';
import { readError } from '../read-error';
import { useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { Link } from '../ui/link';
import { authPost } from './auth-client';
import { AuthForm } from './auth-form';

const CLOSED = {
  accepted: 'This invitation was accepted already.',
  revoked: 'This invitation was withdrawn or replaced by a newer one. Look for a later mail.',
  expired: 'This invitation has expired. Ask for another.',
};

interface Props {
  /** The secret of the link the page was opened with. */
  token: string;
  invitation: InvitationView;
  signedInAs: string | null;
}

export function InvitationPanel({ token, invitation, signedInAs }: Props) {
  const trpc = useTRPC();
  const accept = useMutation(
    trpc.accounts.accept_invitation.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => window.location.assign(paths.home),
    }),
  );
  const here = paths.invite(token);
  const title = `Join ${invitation.team_name}`;
  if (invitation.state !== 'open') {
    return (
      <AuthForm title={title} lead={CLOSED[invitation.state]}>
        <Button asChild variant="secondary" size="lg">
          <Link href={paths.home}>Go to the dashboard</Link>
        </Button>
      </AuthForm>
    );
  }
  const lead = `${invitation.inviter_name} invites ${invitation.email} as ${invitation.role === 'owner' ? 'an owner' : 'a member'}.`;
  if (!signedInAs) {
    const way = invitation.has_account ? paths.sign_in : paths.sign_up;
    const query = `?next=${encodeURIComponent(here)}&email=${encodeURIComponent(invitation.email)}`;
    return (
      <AuthForm title={title} lead={lead}>
        <Button asChild size="lg">
          <Link href={way + query}>{invitation.has_account ? 'Sign in to accept' : 'Create an account to accept'}</Link>
        </Button>
      </AuthForm>
    );
  }
  if (signedInAs !== invitation.email) {
    return (
      <AuthForm title={title} lead={`${lead} You are signed in as ${signedInAs}.`}>
        <Button size="lg" onClick={() => authPost('/sign-out').then(() => window.location.assign(here))}>
          Sign out and use {invitation.email}
        </Button>
      </AuthForm>
    );
  }
  return (
    <AuthForm title={title} lead={lead} error={accept.error ? readError(accept.error).message : null}>
      <Button size="lg" pending={accept.isPending || accept.isSuccess} onClick={() => accept.mutate({ token })}>
        Accept the invitation
      </Button>
    </AuthForm>
  );
}
