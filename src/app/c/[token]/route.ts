import { copyPage } from '@/guest/http/copy';
import { orFailurePage } from '@/guest/http/respond';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  return orFailurePage(request, async () => copyPage(request, (await params).token));
}
