'use client';
import { Building2 } from 'lucide-react';
import { Button } from '../ui/button';
import { authPost } from './auth-client';
import { useSubmit } from './use-submit';

/** The other way in: the account of a company's own OpenID Connect provider, under the operator's name for it. */
export function CompanySignIn({ name, next }: { name: string; next: string }) {
  const { submit, pending, error } = useSubmit(async () => {
    const { url } = await authPost<{ url: string }>('/sign-in/oauth2', { callbackURL: next });
    window.location.assign(url);
  });
  return (
    <div className="grid gap-3">
      <p className="flex items-center gap-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      <Button variant="secondary" size="lg" pending={pending} onClick={() => submit(undefined)}>
        <Building2 aria-hidden />
        Continue with {name}
      </Button>
      {error ? (
        <p role="alert" className="text-danger">
          {error}
        </p>
      ) : null}
    </div>
  );
}

const REFUSED: Record<string, string> = {
  access_denied: 'Signing in there was cancelled.',
  account_not_linked:
    'There is an account with this address already that was never confirmed. Sign in with its password, or set a new one first.',
  user_info_is_missing: 'Your account there has no confirmed e-mail address, so it cannot be used here.',
  provider_away: 'Signing in there is not possible at the moment. Use your password, or try again later.',
};

/** What to say to somebody who came back from there without being signed in. */
export const refusedSignIn = (code: string) =>
  REFUSED[code] ?? 'Signing in there did not work. Try again, or use your password.';
