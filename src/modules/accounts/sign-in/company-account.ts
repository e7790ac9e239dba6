/**
 * Signing in through OpenID Connect, in addition to the password. The configuration names one
 * provider (`OIDC_*`). better-auth's plugin performs the flow (code, PKCE, state in a cookie). This
 * file decides which account the provider's response opens.
 */

import { APIError } from 'better-auth/api';
import type { GenericOAuthConfig } from 'better-auth/plugins';
import { config } from '@/config';
import { logger } from '@/infra/logger';
import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import { takeOverUnconfirmedAccount } from '../confirmation/confirmation.repository';
import { findUserByEmail, hasAccountForProviderIdentity, hasCompanyIdentityProviderAccount } from '../repository';
import { PersonName } from '../schemas';
import { recordUserAuditEntry } from './auth-audit';

export const COMPANY_SIGN_IN_PROVIDER_ID = 'oidc';
export const COMPANY_SIGN_IN_CALLBACK_PATH = `/oauth2/callback/${COMPANY_SIGN_IN_PROVIDER_ID}`;
const TIMEOUT_MS = 5_000;

type Provider = NonNullable<ReturnType<typeof config>['oidc']>;

export const buildOidcDiscoveryUrl = (issuer: string) =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** The fields of the provider's metadata that this file uses. */
export interface SignInProviderMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint: string;
}

/**
 * Fetches the provider's metadata. Throws an Error that explains what is wrong with the response.
 */
export async function fetchSignInProviderMetadata(issuer: string): Promise<SignInProviderMetadata> {
  const url = buildOidcDiscoveryUrl(issuer);
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  const metadata = (await response.json()) as Partial<SignInProviderMetadata>;
  if (metadata.issuer !== issuer)
    throw new Error(`${url} names the issuer “${metadata.issuer}”; OIDC_ISSUER has to be that`);
  for (const name of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint'] as const)
    if (typeof metadata[name] !== 'string') throw new Error(`${url} names no ${name}`);
  return metadata as SignInProviderMetadata;
}

/** Throws service_unavailable while the provider is unreachable. */
export async function assertSignInProviderReachable(): Promise<void> {
  try {
    await fetchSignInProviderMetadata(config().oidc?.issuer ?? '');
  } catch (error) {
    logger().error({ err: error }, 'the OpenID Connect provider sent an invalid response');
    throw new AppError('service_unavailable', {
      message: createRefusal('company_account_not_possible', { name: config().oidc?.name }),
    });
  }
}

/** Returns whether the ID token has this subject (OpenID Connect Core 5.3.2). */
export function isIdTokenForSubject(id_token: string | undefined, sub: string): boolean {
  try {
    const claims = JSON.parse(Buffer.from(id_token?.split('.')[1] ?? '', 'base64url').toString()) as { sub?: unknown };
    return claims.sub === sub;
  } catch {
    return false;
  }
}

/**
 * Fetches the name and address of the person who signed in. Returns null if the provider has not
 * confirmed the address, or if the ID token belongs to another person.
 */
async function fetchPerson(provider: Provider, access_token: string, id_token: string | undefined) {
  const { userinfo_endpoint } = await fetchSignInProviderMetadata(provider.issuer);
  const response = await fetch(userinfo_endpoint, {
    headers: { authorization: `Bearer ${access_token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`the provider's userinfo_endpoint answers ${response.status}`);
  const { sub, email, email_verified, name } = (await response.json()) as Record<string, unknown>;
  if (typeof sub !== 'string' || typeof email !== 'string' || !isIdTokenForSubject(id_token, sub)) return null;
  if (email_verified !== true && !provider.trust_email) return null;
  // The picture is not stored, because our pages would then load a third party's URL.
  const display_name = PersonName.safeParse(name).data ?? PersonName.safeParse(email.split('@', 1)[0]).data ?? 'Member';
  return { id: sub, email: email.toLowerCase(), emailVerified: true, name: display_name };
}

type Identity = NonNullable<Awaited<ReturnType<typeof fetchPerson>>>;

/** Redirects the browser to the sign-in page, which shows the reason. */
const redirectToSignIn = (reason: string) =>
  new APIError('FOUND', undefined, { location: `${config().app_url}/sign-in?error=${reason}` });

/**
 * Checks an identity that is new to this installation against the account with the same address. If
 * that account has another identity at the provider, the sign-in is refused, because the address
 * now belongs to another person. If the account is unconfirmed, a stranger may have created it, so
 * the new identity takes it over.
 */
async function admit({ id, email, name }: Identity): Promise<void> {
  if (await hasAccountForProviderIdentity(COMPANY_SIGN_IN_PROVIDER_ID, id)) return;
  const user = await findUserByEmail(email);
  if (!user) return;
  if (await hasCompanyIdentityProviderAccount(user.id)) {
    await recordUserAuditEntry(user, 'user.identity_refused', undefined, { email });
    throw redirectToSignIn('address_of_another');
  }
  const takeover = await takeOverUnconfirmedAccount(user.id, name);
  if (takeover) await recordUserAuditEntry(user, 'user.address_claimed', undefined, { count: takeover.revoked_keys });
}

/** Returns the provider for better-auth's plugin, or null when none is configured. */
export function getCompanySignInProvider(): GenericOAuthConfig | null {
  const provider = config().oidc;
  if (!provider) return null;
  return {
    providerId: COMPANY_SIGN_IN_PROVIDER_ID,
    discoveryUrl: buildOidcDiscoveryUrl(provider.issuer),
    issuer: provider.issuer,
    clientId: provider.client_id,
    clientSecret: provider.client_secret,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    async getUserInfo({ accessToken, idToken }) {
      const identity = await fetchPerson(provider, accessToken ?? '', idToken).catch((error) => {
        logger().error({ err: error }, 'the OpenID Connect provider did not return who signed in');
        return null;
      });
      if (identity) await admit(identity);
      return identity;
    },
  };
}
