/**
 * Receives forwarded mail from any mail server. The request contains the raw message and the shared
 * secret.
 */
import { receiveRawMail } from '@/modules/forwarded-mail/http';

export const dynamic = 'force-dynamic';

export const POST = (request: Request): Promise<Response> => receiveRawMail(request);
