/** Forwarded mail by the mail provider: its signed notice that a message has come. */
import { receiveProviderNotice } from '@/modules/forwarded-mail/http';

export const dynamic = 'force-dynamic';

export const POST = (request: Request): Promise<Response> => receiveProviderNotice(request);
