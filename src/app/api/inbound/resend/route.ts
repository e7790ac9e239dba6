/**
 * Receives forwarded mail from the mail provider, which sends a signed notification of each new
 * message.
 */
import { receiveProviderNotice } from '@/modules/forwarded-mail/http';

export const dynamic = 'force-dynamic';

export const POST = (request: Request): Promise<Response> => receiveProviderNotice(request);
