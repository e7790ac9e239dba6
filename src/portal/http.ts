/**
 * Serves `/portal/<token>`: the webhook deliveries of one endpoint, for anyone who has the link.
 */
import { createHash } from 'node:crypto';
import { hasExceededUnknownLinkLimit } from '@/guest/http/unknown-link-limit';
import { renderElementToHtml } from '@/guest/render';
import { logger } from '@/infra/logger';
import { loadSharedDeliveriesPage } from '@/modules/webhooks/portal/portal';
import { newId } from '@/shared/ids';
import { SharedDeliveriesPage, UnavailableSharedDeliveriesPage } from './page';
import { WEBHOOK_PORTAL_CSS } from './style';

/** Forbids scripts, external resources and frames. */
const POLICY = [
  "default-src 'none'",
  // Allows the page's empty icon, which is a data URL.
  'img-src data:',
  `style-src 'sha256-${createHash('sha256').update(WEBHOOK_PORTAL_CSS).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Returns the page of a link. Invalid, expired and withdrawn links get the same 404. A caller who
 * requests many invalid links gets a 429.
 */
export async function handleSharedDeliveriesPage(request: Request, token: string): Promise<Response> {
  const after = new URL(request.url).searchParams.get('after');
  try {
    // Accepts only text that could be the id of a delivery. The page's own links contain only such
    // ids.
    const portal = after === null || /^[\w-]{1,64}$/.test(after) ? await loadSharedDeliveriesPage(token, after) : null;
    if (!portal) {
      if (await hasExceededUnknownLinkLimit(request))
        return answer(429, await renderElementToHtml(UnavailableSharedDeliveriesPage({ title: 'Too many attempts' })));
      return answer(
        404,
        await renderElementToHtml(UnavailableSharedDeliveriesPage({ title: 'This link does not work' })),
      );
    }
    return answer(
      200,
      await renderElementToHtml(SharedDeliveriesPage({ portal, later: after !== null, path: `/portal/${token}` })),
    );
  } catch (error) {
    const reference = newId('request');
    logger().error({ request_id: reference, err: error }, 'the page of an endpoint failed');
    return answer(
      500,
      await renderElementToHtml(UnavailableSharedDeliveriesPage({ title: 'Something went wrong', reference })),
    );
  }
}

/**
 * Builds a response. The URL contains a token, so no other site and no cache may receive the URL.
 */
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
