/** A terminal requests a device code. */
import { handleDeviceCode } from '@/modules/api-keys/device-login/http';

export const dynamic = 'force-dynamic';

export const POST = (request: Request): Promise<Response> => handleDeviceCode(request);
