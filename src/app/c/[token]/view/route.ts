import { copyView } from '@/guest/http/copy';

export const dynamic = 'force-dynamic';

export async function POST(request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  return copyView(request, (await params).token);
}
