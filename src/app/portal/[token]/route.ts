import { handleSharedDeliveriesPage } from '@/portal/http';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  return handleSharedDeliveriesPage(request, (await params).token);
}
