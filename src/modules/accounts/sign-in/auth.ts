/**
 * Configures better-auth with this product's tables: our Team is its organization. better-auth
 * manages passwords, sessions, e-mail verification and two-factor. Our procedures decide what
 * members may do in a team (dashboard.router.ts).
 */
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { symmetricDecrypt } from 'better-auth/crypto';
import { genericOAuth, organization, twoFactor } from 'better-auth/plugins';
import { defaultRoles } from 'better-auth/plugins/organization/access';
import { config, getAppSecret } from '@/config';
import { logger } from '@/infra/logger';
import { isMailProviderConfigured } from '@/modules/mail/service';
import { clock } from '@/shared/clock';
import { AppError, isAppError } from '@/shared/errors';
import type { IdKind } from '@/shared/id-kinds';
import { newId } from '@/shared/ids';
import {
  deleteOtherPasswordResetLinks,
  disconnectAssistants,
  insertSignUpBrowserCookieHash,
  revokeAccessAfterPasswordReset,
  revokeOtherSessionsAndResetLinks,
  revokePasswordResetLinks,
} from '../confirmation/confirmation.repository';
import { createSignUpBrowserCookie } from '../confirmation/sign-up-browser';
import { PASSWORD_RESET_LINK_LIFETIME_MINUTES, sendAccountMail, VERIFICATION_LINK_LIFETIME_MINUTES } from '../mailer';
import { isInvitationMailedToAddress } from '../members.service';
import {
  acquireSecondFactorChangeLock,
  findTotpSecret,
  findUser,
  findUserByEmail,
  getBetterAuthDatabaseClient,
  hasCompanyIdentityProviderAccount,
  releaseSecondFactorChangeLock,
} from '../repository';
import { CLIENT_IP_ADDRESS_HEADER } from '../session-headers';
import { recordAndMailSecurityChange, recordUserAuditEntry, runAuthRequestWithAudit } from './auth-audit';
import { findAccountWhoseSignInCodeIsChecked, handleAuthRequestWithBruteForceDelay } from './auth-guard';
import {
  AUTH_POST_PATHS,
  type AuthRequestBody,
  convertAppErrorToAuthResponse,
  copyRequestWithBody,
  createBetterAuthErrorResponse,
  readAuthRequestBody,
  toBrowserAuthResponse,
  validateAuthBody,
} from './auth-request';
import {
  assertSignInProviderReachable,
  COMPANY_SIGN_IN_CALLBACK_PATH,
  COMPANY_SIGN_IN_PROVIDER_ID,
  getCompanySignInProvider,
} from './company-account';
import { wrapAdapterToHashSessionTokens } from './hashed-sessions';
import { createPasskeyPlugin, endSessionsOfRemovedPasskey, recordAddedPasskey } from './passkeys';
import { endSessionsUsingRemovedFactor, findOwnPasskey, findPasskeys } from './passkeys.repository';
import { checkIdentityProof, hasSessionSkippedSecondFactor } from './proof';
import { claimTotpTimeStep, findTotpTimeStep } from './totp';

const ID_KINDS: Record<string, IdKind> = {
  user: 'user',
  session: 'session',
  organization: 'team',
  member: 'member',
};

/**
 * Generates the ids of better-auth's rows. Models in ID_KINDS get the product's prefixed ids. Other
 * models get random ids, because such an id may serve as a secret.
 */
function generateId({ model }: { model: string }): string {
  const kind = ID_KINDS[model];
  if (kind) return newId(kind);
  return randomBytes(18).toString('base64url');
}

/**
 * Returns the origins of the dashboard. On a loopback host, both `localhost` and `127.0.0.1` are
 * trusted.
 */
function trustedOrigins(): string[] {
  const url = new URL(config().app_url);
  const loopback = { localhost: '127.0.0.1', '127.0.0.1': 'localhost' }[url.hostname];
  if (!loopback) return [url.origin];
  const other = new URL(url);
  other.hostname = loopback;
  return [url.origin, other.origin];
}

/**
 * The field that passes the sign-up browser's hash to the database hooks. Requests cannot set it.
 */
const BROWSER_FIELD = 'sign_up_browser';

const resetUrl = (token: string) => `${config().app_url}/reset-password?token=${encodeURIComponent(token)}`;

/**
 * Returns the sign-in method of a new session. If the session replaces another session, for example
 * after a change of password, it inherits that session's method.
 */
function openedWith(path = '', replaced: string | null = 'password'): string {
  if (path === '/passkey/verify-authentication') return 'passkey';
  if (path === '/oauth2/callback/:providerId') return 'company_account';
  const before = replaced ?? 'password';
  if (path === '/two-factor/disable') return before === 'password_and_factor' ? 'password' : before;
  const by_code = path === '/two-factor/verify-totp' || path === '/two-factor/verify-backup-code';
  return by_code && before === 'password' ? 'password_and_factor' : before;
}

/** Returns the better-auth options that this instance and the OAuth provider's instance share. */
export function buildSessionOptions() {
  const { app_url } = config();
  return {
    appName: 'Threshold',
    baseURL: app_url,
    secret: createHmac('sha256', getAppSecret()).update('better-auth').digest('base64url'),
    trustedOrigins: trustedOrigins(),
    telemetry: { enabled: false },
    database: wrapAdapterToHashSessionTokens(prismaAdapter(getBetterAuthDatabaseClient(), { provider: 'postgresql' })),
    session: {
      expiresIn: 14 * 86_400,
      updateAge: 86_400,
      // better-auth must not use a session's age as proof of identity. proof.ts checks the proof
      // instead.
      freshAge: 0,
      additionalFields: { signedInWith: { type: 'string', required: false, input: false } },
    },
    advanced: {
      cookiePrefix: 'threshold',
      // Both checks are enabled explicitly, because better-auth disables them when it detects a
      // test environment.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      useSecureCookies: app_url.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      database: { generateId },
      ipAddress: { ipAddressHeaders: [CLIENT_IP_ADDRESS_HEADER] },
    },
    logger: {
      level: 'warn',
      log: (level, message) =>
        logger()[level === 'error' ? 'error' : level === 'warn' ? 'warn' : 'debug']({ from: 'auth' }, message),
    },
  } satisfies BetterAuthOptions;
}

function create() {
  const { app_url } = config();
  const company = getCompanySignInProvider();
  return betterAuth({
    ...buildSessionOptions(),
    basePath: '/api/auth',
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 8,
      maxPasswordLength: 256,
      // Signing up must not open a session, because that would reveal whether the address had an
      // account.
      autoSignIn: false,
      requireEmailVerification: isMailProviderConfigured(),
      onExistingUserSignUp: ({ user }) => sendAccountMail({ template: 'sign_up_attempt', to: user.email }),
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: async ({ user }, request) => {
        const takeover = await revokeAccessAfterPasswordReset(user.id);
        await recordAndMailSecurityChange(user, 'password_reset', request?.headers);
        if (takeover)
          await recordUserAuditEntry(user, 'user.address_claimed', request?.headers, { count: takeover.revoked_keys });
      },
      resetPasswordTokenExpiresIn: PASSWORD_RESET_LINK_LIFETIME_MINUTES * 60,
      sendResetPassword: async ({ user, token }) => {
        // The mailbox may have a new holder. A mailed link must therefore not open an account that
        // signs in through the company's provider.
        if (config().oidc && (await hasCompanyIdentityProviderAccount(user.id))) return;
        await sendAccountMail({ template: 'reset_password', to: user.email, url: resetUrl(token) });
      },
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: VERIFICATION_LINK_LIFETIME_MINUTES * 60,
      sendVerificationEmail: async ({ user, token }) => {
        if (user.emailVerified) return;
        await sendAccountMail({
          template: 'verify_email',
          to: user.email,
          // Opening the link must change nothing, because mail scanners open links too
          // (confirmation/confirmation.ts).
          url: `${app_url}/confirm-address?token=${encodeURIComponent(token)}`,
        });
      },
    },
    databaseHooks: {
      user: {
        create: {
          // Signing up through a mailed invitation's link proves access to the mailbox.
          before: async (user, context) => {
            const { invitation } = (context?.body ?? {}) as { invitation?: unknown };
            if (typeof invitation !== 'string' || !(await isInvitationMailedToAddress(invitation, user.email))) return;
            return { data: { ...user, emailVerified: true } };
          },
          after: async (user, context) => {
            const { [BROWSER_FIELD]: hash } = (context?.body ?? {}) as AuthRequestBody;
            if (!user.emailVerified && typeof hash === 'string') await insertSignUpBrowserCookieHash(user.id, hash);
          },
        },
      },
      account: {
        create: {
          before: async (account) => ({
            data: { ...account, accessToken: null, refreshToken: null, idToken: null, scope: null },
          }),
          // A mailbox may have a new holder who finds earlier reset links. They must not open an
          // account that now signs in through the provider.
          after: async ({ providerId, userId }) => {
            if (providerId === COMPANY_SIGN_IN_PROVIDER_ID) await revokePasswordResetLinks(userId);
          },
        },
      },
      session: {
        create: {
          before: async (session, context) => {
            const replaced = context?.context.session?.session as { signedInWith?: string | null } | undefined;
            return { data: { ...session, signedInWith: openedWith(context?.path, replaced?.signedInWith) } };
          },
          after: async ({ id, userId }, context) => {
            // better-auth replaced the session because two-factor was switched on or off.
            const replaced = context?.context.session?.session.id;
            if (replaced && context.path === '/two-factor/verify-totp')
              await revokeOtherSessionsAndResetLinks(userId, [id, replaced]);
            if (replaced && context.path === '/two-factor/disable')
              await endSessionsUsingRemovedFactor(userId, id, 'code');
            if (!context?.path?.startsWith('/oauth2/callback')) return;
            const user = await findUser(userId);
            if (user) await recordUserAuditEntry(user, 'user.signed_in', context.headers, { with: 'company account' });
          },
        },
      },
    },
    // The provider's tokens are never stored (databaseHooks), because the provider is contacted
    // only during a sign-in.
    account: { updateAccountOnSignIn: false },
    onAPIError: { errorURL: `${app_url}/sign-in` },
    // Stores only the hash of a reset link's token, so that a copy of the table contains no working
    // links.
    verification: { storeIdentifier: { default: 'plain', overrides: { 'reset-password': 'hashed' } } },
    rateLimit: {
      enabled: true,
      window: 60,
      max: 300,
      customRules: {
        '/sign-in/email': { window: 60, max: 30 },
        '/sign-in/oauth2': { window: 60, max: 30 },
        '/sign-up/email': { window: 60, max: 30 },
        '/request-password-reset': { window: 60, max: 10 },
        '/send-verification-email': { window: 60, max: 10 },
        '/two-factor/verify-totp': { window: 60, max: 15 },
        '/two-factor/verify-backup-code': { window: 60, max: 15 },
        '/passkey/generate-authenticate-options': { window: 60, max: 60 },
        '/passkey/verify-authentication': { window: 60, max: 30 },
        '/passkey/generate-register-options': { window: 60, max: 15 },
        '/passkey/delete-passkey': { window: 60, max: 15 },
        '/get-session': false,
      },
    },
    plugins: [
      organization({
        // Teams, members and invitations change only through our procedures, which write the audit
        // log.
        allowUserToCreateOrganization: false,
        disableOrganizationDeletion: true,
        roles: { owner: defaultRoles.owner, member: defaultRoles.member },
        schema: { organization: { modelName: 'team' } },
      }),
      twoFactor({ issuer: 'Threshold' }),
      createPasskeyPlugin(),
      ...(company ? [genericOAuth({ config: [company] })] : []),
    ],
  });
}

export type BetterAuth = ReturnType<typeof create>;

interface AuthInstance {
  auth: BetterAuth;
  database: unknown;
  mail: boolean;
  oidc: unknown;
  /**
   * The dashboard's base URL. It is known only when the server listens, because the server may use
   * any free port.
   */
  app_url: string;
}
const slot = globalThis as typeof globalThis & { __thresholdAuth?: AuthInstance };

/**
 * Returns the better-auth instance of this process. Tests that change the configuration get a new
 * instance.
 */
export function getBetterAuth(): BetterAuth {
  const [database, mail, { oidc, app_url }] = [getBetterAuthDatabaseClient(), isMailProviderConfigured(), config()];
  const existing = slot.__thresholdAuth;
  if (
    existing?.database === database &&
    existing.mail === mail &&
    existing.oidc === oidc &&
    existing.app_url === app_url
  )
    return existing.auth;
  slot.__thresholdAuth = { auth: create(), database, mail, oidc, app_url };
  return slot.__thresholdAuth.auth;
}

/**
 * Paths that browsers may call by GET. AUTH_POST_PATHS lists the paths for POST. better-auth's
 * remaining paths, such as organization administration, would bypass our procedures and their audit
 * log.
 */
const GET_PATHS = new Set(['/get-session', COMPANY_SIGN_IN_CALLBACK_PATH]);

/**
 * Handles one request under `/api/auth`. Returns 404 for a path in neither GET_PATHS nor
 * AUTH_POST_PATHS.
 */
export async function handleAuthRequest(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.replace(/^\/api\/auth/, '');
  const by_company = path === '/sign-in/oauth2' || path === COMPANY_SIGN_IN_CALLBACK_PATH;
  const paths = request.method === 'GET' ? GET_PATHS : AUTH_POST_PATHS;
  if (!paths.has(path) || (by_company && !config().oidc))
    return createBetterAuthErrorResponse(404, 'NOT_FOUND', 'No such path.');
  try {
    if (by_company) await assertSignInProviderReachable();
    return path === '/sign-up/email'
      ? await signUp(request)
      : await toBrowserAuthResponse(path, await answer(path, request));
  } catch (thrown) {
    if (path === COMPANY_SIGN_IN_CALLBACK_PATH && isAppError(thrown))
      return Response.redirect(`${config().app_url}/sign-in?error=provider_away`, 302);
    return convertAppErrorToAuthResponse(thrown);
  }
}

/**
 * Minimum response times in milliseconds, for paths whose response time would reveal whether an
 * address has an account.
 */
const AT_LEAST_MS: Record<string, number> = { '/request-password-reset': 400 };

/** Signs up and sets the sign-up browser's cookie. Does the same for every address. */
async function signUp(request: Request): Promise<Response> {
  const { set_cookie, hash } = createSignUpBrowserCookie();
  const response = await toBrowserAuthResponse(
    '/sign-up/email',
    await answer('/sign-up/email', request, { [BROWSER_FIELD]: hash }),
  );
  if (response.ok) response.headers.append('Set-Cookie', set_cookie);
  return response;
}

async function answer(path: string, request: Request, own_fields: AuthRequestBody = {}): Promise<Response> {
  if (request.method === 'GET') return getBetterAuth().handler(request);
  const body = await validateAuthBody(path, await readAuthRequestBody(request));
  const checked = copyRequestWithBody(request, { ...body, ...own_fields });
  const sessionOf = (headers: Headers) => getBetterAuth().api.getSession({ headers });
  const lookup = {
    userOfSession: async (headers: Headers) => (await sessionOf(headers))?.user ?? null,
    pending_cookie: (await getBetterAuth().$context).createAuthCookie('two_factor').name,
  };
  const execute = async () => {
    if (path === '/reset-password') await claimLink(body.token);
    const changing = CHANGES_FACTORS.has(path) ? await sessionOf(request.headers) : null;
    if (changing) return changeFactors(path, body, checked, changing.user.id, () => sessionOf(request.headers));
    const used =
      path === TAKES_CODE &&
      (await isUsedCode(body.code, await findAccountWhoseSignInCodeIsChecked(request.headers, lookup)));
    if (used) return refuseCode();
    const session = path === '/change-password' ? await sessionOf(request.headers) : null;
    const [response] = await Promise.all([
      path.startsWith('/passkey/') ? answerPasskey(path, body, checked) : getBetterAuth().handler(checked),
      sleep(AT_LEAST_MS[path] ?? 0),
    ]);
    // A user may change the password because a link was leaked, so the reset links are deleted and
    // the assistants are disconnected too.
    if (session && response.ok) {
      await revokePasswordResetLinks(session.user.id);
      await disconnectAssistants(session.user.id);
    }
    return response;
  };
  const run = () => handleAuthRequestWithBruteForceDelay(path, body, request.headers, lookup, execute);
  return runAuthRequestWithAudit(path, checked, run, sessionOf);
}

/**
 * The plugin creates challenges by GET. Browsers POST here instead, because creating a challenge
 * stores a row.
 */
const CHALLENGES = new Set(['/passkey/generate-register-options', '/passkey/generate-authenticate-options']);
/**
 * Paths that change second factors. If the account has a second factor, the session must have used
 * one.
 */
const CHANGES_FACTORS = new Set([
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/generate-register-options',
  '/passkey/verify-registration',
  '/passkey/update-passkey',
  '/passkey/delete-passkey',
]);
/**
 * The time after which a change of second factors counts as crashed. Every request finishes sooner.
 */
const CHANGE_MS = 30_000;

/**
 * Handles a request to a path of CHANGES_FACTORS. Each user's requests run one at a time. Otherwise
 * a second session could add or replace a factor while the first one is being added.
 */
async function changeFactors(
  path: string,
  body: AuthRequestBody,
  request: Request,
  user_id: string,
  readSession: () => ReturnType<BetterAuth['api']['getSession']>,
): Promise<Response> {
  if (!(await acquireSecondFactorChangeLock(user_id, new Date(clock().now().getTime() + CHANGE_MS))))
    return createBetterAuthErrorResponse(
      409,
      'CONCURRENT_CHANGE',
      'Another change of your sign-in methods is under way. Try again.',
    );
  try {
    // An earlier change may have ended this session.
    const found = await readSession();
    if (!found) return createBetterAuthErrorResponse(401, 'UNAUTHORIZED', 'Sign in first.');
    if (await hasSessionSkippedSecondFactor(found.session)) return refuseUnproven();
    if (path === '/two-factor/enable' && found.user.twoFactorEnabled)
      return createBetterAuthErrorResponse(
        400,
        'TWO_FACTOR_ALREADY_ENABLED',
        'Two-factor is already on. Turn it off first.',
      );
    if (ADDS_PASSKEY.has(path) && (await findPasskeys(user_id)).length >= MAX_PASSKEYS_PER_ACCOUNT)
      return createBetterAuthErrorResponse(
        400,
        'PASSKEY_NOT_ADDED',
        `An account has at most ${MAX_PASSKEYS_PER_ACCOUNT} passkeys.`,
      );
    if (path === TAKES_CODE && (await isUsedCode(body.code, { id: user_id }))) return refuseCode();
    return path.startsWith('/passkey/')
      ? await answerPasskey(path, body, request)
      : await getBetterAuth().handler(request);
  } finally {
    await releaseSecondFactorChangeLock(user_id);
  }
}

const TAKES_CODE = '/two-factor/verify-totp';
const refuseCode = () => createBetterAuthErrorResponse(401, 'INVALID_CODE', 'Invalid code');

/** Returns whether a TOTP code was used before, and marks the code as used. */
async function isUsedCode(code: unknown, account: { id: string } | null): Promise<boolean> {
  const data = account && typeof code === 'string' ? await findTotpSecret(account.id) : null;
  if (!account || data === null) return false;
  const secret = await symmetricDecrypt({ key: (await getBetterAuth().$context).secretConfig, data });
  // better-auth accepts a code that is one step off. It checks the code a moment later than this
  // check, so this check accepts two steps.
  const step = findTotpTimeStep(secret, String(code), 2);
  return step !== null && !(await claimTotpTimeStep(account.id, step));
}

const refuseUnproven = () =>
  createBetterAuthErrorResponse(403, 'PROOF_NEEDED', 'Give your password, or sign in again.');

/** The maximum number of passkeys of an account. */
export const MAX_PASSKEYS_PER_ACCOUNT = 20;
const ADDS_PASSKEY = new Set(['/passkey/generate-register-options', '/passkey/verify-registration']);

/** Adding and removing passkeys require the password or a recent sign-in. */
const NEED_PROOF = new Set(['/passkey/generate-register-options', '/passkey/delete-passkey']);

async function answerPasskey(path: string, body: AuthRequestBody, request: Request): Promise<Response> {
  const { headers } = request;
  const found = path === '/passkey/verify-authentication' ? null : await getBetterAuth().api.getSession({ headers });
  if (found && NEED_PROOF.has(path)) {
    const { verify } = (await getBetterAuth().$context).password;
    const proof = await checkIdentityProof(found.session, body.password, (hash, password) =>
      verify({ hash, password }),
    );
    if (proof === 'wrong') return createBetterAuthErrorResponse(400, 'INVALID_PASSWORD', 'Invalid password');
    if (proof === 'missing') return refuseUnproven();
  }
  const removed =
    found && path === '/passkey/delete-passkey' ? await findOwnPasskey(found.user.id, String(body.id)) : null;
  const asked = CHALLENGES.has(path) ? new Request(request.url, { headers }) : request;
  const response = await getBetterAuth().handler(asked);
  if (!found || !response.ok) return response;
  const change = { user: found.user, session_id: found.session.id, headers };
  if (path === '/passkey/verify-registration') await recordAddedPasskey({ ...change, name: String(body.name) });
  if (removed) await endSessionsOfRemovedPasskey({ ...change, name: removed.name ?? '' });
  return response;
}

async function claimLink(token: unknown): Promise<void> {
  const { internalAdapter } = await getBetterAuth().$context;
  const link = await internalAdapter.findVerificationValue(`reset-password:${String(token)}`);
  if (link) await deleteOtherPasswordResetLinks(link.value, link.id);
}

/**
 * Creates a one-time link for choosing a new password, on behalf of the operator. Throws
 * resource_missing.
 */
export async function createPasswordResetLink(email: string): Promise<{ url: string; expires_at: string }> {
  const user = await findUserByEmail(email);
  if (!user) throw new AppError('resource_missing', { message: `There is no account with the address ${email}.` });
  const token = randomBytes(24).toString('base64url');
  const expiresAt = new Date(clock().now().getTime() + PASSWORD_RESET_LINK_LIFETIME_MINUTES * 60_000);
  const { internalAdapter } = await getBetterAuth().$context;
  await internalAdapter.createVerificationValue({ value: user.id, identifier: `reset-password:${token}`, expiresAt });
  return { url: resetUrl(token), expires_at: expiresAt.toISOString() };
}
