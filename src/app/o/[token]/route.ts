/**
 * Serves the open-tracking pixel of a mail: `/o/<token>.gif`. Always returns the picture, even for
 * unknown tokens.
 */
import { logger } from '@/infra/logger';
import { recordTrackingPixelRequest } from '@/modules/reservations/mail-reports';

export const dynamic = 'force-dynamic';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  const { headers } = request;
  const token = (await params).token.replace(/\.gif$/, '');
  await recordTrackingPixelRequest(token, {
    method: request.method,
    user_agent: headers.get('user-agent'),
    purpose: headers.get('purpose') ?? headers.get('sec-purpose') ?? headers.get('x-moz'),
  }).catch((error) => logger().error({ err: error }, 'an open pixel could not be recorded'));
  return new Response(PIXEL, {
    headers: {
      'Content-Type': 'image/gif',
      'Content-Length': String(PIXEL.length),
      'Cache-Control': 'no-store, private',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  });
}
