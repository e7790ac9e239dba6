/** The two endpoints of a device login (RFC 8628): requesting codes, and polling for the key. */
import { config } from '@/config';
import { logger } from '@/infra/logger';
import { CLIENT_IP_ADDRESS_HEADER } from '@/modules/accounts/session-headers';
import { AppError } from '@/shared/errors';
import { isApiKeyScopeName } from '../scopes';
import { DEVICE_CODE_LIFETIME_MINUTES, DEVICE_LOGIN_POLL_INTERVAL_S, parseDeviceName } from './codes.rules';
import { beginDeviceLogin, pollDeviceLogin } from './device-login';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** The only accepted `client_id`. It is not a secret. */
const CLIENT = 'threshold-cli';

const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } });
const refusal = (error: string, error_description?: string, status = 400, headers = {}) =>
  answer(status, { error, error_description }, headers);

const callerOf = (request: Request) => request.headers.get(CLIENT_IP_ADDRESS_HEADER);

/** Reads the request's form. Returns an error response when the request is invalid. */
async function readForm(request: Request): Promise<URLSearchParams | Response> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? ''))
    return refusal('invalid_request', 'Send a form: application/x-www-form-urlencoded.');
  const form = new URLSearchParams(await request.text());
  if (form.get('client_id') !== CLIENT) return refusal('invalid_client', `client_id is ${CLIENT}.`);
  return form;
}

/** Turns errors into OAuth responses without exposing their cause. */
async function withOAuthErrors(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limit_exceeded')
      return refusal('slow_down', error.message, 429, { 'Retry-After': String(error.retryAfter) });
    logger().error({ err: error }, 'a device login failed');
    return refusal('server_error', undefined, 500);
  }
}

/** Handles POST /api/device/code: `client_id`, and optionally `scope`, `mode` and `device_name`. */
export const handleDeviceCodeRequest = (request: Request): Promise<Response> =>
  withOAuthErrors(async () => {
    const form = await readForm(request);
    if (form instanceof Response) return form;
    const mode = form.get('mode') || 'test';
    if (mode !== 'test' && mode !== 'live') return refusal('invalid_request', 'mode is test or live.');
    const scopes = [...new Set((form.get('scope') ?? '').split(' ').filter(Boolean))];
    const unknown = scopes.find((name) => !isApiKeyScopeName(name));
    if (unknown !== undefined)
      return refusal('invalid_scope', 'There is no such scope: /docs/authentication has them.');
    const device_name = parseDeviceName(form.get('device_name'));
    const { device_code, user_code } = await beginDeviceLogin({
      device_name,
      key_mode: mode,
      scopes,
      ip: callerOf(request),
    });
    const verification_uri = `${config().app_url}/device`;
    return answer(200, {
      device_code,
      user_code,
      verification_uri,
      verification_uri_complete: `${verification_uri}?code=${user_code}`,
      expires_in: DEVICE_CODE_LIFETIME_MINUTES * 60,
      interval: DEVICE_LOGIN_POLL_INTERVAL_S,
    });
  });

/** Handles POST /api/device/token: `client_id`, `grant_type`, `device_code`. */
export const handleDeviceTokenRequest = (request: Request): Promise<Response> =>
  withOAuthErrors(async () => {
    const form = await readForm(request);
    if (form instanceof Response) return form;
    if (form.get('grant_type') !== GRANT) return refusal('unsupported_grant_type', `grant_type is ${GRANT}.`);
    const device_code = form.get('device_code');
    if (!device_code) return refusal('invalid_request', 'device_code is missing.');
    const polled = await pollDeviceLogin(device_code, callerOf(request));
    if ('error' in polled) return refusal(polled.error, polled.because);
    const { key, mode, scopes, expires_in } = polled;
    const scope = scopes.join(' ') || undefined;
    return answer(200, { access_token: key, token_type: 'Bearer', mode, scope, expires_in });
  });
