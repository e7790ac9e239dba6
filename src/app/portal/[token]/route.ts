import { handlePortalPage } from '@/portal/http';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  return handlePortalPage(request, (await params).token);
}
