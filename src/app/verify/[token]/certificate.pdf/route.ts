import { orFailurePage } from '@/guest/http/respond';
import { certificatePdf } from '@/guest/http/verify';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  return orFailurePage(request, async () => certificatePdf(request, (await params).token));
}
