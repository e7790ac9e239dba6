/**
 * better-auth, mapped to this product's tables: a Team is its organization. It owns passwords, sessions, e-mail
 * verification and two-factor; who may do what in a team is decided by our procedures (router.ts).
 */
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { genericOAuth, organization, twoFactor } from 'better-auth/plugins';
import { defaultRoles } from 'better-auth/plugins/organization/access';
import { appSecret, config } from '@/config';
import { logger } from '@/infra/logger';
import { mailIsSent } from '@/modules/mail/service';
import { clock } from '@/shared/clock';
import { AppError, isAppError } from '@/shared/errors';
import type { IdKind } from '@/shared/id-kinds';
import { newId } from '@/shared/ids';
import {
  claimResetLink,
  endAccessAfterReset,
  endResetLinks,
  insertSignUpBrowser,
} from '../confirmation/confirmation.repository';
import { newSignUpBrowser } from '../confirmation/sign-up-browser';
import { RESET_LINK_MINUTES, sendAccountMail, VERIFY_LINK_MINUTES } from '../mailer';
import { provesAddress } from '../members.service';
import { authDatabase, findUser, findUserByEmail, hasProviderIdentity } from '../repository';
import { CLIENT_ADDRESS_HEADER } from '../session-headers';
import { recordUserAudit, withAuditOf } from './auth-audit';
import { withGuard } from './auth-guard';
import {
  type AuthBody,
  asShown,
  authRefusal,
  checkAuthBody,
  POST_PATHS,
  readAuthBody,
  refusalOf,
  withBody,
} from './auth-request';
import { assertProviderIsThere, COMPANY_CALLBACK, COMPANY_PROVIDER, companyAccount } from './company-account';
import { withHashedSessions } from './hashed-sessions';

const ID_KINDS: Record<string, IdKind> = {
  user: 'user',
  session: 'session',
  organization: 'team',
  member: 'member',
};

/** Ids of better-auth's rows; random where one may be a secret. */
function generateId({ model }: { model: string }): string {
  const kind = ID_KINDS[model];
  if (kind) return newId(kind);
  return randomBytes(18).toString('base64url');
}

/** The origins the dashboard is opened at: APP_URL, and on a developer's machine both names of the loopback. */
function trustedOrigins(): string[] {
  const url = new URL(config().app_url);
  const loopback = { localhost: '127.0.0.1', '127.0.0.1': 'localhost' }[url.hostname];
  if (!loopback) return [url.origin];
  const other = new URL(url);
  other.hostname = loopback;
  return [url.origin, other.origin];
}

/** By this field of a sign-up's body, which no caller can set, the new account learns which browser made it. */
const BROWSER_FIELD = 'sign_up_browser';

const resetUrl = (token: string) => `${config().app_url}/reset-password?token=${encodeURIComponent(token)}`;

function create() {
  const { app_url } = config();
  const company = companyAccount();
  return betterAuth({
    appName: 'Threshold',
    baseURL: app_url,
    basePath: '/api/auth',
    secret: createHmac('sha256', appSecret()).update('better-auth').digest('base64url'),
    trustedOrigins: trustedOrigins(),
    telemetry: { enabled: false },
    database: withHashedSessions(prismaAdapter(authDatabase(), { provider: 'postgresql' })),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 8,
      maxPasswordLength: 256,
      // A session at once would tell whether there was an account; so would one for an address that is not confirmed.
      autoSignIn: false,
      requireEmailVerification: mailIsSent(),
      onExistingUserSignUp: ({ user }) => sendAccountMail({ template: 'sign_up_attempt', to: user.email }),
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: async ({ user }, request) => {
        const takeover = await endAccessAfterReset(user.id);
        await recordUserAudit(user, 'user.password_reset', request?.headers);
        if (takeover)
          await recordUserAudit(user, 'user.address_claimed', request?.headers, { count: takeover.revoked_keys });
      },
      resetPasswordTokenExpiresIn: RESET_LINK_MINUTES * 60,
      sendResetPassword: async ({ user, token }) => {
        // The mailbox may be its next holder's: an account of the company's provider is not opened by the address alone.
        if (config().oidc && (await hasProviderIdentity(user.id))) return;
        await sendAccountMail({ template: 'reset_password', to: user.email, url: resetUrl(token) });
      },
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: VERIFY_LINK_MINUTES * 60,
      sendVerificationEmail: async ({ user, token }) => {
        if (user.emailVerified) return;
        await sendAccountMail({
          template: 'verify_email',
          to: user.email,
          // It opens a page and does nothing by itself: mail scanners follow links too (confirmation/confirmation.ts).
          url: `${app_url}/confirm-address?token=${encodeURIComponent(token)}`,
        });
      },
    },
    databaseHooks: {
      user: {
        create: {
          // Who comes from an invitation's link has shown that the mailbox is theirs.
          before: async (user, context) => {
            const { invitation } = (context?.body ?? {}) as { invitation?: unknown };
            if (typeof invitation !== 'string' || !(await provesAddress(invitation, user.email))) return;
            return { data: { ...user, emailVerified: true } };
          },
          after: async (user, context) => {
            const { [BROWSER_FIELD]: hash } = (context?.body ?? {}) as AuthBody;
            if (!user.emailVerified && typeof hash === 'string') await insertSignUpBrowser(user.id, hash);
          },
        },
      },
      account: {
        create: {
          before: async (account) => ({
            data: { ...account, accessToken: null, refreshToken: null, idToken: null, scope: null },
          }),
          // From now on the mailbox alone opens nothing: its next holder may have the links of before.
          after: async ({ providerId, userId }) => {
            if (providerId === COMPANY_PROVIDER) await endResetLinks(userId);
          },
        },
      },
      session: {
        create: {
          after: async ({ userId }, context) => {
            if (!context?.path?.startsWith('/oauth2/callback')) return;
            const user = await findUser(userId);
            if (user) await recordUserAudit(user, 'user.signed_in', context.headers, { with: 'company account' });
          },
        },
      },
    },
    session: { expiresIn: 14 * 86_400, updateAge: 86_400 },
    // Once signed in nothing is asked of the provider again: its tokens are not kept (databaseHooks).
    account: { updateAccountOnSignIn: false },
    onAPIError: { errorURL: `${app_url}/sign-in` },
    // A reset link's token is found by its hash: a dump of the table opens nothing.
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
        '/get-session': false,
      },
    },
    advanced: {
      cookiePrefix: 'threshold',
      // Said outright, because better-auth turns both off where it believes to be under test.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      useSecureCookies: app_url.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      database: { generateId },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    logger: {
      level: 'warn',
      log: (level, message) =>
        logger()[level === 'error' ? 'error' : level === 'warn' ? 'warn' : 'debug']({ from: 'auth' }, message),
    },
    plugins: [
      organization({
        // Teams, members and invitations change through our procedures, which write the audit log.
        allowUserToCreateOrganization: false,
        disableOrganizationDeletion: true,
        roles: { owner: defaultRoles.owner, member: defaultRoles.member },
        schema: { organization: { modelName: 'team' } },
      }),
      twoFactor({ issuer: 'Threshold' }),
      ...(company ? [genericOAuth({ config: [company] })] : []),
    ],
  });
}

export type Auth = ReturnType<typeof create>;

interface Made {
  auth: Auth;
  database: unknown;
  mail: boolean;
  oidc: unknown;
  /** Known once the server listens, where the port is any free one. */
  app_url: string;
}
const slot = globalThis as typeof globalThis & { __thresholdAuth?: Made };

/** The process's better-auth, made at first use and again when what is behind it is another (tests). */
export function auth(): Auth {
  const [database, mail, { oidc, app_url }] = [authDatabase(), mailIsSent(), config()];
  const made = slot.__thresholdAuth;
  if (made?.database === database && made.mail === mail && made.oidc === oidc && made.app_url === app_url)
    return made.auth;
  slot.__thresholdAuth = { auth: create(), database, mail, oidc, app_url };
  return slot.__thresholdAuth.auth;
}

/**
 * The paths of better-auth that a browser may call are those of POST_PATHS, and these by GET. Everything else it brings
 * (organization administration above all) would bypass our procedures and their audit log.
 */
const GET_PATHS = new Set(['/get-session', COMPANY_CALLBACK]);

/** Answers one request under `/api/auth`; 404 for what is not in the list above. */
export async function handleAuthRequest(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.replace(/^\/api\/auth/, '');
  const by_company = path === '/sign-in/oauth2' || path === COMPANY_CALLBACK;
  const paths = request.method === 'GET' ? GET_PATHS : POST_PATHS;
  if (!paths.has(path) || (by_company && !config().oidc)) return authRefusal(404, 'NOT_FOUND', 'No such path.');
  try {
    if (by_company) await assertProviderIsThere();
    return path === '/sign-up/email' ? await signUp(request) : await asShown(path, await answer(path, request));
  } catch (thrown) {
    if (path === COMPANY_CALLBACK && isAppError(thrown))
      return Response.redirect(`${config().app_url}/sign-in?error=provider_away`, 302);
    return refusalOf(thrown);
  }
}

/** Paths whose time would tell whether an address has an account. */
const AT_LEAST_MS: Record<string, number> = { '/request-password-reset': 400 };

/** Signing up marks the browser, the same for every address. */
async function signUp(request: Request): Promise<Response> {
  const { set_cookie, hash } = newSignUpBrowser();
  const response = await asShown('/sign-up/email', await answer('/sign-up/email', request, { [BROWSER_FIELD]: hash }));
  if (response.ok) response.headers.append('Set-Cookie', set_cookie);
  return response;
}

async function answer(path: string, request: Request, own_fields: AuthBody = {}): Promise<Response> {
  if (request.method === 'GET') return auth().handler(request);
  const body = await checkAuthBody(path, await readAuthBody(request));
  const checked = withBody(request, { ...body, ...own_fields });
  const sessionOf = (headers: Headers) => auth().api.getSession({ headers });
  const doors = {
    emailOfSession: async (headers: Headers) => (await sessionOf(headers))?.user.email ?? null,
    halfway_cookie: (await auth().$context).createAuthCookie('two_factor').name,
  };
  const carried_out = async () => {
    // Where there is an account a mail is made: neither the answer nor its time tells.
    if (path === '/reset-password') await claimLink(body.token);
    const session = path === '/change-password' ? await sessionOf(request.headers) : null;
    const [response] = await Promise.all([auth().handler(checked), sleep(AT_LEAST_MS[path] ?? 0)]);
    // Who fears that a link leaked changes the password.
    if (session && response.ok) await endResetLinks(session.user.id);
    return response;
  };
  const guarded = () => withGuard(path, body, request.headers, doors, carried_out);
  return withAuditOf(path, checked, guarded, sessionOf);
}

async function claimLink(token: unknown): Promise<void> {
  const { internalAdapter } = await auth().$context;
  const link = await internalAdapter.findVerificationValue(`reset-password:${String(token)}`);
  if (link) await claimResetLink(link.value, link.id);
}

/** The operator's one-time link to a new password, as the mail would bring it. Throws resource_missing. */
export async function makeResetLink(email: string): Promise<{ url: string; expires_at: string }> {
  const user = await findUserByEmail(email);
  if (!user) throw new AppError('resource_missing', { message: `There is no account with the address ${email}.` });
  const token = randomBytes(24).toString('base64url');
  const expiresAt = new Date(clock().now().getTime() + RESET_LINK_MINUTES * 60_000);
  const { internalAdapter } = await auth().$context;
  await internalAdapter.createVerificationValue({ value: user.id, identifier: `reset-password:${token}`, expiresAt });
  return { url: resetUrl(token), expires_at: expiresAt.toISOString() };
}
