import { verifyPage } from '@/guest/http/verify';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  return verifyPage(request, (await params).token);
}
