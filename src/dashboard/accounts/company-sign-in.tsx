'use client';
import { Building2 } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { NamespaceTranslator } from '../i18n/namespace-translator';
import { Button } from '../ui/button';
import { postAuthRequest } from './auth-client';
import { useFormSubmit } from './use-submit';

/**
 * The button that signs in with the company's OpenID Connect provider. `name` is the provider's
 * name.
 */
export function CompanySignInButton({ name, next }: { name: string; next: string }) {
  const t = useTranslations('accounts');
  const { submit, pending, error } = useFormSubmit(async () => {
    const { url } = await postAuthRequest<{ url: string }>('/sign-in/oauth2', { callbackURL: next });
    window.location.assign(url);
  });
  return (
    <div className="grid gap-3">
      <p className="flex items-center gap-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('or')}
      </p>
      <Button variant="secondary" size="lg" pending={pending} onClick={() => submit(undefined)}>
        <Building2 aria-hidden />
        {t('continue_with', { name })}
      </Button>
      {error ? (
        <p role="alert" className="text-danger">
          {error}
        </p>
      ) : null}
    </div>
  );
}

const REFUSED = ['access_denied', 'address_of_another', 'user_info_is_missing', 'provider_away'] as const;

/** Returns the message for a user whom the provider did not sign in. */
export function describeRefusedSignIn(code: string, t: NamespaceTranslator<'accounts'>): string {
  const known = REFUSED.find((each) => each === code);
  return t(known ? `refused_${known}` : 'refused_otherwise');
}
