'use client';
import { useMutation } from '@tanstack/react-query';
import { useLocale } from 'use-intl/react';
import { LOCALE_COOKIE } from '@/modules/accounts/session-headers';
import type { HostLocale } from '@/shared/language/host-language';
import { setPreferenceCookie } from '../keep-cookie';
import { useTRPC } from '../trpc';

/**
 * Returns the language of the dashboard, and a function to change it. For a signed-in user, the
 * change applies to all browsers.
 */
export function useLanguage(): { locale: HostLocale; choose: (locale: HostLocale) => void } {
  const trpc = useTRPC();
  const locale = useLocale() as HostLocale;
  const { mutate } = useMutation(
    trpc.accounts.set_locale.mutationOptions({
      onSuccess: (_done, { locale: chosen }) => {
        setPreferenceCookie(LOCALE_COOKIE, chosen);
        // Reloads the page, because the server inserts the messages and the document's language.
        window.location.reload();
      },
    }),
  );
  return { locale, choose: (chosen) => mutate({ locale: chosen }) };
}
