/** Receives the mail provider's signed reports: delivered, bounced, complained, opened. */
import { processMailProviderReport } from '@/modules/reservations/mail-reports';

export const dynamic = 'force-dynamic';

export async function POST(request: Request): Promise<Response> {
  const status = await processMailProviderReport({ headers: request.headers, body: await request.text() });
  return new Response(null, { status, headers: { 'Cache-Control': 'no-store' } });
}
