/**
 * What better-auth is not left to judge: the form of a request, names and passwords before they come to it, and what of its
 * answers a browser's scripts may see.
 */

import { AppError, isAppError } from '@/shared/errors';
import { refusal } from '@/shared/refusals/refusal';
import { assertStorableText } from '@/shared/text/storable-text';
import { PersonName } from '../schemas';
import { COMPANY_PROVIDER } from './company-account';
import { COMMON_PASSWORD, isCommonPassword } from './password-strength';

export type AuthBody = Readonly<Record<string, unknown>>;

/** An answer in better-auth's own shape. */
export const authRefusal = (status: number, code: string, message: string, headers?: Record<string, string>) =>
  Response.json({ code, message }, { status, headers });

/** What was thrown on the way to better-auth, as an answer; anything unexpected is thrown on. */
export function refusalOf(thrown: unknown): Response {
  if (!isAppError(thrown)) throw thrown;
  const { code, message, definition, retryAfter } = thrown as AppError;
  const headers = retryAfter ? { 'Retry-After': String(retryAfter) } : undefined;
  return authRefusal(definition.status, code.toUpperCase(), message, headers);
}

/**
 * The body of a POST. Only JSON, although better-auth would also read forms: what is counted, checked and carried out must
 * be the same text. Throws unsupported_media_type, invalid_json and invalid_field.
 */
export async function readAuthBody(request: Request): Promise<AuthBody> {
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
  return body as AuthBody;
}

/** The request again with the body as it was read. */
export function withBody(request: Request, body: AuthBody): Request {
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  headers.delete('content-length');
  return new Request(request.url, { method: request.method, headers, body: JSON.stringify(body) });
}

/**
 * What better-auth may see of each body. It would take more: a picture of any address for a user, and where to send a
 * browser. Nothing here asks for that.
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
};

/** The paths of better-auth that a browser may post to. */
export const POST_PATHS: ReadonlySet<string> = new Set(Object.keys(FIELDS));

const SHORTEST_PASSWORD = 8;
/** Under which name a path takes a new password. */
const NEW_PASSWORD: Record<string, string> = {
  '/sign-up/email': 'password',
  '/reset-password': 'newPassword',
  '/change-password': 'newPassword',
};

/** Where somebody goes after signing in by the provider; of all else that the plugin would take from a browser, nothing. */
const roundTrip = ({ callbackURL }: AuthBody): AuthBody => ({
  providerId: COMPANY_PROVIDER,
  callbackURL: typeof callbackURL === 'string' ? callbackURL : '/',
  errorCallbackURL: '/sign-in',
});

/** Returns the fields that the path takes. Throws invalid_field for an empty or overlong name and a common password. */
export async function checkAuthBody(path: string, body: AuthBody): Promise<AuthBody> {
  if (path === '/sign-in/oauth2') return roundTrip(body);
  const fields = FIELDS[path] ?? [];
  const checked: Record<string, unknown> = Object.fromEntries(
    Object.entries(body).filter(([field]) => fields.includes(field)),
  );
  if (path === '/sign-up/email' || (path === '/update-user' && body.name !== undefined)) {
    const name = PersonName.safeParse(body.name);
    if (!name.success) {
      throw new AppError('invalid_field', { param: 'name', message: refusal('name_has_1_to_200') });
    }
    checked.name = name.data;
  }
  const password = body[NEW_PASSWORD[path] ?? ''];
  // A shorter one is refused by better-auth, in its own words.
  if (typeof password === 'string' && password.length >= SHORTEST_PASSWORD) {
    const own = [body.email, body.name].filter((text) => typeof text === 'string');
    if (await isCommonPassword(password, own)) {
      throw new AppError('invalid_field', { param: 'password', message: COMMON_PASSWORD });
    }
  }
  // Whoever changes a password means that nobody else is to stay signed in.
  if (path === '/change-password') checked.revokeOtherSessions = true;
  return checked;
}

/** An object without the fields named `token`, at any depth. */
function withoutTokens(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTokens);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (key === 'token' ? [] : [[key, withoutTokens(item)]])),
  );
}

/**
 * better-auth's answer as a browser gets it. The session's token is in a cookie that scripts cannot read, so it is in no
 * body; and signing up says the same of every address.
 */
export async function asShown(path: string, response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.set('Cache-Control', 'no-store');
  const wait = headers.get('x-retry-after');
  if (response.status === 429 && wait) headers.set('Retry-After', wait);
  const text = await response.text();
  const { status } = response;
  if (path === '/sign-up/email' && response.ok) return Response.json({ status: true }, { status });
  if (!text || !headers.get('content-type')?.includes('json')) return new Response(text || null, { status, headers });
  headers.delete('content-length');
  return new Response(JSON.stringify(withoutTokens(JSON.parse(text))), { status, headers });
}
