/** The mail provider's reports (delivered, bounced, complained, opened), signed by it. */
import { receiveProviderEvent } from '@/modules/mail/provider-events';

export const dynamic = 'force-dynamic';

const MAX_BYTES = 256 * 1024;

export async function POST(request: Request): Promise<Response> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) return new Response(null, { status: 413 });
  const body = await request.text();
  const status = body.length > MAX_BYTES ? 413 : await receiveProviderEvent({ headers: request.headers, body });
  return new Response(null, { status, headers: { 'Cache-Control': 'no-store' } });
}
