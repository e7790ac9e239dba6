import { signView } from '@/guest/http/sign';

export const dynamic = 'force-dynamic';

export async function POST(request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  return signView(request, (await params).token);
}
