import { copyPage } from '@/guest/http/copy';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  return copyPage(request, (await params).token);
}
