import { cookies, headers } from 'next/headers';
import { cache } from 'react';
import { isOwnRequest } from '@/infra/own-request';
import { sessionContext } from '@/modules/accounts/session';
import { LOCALE_COOKIE, ZONE_COOKIE } from '@/modules/accounts/session-headers';
import { chooseHostLocale, type HostLocale } from '@/shared/language/host-language';

/**
 * Who asks for a page; the layout and the page ask once. Null for the server itself, which loads
 * pages before anybody does.
 */
export const pageSession = cache(async () => {
  const request = await headers();
  return isOwnRequest(request) ? null : sessionContext(request);
});

/**
 * The zone that the reader's browser left here. Null where it left none, or one that nobody knows.
 */
export const readerZone = cache(async (): Promise<string | null> => {
  const zone = (await cookies()).get(ZONE_COOKIE)?.value;
  try {
    return zone
      ? new Intl.DateTimeFormat('en', { timeZone: decodeURIComponent(zone) }).resolvedOptions().timeZone
      : null;
  } catch {
    return null;
  }
});

/** The language that this request is answered in. */
export const pageLocale = cache(async (): Promise<HostLocale> => {
  const session = await pageSession();
  return chooseHostLocale({
    account: session?.me?.user.locale,
    cookie: (await cookies()).get(LOCALE_COOKIE)?.value,
    accept_language: (await headers()).get('accept-language'),
  });
});
