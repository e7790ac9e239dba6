/**
 * Runs an OpenID Connect provider of a third party on this machine (`oidc-provider`, certified by
 * the OpenID Foundation), which signs in every visitor immediately.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** The provider's claims about a person. `sub` is the provider's id. */
export interface OidcClaims {
  sub: string;
  email: string;
  email_verified?: boolean;
  name?: string;
  picture?: string;
}

export interface TestOidcProvider {
  issuer: string;
  client_id: string;
  client_secret: string;
  /** Sets the person who signs in next. */
  person(claims: OidcClaims): void;
  /** Follows redirects like a browser. Returns the URL at which the application continues. */
  visit(url: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startOidcProvider(redirect_uri: string): Promise<TestOidcProvider> {
  const [client_id, client_secret] = ['threshold', 'a secret of the client and the provider'];
  const people = new Map<string, OidcClaims>();
  let next = '';
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      { client_id, client_secret, redirect_uris: [redirect_uri], token_endpoint_auth_method: 'client_secret_post' },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    cookies: { keys: ['a key of the provider'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub), sub }) }),
  });
  provider.use(async (context, follow) => {
    if (!context.path.startsWith('/interaction/')) return follow();
    const { prompt, params, session } = await provider.interactionDetails(context.req, context.res);
    if (prompt.name === 'login') {
      await provider.interactionFinished(context.req, context.res, { login: { accountId: next } });
    } else {
      const grant = new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) });
      grant.addOIDCScope(String(params.scope));
      await provider.interactionFinished(context.req, context.res, { consent: { grantId: await grant.save() } });
    }
    context.respond = false;
  });
  server.on('request', provider.callback());

  return {
    issuer,
    client_id,
    client_secret,
    person(claims) {
      people.set(claims.sub, claims);
      next = claims.sub;
    },
    async visit(url) {
      const jar = new Map<string, string>();
      for (let at = new URL(url); at.origin === issuer; ) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [pair = ''] = line.split(';', 1);
          jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const location = response.headers.get('location');
        if (!location) throw new Error(`${at} answers ${response.status}: ${(await response.text()).slice(0, 300)}`);
        at = new URL(location, at);
        if (at.origin !== issuer) return at.href;
      }
      throw new Error('Not an address of the provider.');
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
