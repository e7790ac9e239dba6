/** Serves a property's uploaded logo. */
import { serveLogo } from '@/modules/properties/logo/http';

export const dynamic = 'force-dynamic';

export async function GET(_request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  return serveLogo((await params).file);
}
