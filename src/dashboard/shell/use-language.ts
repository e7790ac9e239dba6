'use client';
import { useMutation } from '@tanstack/react-query';
import { useLocale } from 'use-intl/react';
import { LOCALE_COOKIE } from '@/modules/accounts/session-headers';
import type { HostLocale } from '@/shared/language/host-language';
import { setPreferenceCookie } from '../keep-cookie';
import { useTRPC } from '../trpc';

/**
 * The language of the dashboard, and a function to change it: for all of the user's browsers when
 * signed in, otherwise for this one.
 */
export function useLanguage(): { locale: HostLocale; choose: (locale: HostLocale) => void } {
  const trpc = useTRPC();
  const locale = useLocale() as HostLocale;
  const { mutate } = useMutation(
    trpc.accounts.set_locale.mutationOptions({
      onSuccess: (_done, { locale: chosen }) => {
        setPreferenceCookie(LOCALE_COOKIE, chosen);
        // The document's language and all messages come with the page, so it is reloaded.
        window.location.reload();
      },
    }),
  );
  return { locale, choose: (chosen) => mutate({ locale: chosen }) };
}
