/** Returns an API key to a terminal that polls for it. */
import { handleDeviceTokenRequest } from '@/modules/api-keys/device-login/http';

export const dynamic = 'force-dynamic';

export const POST = (request: Request): Promise<Response> => handleDeviceTokenRequest(request);
