import { orFailurePage } from '@/guest/http/respond';
import { inclusionProof } from '@/guest/http/verify';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  return orFailurePage(request, async () => inclusionProof(request, (await params).token));
}
