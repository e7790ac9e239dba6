import { signPage, signSubmit } from '@/guest/http/sign';

type Context = { params: Promise<{ token: string }> };

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return signPage(request, (await params).token);
}

export async function POST(request: Request, { params }: Context): Promise<Response> {
  return signSubmit(request, (await params).token);
}
