/** `/portal/<token>`: the deliveries of one endpoint, for whoever has the link. */
import { createHash } from 'node:crypto';
import { hasMissedOften } from '@/guest/http/misses';
import { renderToHtml } from '@/guest/render';
import { logger } from '@/infra/logger';
import { openPortal } from '@/modules/webhooks/portal/portal';
import { newId } from '@/shared/ids';
import { GonePage, PortalPage } from './page';
import { STYLE } from './style';

/** No script at all, nothing from elsewhere, and in no frame. */
const POLICY = [
  "default-src 'none'",
  // The empty icon.
  'img-src data:',
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page; 404 for a link that is wrong, over or withdrawn, which are not told apart, and 429 for many of these. */
export async function portalPage(request: Request, token: string): Promise<Response> {
  const after = new URL(request.url).searchParams.get('after');
  try {
    // A delivery's id, or nothing that this page has ever linked to.
    const portal = after === null || /^[\w-]{1,64}$/.test(after) ? await openPortal(token, after) : null;
    if (!portal) {
      if (await hasMissedOften(request)) return answer(429, await renderToHtml(GonePage({ title: 'Too many tries' })));
      return answer(404, await renderToHtml(GonePage({ title: 'This link does not work' })));
    }
    return answer(200, await renderToHtml(PortalPage({ portal, later: after !== null, path: `/portal/${token}` })));
  } catch (error) {
    const reference = newId('request');
    logger().error({ request_id: reference, err: error }, 'the page of an endpoint failed');
    return answer(500, await renderToHtml(GonePage({ title: 'That failed', reference })));
  }
}

/** The address holds a token, so it goes to no other site and into no cache. */
const answer = (status: number, body: string) =>
  new Response(body, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex, nofollow',
    },
  });
