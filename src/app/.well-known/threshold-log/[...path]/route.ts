import { handlePublicLogFileRequest } from '@/guest/http/public-log';

export const dynamic = 'force-dynamic';

export async function GET(_request: Request, { params }: { params: Promise<{ path: string[] }> }): Promise<Response> {
  return handlePublicLogFileRequest((await params).path);
}
