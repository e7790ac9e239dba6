/** Issues a device code to a terminal that starts a sign-in. */
import { handleDeviceCodeRequest } from '@/modules/api-keys/device-login/http';

export const dynamic = 'force-dynamic';

export const POST = (request: Request): Promise<Response> => handleDeviceCodeRequest(request);
