/**
 * The OAuth authorization server of `/mcp`: metadata (RFC 8414, RFC 9728), registration (RFC 7591),
 * authorization code with PKCE, tokens and revocation (RFC 7009). Only the requests listed here
 * reach better-auth's OAuth provider.
 */
import { z } from 'zod';
import { config } from '@/config';
import { logger } from '@/infra/logger';
import { countAttemptOrThrowOverLimit } from '@/modules/accounts/attempt-counters/attempts';
import { sendAccountMail } from '@/modules/accounts/mailer';
import { findCurrentMembership } from '@/modules/accounts/session';
import { CLIENT_IP_ADDRESS_HEADER, LIVE_OR_TEST_MODE_HEADER_NAME } from '@/modules/accounts/session-headers';
import { API_KEY_SCOPE_NAMES } from '@/modules/api-keys/scopes';
import { buildNewAuditEntryRow, writeCollectedAuditEntries } from '@/modules/audit-log/service';
import { AppError } from '@/shared/errors';
import { getIpAddressRateLimitKey } from '@/shared/ip';
import { isRoleAllowed, ROLES_ALLOWED_TO_CONNECT_ASSISTANTS } from '@/shared/roles';
import { assertStorableText } from '@/shared/text/storable-text';
import { checkOauthGrantAndRevokeIfReused } from './grants';
import {
  getOAuthProvider,
  getTokenAudienceUrl,
  OFFLINE_ACCESS_SCOPE,
  runWithOAuthConsentReferenceId,
} from './provider';
import { isAllowedRedirectUri } from './redirect-uri.rules';
import { recordWhetherConsentUsedSecondFactor, retrieveOauthClient } from './service';

const HOUR_MS = 3_600_000;
/**
 * The limit for one IP address. It is high because a hosted assistant registers for all of its
 * users from few addresses.
 */
const REGISTRATIONS_PER_HOUR = 100;

type Handler = (request: Request) => Promise<Response>;

const HANDLERS: Readonly<Record<string, Handler>> = {
  'GET /.well-known/oauth-protected-resource': resourceMetadata,
  'GET /.well-known/oauth-protected-resource/mcp': resourceMetadata,
  'GET /.well-known/oauth-authorization-server': serverMetadata,
  'GET /oauth2/authorize': authorize,
  'POST /oauth2/register': register,
  'POST /oauth2/token': token,
  'POST /oauth2/revoke': revoke,
  'POST /oauth2/consent': consent,
};

const PATHS: ReadonlySet<string> = new Set(Object.keys(HANDLERS).map((handler) => handler.slice(handler.indexOf('/'))));

/** Returns whether the path belongs to the authorization server. */
export const isOAuthPath = (url: string): boolean => PATHS.has(url.split('?', 1)[0] ?? '');

const oauthError = (error: string, error_description?: string, status = 400, headers: Record<string, string> = {}) =>
  Response.json({ error, error_description }, { status, headers });

/** Handles one request. Never throws. */
export async function handleOAuthRequest(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const handler = HANDLERS[`${request.method} ${pathname}`];
  if (!handler) return oauthError('invalid_request', 'The method is not allowed here.', 405);
  try {
    assertStorableText([...searchParams.values()]);
    const response = await handler(request);
    response.headers.set('Cache-Control', 'no-store');
    return response;
  } catch (error) {
    if (error instanceof AppError && error.definition.status < 500) {
      const headers = error.retryAfter ? { 'Retry-After': String(error.retryAfter) } : undefined;
      return oauthError('invalid_request', error.message, error.definition.status, headers);
    }
    logger().error({ err: error }, 'a request of the authorization server failed');
    return oauthError('server_error', undefined, 500);
  }
}

async function resourceMetadata(): Promise<Response> {
  const { app_url } = config();
  return Response.json({
    resource: getTokenAudienceUrl(),
    authorization_servers: [app_url],
    scopes_supported: [...API_KEY_SCOPE_NAMES, OFFLINE_ACCESS_SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Threshold',
    resource_documentation: `${app_url}/docs/assistants`,
  });
}

async function serverMetadata(): Promise<Response> {
  const { app_url } = config();
  return Response.json({
    issuer: app_url,
    authorization_endpoint: `${app_url}/oauth2/authorize`,
    token_endpoint: `${app_url}/oauth2/token`,
    registration_endpoint: `${app_url}/oauth2/register`,
    revocation_endpoint: `${app_url}/oauth2/revoke`,
    scopes_supported: [...API_KEY_SCOPE_NAMES, OFFLINE_ACCESS_SCOPE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${app_url}/docs/assistants`,
  });
}

const namesOtherResource = (form: URLSearchParams) =>
  form.getAll('resource').some((name) => name !== getTokenAudienceUrl());
const otherResource = () => oauthError('invalid_target', `Tokens are for ${getTokenAudienceUrl()} only.`);

/**
 * Redirects to the consent page or to an error. Codes are returned only by the POST of the consent
 * page.
 */
async function authorize(request: Request): Promise<Response> {
  const url = new URL(request.url);
  if (namesOtherResource(url.searchParams)) return otherResource();
  // `prompt` must not skip the consent page, and `request_uri` would load parameters from another
  // server.
  for (const name of ['prompt', 'resource', 'request_uri']) url.searchParams.delete(name);
  return getOAuthProvider().handler(new Request(url, { headers: request.headers }));
}

/** Builds a request without cookies, because the caller is a program and not a browser. */
function programRequest(request: Request, type: string, body: string): Request {
  const ip = request.headers.get(CLIENT_IP_ADDRESS_HEADER);
  const headers = { 'content-type': type, ...(ip && { [CLIENT_IP_ADDRESS_HEADER]: ip }) };
  return new Request(request.url, { method: 'POST', headers, body });
}

async function readForm(request: Request): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? ''))
    throw new AppError('unsupported_media_type', { message: 'Send a form: application/x-www-form-urlencoded.' });
  const form = new URLSearchParams(await request.text());
  assertStorableText([...form.values()]);
  return form;
}

const FORM = 'application/x-www-form-urlencoded';

async function token(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (namesOtherResource(form)) return otherResource();
  form.delete('resource');
  const grant = await checkOauthGrantAndRevokeIfReused(form);
  if (!grant.allowed) return oauthError('invalid_grant', 'The connection has ended. Ask the member again.');
  const answer = await getOAuthProvider().handler(programRequest(request, FORM, form.toString()));
  if (answer.ok) await grant.exchanged();
  return answer;
}

async function revoke(request: Request): Promise<Response> {
  const form = await readForm(request);
  return getOAuthProvider().handler(programRequest(request, FORM, form.toString()));
}

async function readJson(request: Request): Promise<unknown> {
  const body = await request.json().catch(() => {
    throw new AppError('invalid_json');
  });
  assertStorableText(body);
  return body;
}

const Registration = z.object({
  client_name: z
    .string()
    .max(200)
    // Removes control characters and marks that hide or reorder text.
    .transform((name) => name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, '').trim())
    .pipe(z.string().max(80))
    .optional(),
  redirect_uris: z
    .array(
      z.string().max(500).refine(isAllowedRedirectUri, 'must be https, a loopback address, or a program’s own scheme'),
    )
    .min(1)
    .max(10),
});

/**
 * Registers an OAuth client. Stores only its name and redirect URIs. The client may request any
 * scope later.
 */
async function register(request: Request): Promise<Response> {
  const ip = request.headers.get(CLIENT_IP_ADDRESS_HEADER);
  await countAttemptOrThrowOverLimit(`oauth_register:${getIpAddressRateLimitKey(ip)}`, REGISTRATIONS_PER_HOUR, HOUR_MS);
  const given = Registration.safeParse(await readJson(request));
  if (!given.success) return oauthError('invalid_client_metadata', z.prettifyError(given.error));
  const metadata = {
    ...given.data,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  const answer = await getOAuthProvider().handler(
    programRequest(request, 'application/json', JSON.stringify(metadata)),
  );
  return answer.ok ? Response.json(await answer.json(), { status: 201 }) : answer;
}

const Consent = z.strictObject({
  oauth_query: z.string().max(8_000),
  /** The granted scopes. Null means that the member refused. */
  scopes: z
    .array(z.enum(API_KEY_SCOPE_NAMES as [string, ...string[]]))
    .min(1)
    .nullable(),
});

/**
 * Handles the member's decision on the consent page. The page's team and mode are in headers that
 * other sites cannot send.
 */
async function consent(request: Request): Promise<Response> {
  const current = request.headers.has(LIVE_OR_TEST_MODE_HEADER_NAME)
    ? await findCurrentMembership(request.headers)
    : null;
  if (!current) return oauthError('access_denied', 'Sign in first.', 401);
  const { member_id, scope, user, factor_proven } = current;
  if (!isRoleAllowed(user.role, scope.mode, ROLES_ALLOWED_TO_CONNECT_ASSISTANTS))
    return oauthError('access_denied', 'Your role does not allow this.', 403);
  const given = Consent.safeParse(await readJson(request));
  if (!given.success) return oauthError('invalid_request', z.prettifyError(given.error));
  const { oauth_query, scopes } = given.data;
  if (scope.mode === 'live' && !config().mcp_live_keys)
    return oauthError('access_denied', 'Assistants work with test data here.', 403);
  const asked = new URLSearchParams(oauth_query);
  const offline = asked.get('scope')?.split(' ').includes(OFFLINE_ACCESS_SCOPE) ? [OFFLINE_ACCESS_SCOPE] : [];
  const body = { accept: scopes !== null, oauth_query, ...(scopes && { scope: [...scopes, ...offline].join(' ') }) };
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  const referenceId = `${member_id}:${scope.mode}`;
  const answer = await runWithOAuthConsentReferenceId(referenceId, () =>
    getOAuthProvider().handler(new Request(request.url, { method: 'POST', headers, body: JSON.stringify(body) })),
  );
  if (!answer.ok || scopes === null) return answer;
  const clientId = asked.get('client_id') ?? '';
  await recordWhetherConsentUsedSecondFactor({ clientId, userId: user.id, referenceId }, factor_proven);
  const { name } = await retrieveOauthClient(clientId);
  const entry = { action: 'assistant.connected', data: { name: name ?? '', scopes } } as const;
  await writeCollectedAuditEntries([buildNewAuditEntryRow(scope, entry)]);
  await sendAccountMail({
    template: 'security_change',
    to: user.email,
    change: 'assistant_connected',
    subject: name ?? '',
  });
  return answer;
}
