/**
 * Receives forwarded mail from the mail provider, which sends a signed notification of each new
 * message.
 */
import { receiveMailProviderNotification } from '@/modules/forwarded-mail/http';

export const dynamic = 'force-dynamic';

export const POST = (request: Request): Promise<Response> => receiveMailProviderNotification(request);
