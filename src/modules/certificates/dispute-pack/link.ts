/** The pack's link: what the API redirects to and the dashboard opens. It works for 15 minutes, and is the permission. */
import { appSecret, config } from '@/config';
import { deriveToken, equalInConstantTime } from '@/infra/encryption';
import { clock } from '@/shared/clock';

const LINK_MS = 15 * 60_000;
export const PACK_PATH = '/api/dispute-pack.zip';

const signature = (id: string, photo: boolean, expires: number) =>
  deriveToken(appSecret(), 'dispute-pack', `${id}/${photo ? 'photo' : ''}`, expires);

/** Where the pack of a certificate can be downloaded; the guest's photo is the owners' alone. */
export function packUrl(id: string, photo: boolean): string {
  const expires = clock().now().getTime() + LINK_MS;
  const query = new URLSearchParams({
    certificate: id,
    ...(photo && { photo: '1' }),
    expires: String(expires),
    signature: signature(id, photo, expires),
  });
  return `${config().app_url}${PACK_PATH}?${query}`;
}

/** What a link opens; null when it is not one of ours or its time is over. */
export function readPackLink(query: URLSearchParams): { id: string; photo: boolean } | null {
  const [id, photo, expires] = [
    query.get('certificate') ?? '',
    query.get('photo') === '1',
    Number(query.get('expires')),
  ];
  if (!Number.isSafeInteger(expires) || expires <= clock().now().getTime()) return null;
  return equalInConstantTime(query.get('signature') ?? '', signature(id, photo, expires)) ? { id, photo } : null;
}
