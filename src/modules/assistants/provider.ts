/**
 * better-auth's OAuth provider. It is a separate better-auth instance that uses the dashboard's
 * sessions, so that the provider's hooks do not affect signing in.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { oauthProvider } from '@better-auth/oauth-provider';
import { betterAuth } from 'better-auth';
import { config } from '@/config';
import { hashToken } from '@/infra/encryption';
import { type BetterAuth, buildSessionOptions, getBetterAuth } from '@/modules/accounts/sign-in/auth';
import { API_KEY_SCOPE_NAMES } from '@/modules/api-keys/scopes';

/** Returns the resource for which tokens are issued (RFC 8707). */
export const getTokenAudienceUrl = () => `${config().app_url}/mcp`;

/** The scope for refresh tokens. Without it, a client must ask its user for consent every hour. */
export const OFFLINE_ACCESS_SCOPE = 'offline_access';
export const ACCESS_TOKEN_PREFIX = 'threshold_at_';
export const REFRESH_TOKEN_PREFIX = 'threshold_rt_';
/** The dashboard's consent page. It requires a signed-in user. */
export const CONSENT_PAGE_PATH = '/connect-assistant';

const consenting = new AsyncLocalStorage<string>();

/** Runs `work` with the reference under which the member's consent is stored. */
export const runWithOAuthConsentReferenceId = <T>(reference_id: string, work: () => Promise<T>): Promise<T> =>
  consenting.run(reference_id, work);

function create() {
  return betterAuth({
    ...buildSessionOptions(),
    basePath: '/',
    onAPIError: { errorURL: `${config().app_url}${CONSENT_PAGE_PATH}` },
    rateLimit: { enabled: true, window: 60, max: 300 },
    plugins: [
      oauthProvider({
        // Without JWTs, each request looks its token up in the database, so a revocation takes
        // effect at once.
        disableJwtPlugin: true,
        storeTokens: { hash: (token) => hashToken(token) },
        prefix: { opaqueAccessToken: ACCESS_TOKEN_PREFIX, refreshToken: REFRESH_TOKEN_PREFIX },
        scopes: [...API_KEY_SCOPE_NAMES, OFFLINE_ACCESS_SCOPE],
        grantTypes: ['authorization_code', 'refresh_token'],
        validAudiences: [getTokenAudienceUrl()],
        accessTokenExpiresIn: 3_600,
        refreshTokenExpiresIn: 30 * 86_400,
        allowDynamicClientRegistration: true,
        allowUnauthenticatedClientRegistration: true,
        loginPage: CONSENT_PAGE_PATH,
        consentPage: CONSENT_PAGE_PATH,
        postLogin: {
          page: CONSENT_PAGE_PATH,
          shouldRedirect: () => false,
          // No consent has the reference `nobody`. A GET therefore never finds a stored consent and
          // never returns a code.
          consentReferenceId: () => consenting.getStore() ?? 'nobody',
        },
        // The limits are high, because hosted assistants call for many users from few addresses.
        rateLimit: { token: { window: 60, max: 300 }, register: { window: 60, max: 20 } },
      }),
    ],
  });
}

type Provider = ReturnType<typeof create>;
const slot = globalThis as typeof globalThis & { __thresholdOAuth?: { provider: Provider; auth: BetterAuth } };

/**
 * Returns the OAuth provider of this process. It is recreated whenever the instance of
 * `getBetterAuth()` is.
 */
export function getOAuthProvider(): Provider {
  const current = getBetterAuth();
  if (slot.__thresholdOAuth?.auth !== current) slot.__thresholdOAuth = { provider: create(), auth: current };
  return slot.__thresholdOAuth.provider;
}
