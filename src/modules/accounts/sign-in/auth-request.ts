/**
 * Checks around better-auth: validates requests, names and passwords before they reach better-auth,
 * and removes secrets from its responses.
 */

import { z } from 'zod';
import { AppError, isAppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import { assertStorableText } from '@/shared/text/storable-text';
import { PersonName } from '../schemas';
import { COMPANY_SIGN_IN_PROVIDER_ID } from './company-account';
import { COMMON_PASSWORD_REFUSAL, isCommonPassword } from './password-strength';

export type AuthRequestBody = Readonly<Record<string, unknown>>;

/** Builds an error response in better-auth's shape. */
export const createBetterAuthErrorResponse = (
  status: number,
  code: string,
  message: string,
  headers?: Record<string, string>,
) => Response.json({ code, message }, { status, headers });

/**
 * Converts an application error to a response in better-auth's shape. Rethrows unexpected errors.
 */
export function convertAppErrorToAuthResponse(thrown: unknown): Response {
  if (!isAppError(thrown)) throw thrown;
  const { code, message, definition, retryAfter } = thrown as AppError;
  const headers = retryAfter ? { 'Retry-After': String(retryAfter) } : undefined;
  return createBetterAuthErrorResponse(definition.status, code.toUpperCase(), message, headers);
}

/**
 * Reads the body of a POST. Accepts only JSON, although better-auth also reads forms: our checks
 * must read the same body as better-auth. Throws unsupported_media_type, invalid_json and
 * invalid_field.
 */
export async function readAuthRequestBody(request: Request): Promise<AuthRequestBody> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  const text = await request.text();
  if (text === '') return {};
  if (type !== 'application/json') throw new AppError('unsupported_media_type');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new AppError('invalid_json');
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw new AppError('invalid_json');
  assertStorableText(body);
  return body as AuthRequestBody;
}

/** Builds a copy of the request with the given body. */
export function copyRequestWithBody(request: Request, body: AuthRequestBody): Request {
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  headers.delete('content-length');
  return new Request(request.url, { method: request.method, headers, body: JSON.stringify(body) });
}

/**
 * The fields of each path's body that are passed to better-auth. better-auth accepts more fields,
 * such as the URL of a user's picture, and a URL to redirect to. The dashboard uses none of these.
 */
const FIELDS: Record<string, readonly string[]> = {
  '/sign-in/email': ['email', 'password'],
  '/sign-in/oauth2': ['callbackURL'],
  '/sign-up/email': ['name', 'email', 'password', 'invitation'],
  '/sign-out': [],
  '/get-session': [],
  '/request-password-reset': ['email'],
  '/reset-password': ['token', 'newPassword'],
  '/send-verification-email': ['email'],
  '/change-password': ['currentPassword', 'newPassword'],
  '/verify-password': ['password'],
  '/update-user': ['name'],
  '/two-factor/enable': ['password'],
  '/two-factor/disable': ['password'],
  '/two-factor/get-totp-uri': ['password'],
  '/two-factor/verify-totp': ['code'],
  '/two-factor/verify-backup-code': ['code'],
  '/two-factor/generate-backup-codes': ['password'],
  '/passkey/generate-register-options': ['password'],
  '/passkey/verify-registration': ['response', 'name'],
  '/passkey/generate-authenticate-options': [],
  '/passkey/verify-authentication': ['response'],
  '/passkey/update-passkey': ['id', 'name'],
  '/passkey/delete-passkey': ['id', 'password'],
};

/** The paths of better-auth that a browser may post to. */
export const AUTH_POST_PATHS: ReadonlySet<string> = new Set(Object.keys(FIELDS));

/** Paths whose body contains the name of a user or a passkey. */
const NAMES = new Set(['/sign-up/email', '/passkey/verify-registration', '/passkey/update-passkey']);

/**
 * A browser's response to a WebAuthn challenge. Describes only the fields that the plugin reads
 * before it verifies the response.
 */
const Credential = z.looseObject({
  id: z.string().min(1).max(2_000),
  rawId: z.string(),
  response: z.looseObject({
    clientDataJSON: z.string(),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});

const MIN_PASSWORD_LENGTH = 8;
/** The field of a path's body that contains a new password. */
const NEW_PASSWORD: Record<string, string> = {
  '/sign-up/email': 'password',
  '/reset-password': 'newPassword',
  '/change-password': 'newPassword',
};

/** Passes on only `callbackURL`. The plugin would accept more parameters. */
const oauthParameters = ({ callbackURL }: AuthRequestBody): AuthRequestBody => ({
  providerId: COMPANY_SIGN_IN_PROVIDER_ID,
  callbackURL: typeof callbackURL === 'string' ? callbackURL : '/',
  errorCallbackURL: '/sign-in',
});

/**
 * Returns the body reduced to the path's fields. Throws invalid_field for a bad name or password.
 */
export async function validateAuthBody(path: string, body: AuthRequestBody): Promise<AuthRequestBody> {
  if (path === '/sign-in/oauth2') return oauthParameters(body);
  const fields = FIELDS[path] ?? [];
  const checked: Record<string, unknown> = Object.fromEntries(
    Object.entries(body).filter(([field]) => fields.includes(field)),
  );
  const is_credential = path === '/passkey/verify-registration' || path === '/passkey/verify-authentication';
  if (is_credential && !Credential.safeParse(body.response).success)
    throw new AppError('invalid_field', { param: 'response' });
  if (NAMES.has(path) || (path === '/update-user' && body.name !== undefined)) {
    const name = PersonName.safeParse(body.name);
    if (!name.success) {
      throw new AppError('invalid_field', { param: 'name', message: createRefusal('name_has_1_to_200') });
    }
    checked.name = name.data;
  }
  const password = body[NEW_PASSWORD[path] ?? ''];
  // better-auth refuses shorter passwords with its own message.
  if (typeof password === 'string' && password.length >= MIN_PASSWORD_LENGTH) {
    const personal = [body.email, body.name].filter((text) => typeof text === 'string');
    if (await isCommonPassword(password, personal)) {
      throw new AppError('invalid_field', { param: 'password', message: COMMON_PASSWORD_REFUSAL });
    }
  }
  // Changing the password signs the user out of all other sessions.
  if (path === '/change-password') checked.revokeOtherSessions = true;
  return checked;
}

/** Removes fields named `token`, at any depth. */
function withoutTokens(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTokens);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (key === 'token' ? [] : [[key, withoutTokens(item)]])),
  );
}

/**
 * Converts the plugin's response about passkeys to the response for the browser. Requires
 * authenticators to verify their user, which the plugin only prefers (passkeys.ts). Removes the
 * stored passkeys, which only the security page lists.
 */
function toPasskeyResponse(path: string, text: string): string {
  if (path === '/passkey/generate-authenticate-options')
    return JSON.stringify({ ...JSON.parse(text), userVerification: 'required' });
  if (path === '/passkey/generate-register-options') return text;
  const { user } = JSON.parse(text) as { user?: { id: string; name: string } };
  return JSON.stringify({ status: true, ...(user && { user: { id: user.id, name: user.name } }) });
}

/**
 * Converts better-auth's response to the response for the browser. The session's token is removed
 * from the body, because scripts must not read it: the HTTP-only cookie contains it. Signing up
 * returns the same response for every address.
 */
export async function toBrowserAuthResponse(path: string, response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.set('Cache-Control', 'no-store');
  const wait = headers.get('x-retry-after');
  if (response.status === 429 && wait) headers.set('Retry-After', wait);
  const text = await response.text();
  const { status } = response;
  // The plugin returns 500 for a credential that it cannot parse.
  if (status === 500 && text.includes('"FAILED_TO_VERIFY_REGISTRATION"'))
    return new Response(text, { status: 400, headers });
  if (path.startsWith('/passkey/') && response.ok)
    return new Response(toPasskeyResponse(path, text), { status, headers });
  if (path === '/sign-up/email' && response.ok) return Response.json({ status: true }, { status });
  if (!text || !headers.get('content-type')?.includes('json')) return new Response(text || null, { status, headers });
  headers.delete('content-length');
  return new Response(JSON.stringify(withoutTokens(JSON.parse(text))), { status, headers });
}
