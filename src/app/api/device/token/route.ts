/** Returns an API key to a terminal that polls for it. */
import { handleDeviceToken } from '@/modules/api-keys/device-login/http';

export const dynamic = 'force-dynamic';

export const POST = (request: Request): Promise<Response> => handleDeviceToken(request);
