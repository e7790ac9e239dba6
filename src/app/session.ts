import { cookies, headers } from 'next/headers';
import { cache } from 'react';
import { isRequestFromThisProcess } from '@/infra/own-request';
import { readSessionContext } from '@/modules/accounts/session';
import { LOCALE_COOKIE, TIME_ZONE_COOKIE } from '@/modules/accounts/session-headers';
import { chooseHostLocale, type HostLocale } from '@/shared/language/host-language';

/**
 * Returns the session of a page request. The layout and the page share the result. Returns null for
 * the server's own requests at startup.
 */
export const getSessionOfPageRequest = cache(async () => {
  const request = await headers();
  return isRequestFromThisProcess(request) ? null : readSessionContext(request);
});

/**
 * Returns the time zone from the browser's cookie. Returns null without the cookie, or for an
 * unknown zone.
 */
export const getTimeZoneFromCookie = cache(async (): Promise<string | null> => {
  const zone = (await cookies()).get(TIME_ZONE_COOKIE)?.value;
  try {
    return zone
      ? new Intl.DateTimeFormat('en', { timeZone: decodeURIComponent(zone) }).resolvedOptions().timeZone
      : null;
  } catch {
    return null;
  }
});

/** Returns the language of the response. */
export const getPageLocale = cache(async (): Promise<HostLocale> => {
  const session = await getSessionOfPageRequest();
  return chooseHostLocale({
    account: session?.me?.user.locale,
    cookie: (await cookies()).get(LOCALE_COOKIE)?.value,
    accept_language: (await headers()).get('accept-language'),
  });
});
