/** The pack's link: what the API redirects to and the dashboard opens. It works for 15 minutes, and is the permission. */
import { config } from '@/config';
import { isShortLink, shortLinkQuery } from '@/modules/links/short-links';

export const PACK_PATH = '/api/dispute-pack.zip';

const subject = (id: string, photo: boolean) => `${id}/${photo ? 'photo' : ''}`;

/** Where the pack of a certificate can be downloaded; the guest's photo is the owners' alone. */
export function packUrl(id: string, photo: boolean): string {
  const query = new URLSearchParams({
    certificate: id,
    ...(photo && { photo: '1' }),
    ...shortLinkQuery('dispute-pack', subject(id, photo)),
  });
  return `${config().app_url}${PACK_PATH}?${query}`;
}

/** What a link opens; null when it is not one of ours or its time is over. */
export function readPackLink(query: URLSearchParams): { id: string; photo: boolean } | null {
  const [id, photo] = [query.get('certificate') ?? '', query.get('photo') === '1'];
  return isShortLink('dispute-pack', subject(id, photo), query) ? { id, photo } : null;
}
