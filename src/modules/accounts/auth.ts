/**
 * better-auth, mapped to this product's tables: a Team is its organization. It owns passwords, sessions, e-mail
 * verification and two-factor; who may do what in a team is decided by our procedures (router.ts).
 */
import { createHmac, randomBytes } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { organization, twoFactor } from 'better-auth/plugins';
import { defaultRoles } from 'better-auth/plugins/organization/access';
import { appSecret, config } from '@/config';
import { systemDb } from '@/infra/db/client';
import { logger } from '@/infra/logger';
import { type IdKind, newId } from '@/shared/ids';
import { recordUserAudit, withAuditOf } from './auth-audit';
import { RESET_LINK_MINUTES, sendAccountMail, VERIFY_LINK_MINUTES } from './mailer';
import { CLIENT_ADDRESS_HEADER } from './session-headers';

const ID_KINDS: Record<string, IdKind> = {
  user: 'user',
  session: 'session',
  organization: 'team',
  member: 'member',
};

/** Ids of better-auth's rows. An invitation's id is what its link carries, so it is random, not time-sortable. */
function generateId({ model }: { model: string }): string {
  const kind = ID_KINDS[model];
  if (kind) return newId(kind);
  if (model === 'invitation') return `inv_${randomBytes(18).toString('base64url')}`;
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

function create() {
  const { app_url } = config();
  return betterAuth({
    appName: 'Threshold',
    baseURL: app_url,
    basePath: '/api/auth',
    secret: createHmac('sha256', appSecret()).update('better-auth').digest('base64url'),
    trustedOrigins: trustedOrigins(),
    telemetry: { enabled: false },
    database: prismaAdapter(systemDb(), { provider: 'postgresql' }),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 8,
      maxPasswordLength: 256,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }, request) => recordUserAudit(user, 'user.password_reset', request?.headers),
      resetPasswordTokenExpiresIn: RESET_LINK_MINUTES * 60,
      sendResetPassword: ({ user, token }) =>
        sendAccountMail({
          template: 'reset_password',
          to: user.email,
          url: `${app_url}/reset-password?token=${encodeURIComponent(token)}`,
        }),
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: VERIFY_LINK_MINUTES * 60,
      sendVerificationEmail: ({ user, token }) =>
        sendAccountMail({
          template: 'verify_email',
          to: user.email,
          url: `${app_url}/api/auth/verify-email?token=${encodeURIComponent(token)}&callbackURL=${encodeURIComponent('/?verified=1')}`,
        }),
    },
    session: { expiresIn: 14 * 86_400, updateAge: 86_400 },
    rateLimit: {
      enabled: true,
      window: 60,
      max: 300,
      customRules: {
        '/sign-in/email': { window: 60, max: 30 },
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
    ],
  });
}

export type Auth = ReturnType<typeof create>;

const slot = globalThis as typeof globalThis & { __thresholdAuth?: { auth: Auth; database: unknown } };

/** The process's better-auth, made at first use and again when the database behind it is another (tests). */
export function auth(): Auth {
  const database = systemDb();
  if (slot.__thresholdAuth?.database !== database) slot.__thresholdAuth = { auth: create(), database };
  return slot.__thresholdAuth.auth;
}

/**
 * The paths of better-auth that a browser may call. Everything else it brings (organization administration above all)
 * would pass our procedures and their audit log by.
 */
const PUBLIC_PATHS = new Set([
  '/sign-in/email',
  '/sign-up/email',
  '/sign-out',
  '/get-session',
  '/request-password-reset',
  '/reset-password',
  '/verify-email',
  '/send-verification-email',
  '/change-password',
  '/verify-password',
  '/update-user',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/generate-backup-codes',
]);

/** Answers one request under `/api/auth`; 404 for what is not in the list above. */
export async function handleAuthRequest(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.replace(/^\/api\/auth/, '');
  if (!PUBLIC_PATHS.has(path)) return Response.json({ code: 'NOT_FOUND', message: 'No such path.' }, { status: 404 });
  return withAuditOf(
    path,
    request,
    () => auth().handler(request),
    (headers) => auth().api.getSession({ headers }),
  );
}
