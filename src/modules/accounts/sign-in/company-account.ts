/**
 * Signing in by OpenID Connect beside the password: one provider, named by the configuration (`OIDC_*`). better-auth's plugin
 * makes the round trip (code, PKCE, state in a cookie); here it is decided whom the provider's answer names.
 */

import { APIError } from 'better-auth/api';
import type { GenericOAuthConfig } from 'better-auth/plugins';
import { config } from '@/config';
import { logger } from '@/infra/logger';
import { AppError } from '@/shared/errors';
import { refusal } from '@/shared/refusals/refusal';
import { takeOverUnconfirmed } from '../confirmation/confirmation.repository';
import { findUserByEmail, hasProviderIdentity, isKnownIdentity } from '../repository';
import { PersonName } from '../schemas';
import { recordUserAudit } from './auth-audit';

export const COMPANY_PROVIDER = 'oidc';
export const COMPANY_CALLBACK = `/oauth2/callback/${COMPANY_PROVIDER}`;
const PATIENCE_MS = 5_000;

type Provider = NonNullable<ReturnType<typeof config>['oidc']>;

export const discoveryUrl = (issuer: string) => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** What a provider says of itself, as far as it is needed. */
export interface Discovery {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint: string;
}

/** Asks the provider what it is. Throws an Error that says what is wrong with the answer. */
export async function discover(issuer: string): Promise<Discovery> {
  const url = discoveryUrl(issuer);
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  const said = (await response.json()) as Partial<Discovery>;
  if (said.issuer !== issuer) throw new Error(`${url} names the issuer “${said.issuer}”; OIDC_ISSUER has to be that`);
  for (const name of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint'] as const)
    if (typeof said[name] !== 'string') throw new Error(`${url} names no ${name}`);
  return said as Discovery;
}

/** Throws service_unavailable while the provider cannot be asked: better-auth would answer as if the fault were ours. */
export async function assertProviderIsThere(): Promise<void> {
  try {
    await discover(config().oidc?.issuer ?? '');
  } catch (error) {
    logger().error({ err: error }, 'the OpenID Connect provider does not answer as one');
    throw new AppError('service_unavailable', {
      message: refusal('company_account_not_possible', { name: config().oidc?.name }),
    });
  }
}

/** Whether the ID token names this person: UserInfo counts only then (OpenID Connect Core 5.3.2). */
export function isAbout(id_token: string | undefined, sub: string): boolean {
  try {
    const claims = JSON.parse(Buffer.from(id_token?.split('.')[1] ?? '', 'base64url').toString()) as { sub?: unknown };
    return claims.sub === sub;
  } catch {
    return false;
  }
}

/** The person of the tokens. Null when the provider does not confirm the address, or answers about somebody else. */
async function whoIs(provider: Provider, access_token: string, id_token: string | undefined) {
  const { userinfo_endpoint } = await discover(provider.issuer);
  const response = await fetch(userinfo_endpoint, {
    headers: { authorization: `Bearer ${access_token}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`the provider's userinfo_endpoint answers ${response.status}`);
  const { sub, email, email_verified, name } = (await response.json()) as Record<string, unknown>;
  if (typeof sub !== 'string' || typeof email !== 'string' || !isAbout(id_token, sub)) return null;
  if (email_verified !== true && !provider.trust_email) return null;
  // Of the rest nothing is taken over: a picture would be a foreign address in our pages.
  const called = PersonName.safeParse(name).data ?? PersonName.safeParse(email.split('@', 1)[0]).data ?? 'Member';
  return { id: sub, email: email.toLowerCase(), emailVerified: true, name: called };
}

type Identity = NonNullable<Awaited<ReturnType<typeof whoIs>>>;

/** Sends the browser back to the sign-in page, which says why. */
const sendBack = (reason: string) =>
  new APIError('FOUND', undefined, { location: `${config().app_url}/sign-in?error=${reason}` });

/**
 * Decides whether an identity may come in by its address. An account that has an identity accepts no other: the address
 * was given to somebody else. An account that nobody confirmed may be anyone's, so that the provider's word takes it over.
 */
async function admit({ id, email, name }: Identity): Promise<void> {
  if (await isKnownIdentity(COMPANY_PROVIDER, id)) return;
  const user = await findUserByEmail(email);
  if (!user) return;
  if (await hasProviderIdentity(user.id)) {
    await recordUserAudit(user, 'user.identity_refused', undefined, { email });
    throw sendBack('address_of_another');
  }
  const takeover = await takeOverUnconfirmed(user.id, name);
  if (takeover) await recordUserAudit(user, 'user.address_claimed', undefined, { count: takeover.revoked_keys });
}

/** The provider for better-auth's plugin; null when none is configured. */
export function companyAccount(): GenericOAuthConfig | null {
  const provider = config().oidc;
  if (!provider) return null;
  return {
    providerId: COMPANY_PROVIDER,
    discoveryUrl: discoveryUrl(provider.issuer),
    issuer: provider.issuer,
    clientId: provider.client_id,
    clientSecret: provider.client_secret,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    async getUserInfo({ accessToken, idToken }) {
      const identity = await whoIs(provider, accessToken ?? '', idToken).catch((error) => {
        logger().error({ err: error }, 'the OpenID Connect provider could not be asked who signed in');
        return null;
      });
      if (identity) await admit(identity);
      return identity;
    },
  };
}
