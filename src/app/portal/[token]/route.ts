import { handleWebhookPortalPage } from '@/portal/http';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  return handleWebhookPortalPage(request, (await params).token);
}
