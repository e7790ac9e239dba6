/** Signs up and in like a browser, in the test's own process, and reads mails. */
import { systemDb } from '@/infra/db/client';
import { readSessionContext } from '@/modules/accounts/session';
import { handleAuthRequest } from '@/modules/accounts/sign-in/auth';
import { readLastOutboundMail } from '@/testing/mail';
import { createTestPasskey } from '@/testing/passkey';
import { computePreviousTotpOfKey, getTotpKey } from '@/testing/totp';

export const DASHBOARD_TEST_ORIGIN = 'http://localhost:4100';

let addresses = 0;
/**
 * Returns a new IP address each time, because better-auth counts requests by address across tests.
 */
export const createTestIpAddress = () => `198.51.${++addresses >> 8}.${addresses & 255}`;

/** Posts to better-auth from the dashboard's origin. */
export const postToAuthHandler = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  handleAuthRequest(
    new Request(`${DASHBOARD_TEST_ORIGIN}/api/auth${path}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        origin: DASHBOARD_TEST_ORIGIN,
        'x-threshold-client-ip': createTestIpAddress(),
        ...headers,
      },
    }),
  );

/** Marks every mail as delivered. A delivered mail no longer stores its links. */
export async function markMailsDelivered(): Promise<void> {
  await systemDb().mailMessage.updateMany({ data: { status: 'sent' } });
}

/** Returns the newest queued mail of a template, and the link in it that begins with this path. */
export async function findMailedLink(template: string, path: string) {
  const mail = await readLastOutboundMail({ template });
  const url = mail.text.split(/\s+/).find((word) => word.startsWith(DASHBOARD_TEST_ORIGIN + path)) ?? '';
  return { to: mail.to, team_id: mail.team_id, url };
}

export const getCookieHeader = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

/** Signs in. Returns the session's headers. */
export async function signIn(email: string, password: string, headers: Record<string, string> = {}): Promise<Headers> {
  const response = await postToAuthHandler('/sign-in/email', { email, password }, headers);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return new Headers({ cookie: getCookieHeader(response) });
}

interface Person {
  name: string;
  email: string;
  password: string;
  /** The secret of an invitation link. */
  invitation?: string;
}

/** Creates an account and signs in. Without a mail provider the address needs no confirmation. */
export async function signUp(person: Person): Promise<Headers> {
  const response = await postToAuthHandler('/sign-up/email', person);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return signIn(person.email, person.password);
}

/** Returns the user of a session. */
export async function getSignedInUser(headers: Headers) {
  const { signed_in } = await readSessionContext(headers);
  if (!signed_in) throw new Error('Nobody is signed in.');
  return signed_in;
}

/** Enables the second factor of the signed-in user. */
export async function enableTwoFactor(headers: Headers, password: string) {
  const cookie = headers.get('cookie') ?? '';
  const answer = await postToAuthHandler('/two-factor/enable', { password }, { cookie });
  const { totpURI, backupCodes } = (await answer.json()) as { totpURI: string; backupCodes: string[] };
  // The test may sign in with the current code.
  const code = await computePreviousTotpOfKey(getTotpKey(totpURI));
  const confirmed = await postToAuthHandler('/two-factor/verify-totp', { code }, { cookie });
  if (!answer.ok || !confirmed.ok) throw new Error('Two-factor could not be switched on.');
  return { totpURI, backupCodes, headers: new Headers({ cookie: getCookieHeader(confirmed) }) };
}

/**
 * Calls the dashboard's HTTP route: GET for queries, POST for mutations. Returns the parsed body.
 */
export async function callDashboardRoute(headers: Headers, kind: 'query' | 'mutation', path: string, input?: unknown) {
  const { GET } = await import('@/app/api/trpc/[trpc]/route');
  const search = kind === 'query' && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : '';
  const all = new Headers(headers);
  all.set('x-threshold-mode', 'live');
  all.set('content-type', 'application/json');
  const init =
    kind === 'query' ? { headers: all } : { method: 'POST', headers: all, body: JSON.stringify(input ?? {}) };
  const response = await GET(new Request(`${DASHBOARD_TEST_ORIGIN}/api/trpc/${path}${search}`, init));
  const text = await response.text();
  const answer = JSON.parse(text) as {
    result?: { data: unknown };
    error?: { data: { error: { code: string; param: string | null; message: string; type: string } } };
  };
  return {
    status: response.status,
    headers: response.headers,
    text,
    data: answer.result?.data,
    error: answer.error?.data.error,
  };
}

/** Adds a passkey to the account of the signed-in user. */
export async function addPasskey(
  headers: Headers,
  password?: string,
  key = createTestPasskey(DASHBOARD_TEST_ORIGIN),
  name = 'Laptop',
) {
  const cookie = headers.get('cookie') ?? '';
  const asked = await postToAuthHandler('/passkey/generate-register-options', { password }, { cookie });
  if (!asked.ok) return { key, response: asked };
  const both = `${cookie}; ${getCookieHeader(asked)}`;
  const response = key.register((await asked.json()) as { challenge: string });
  return {
    key,
    response: await postToAuthHandler('/passkey/verify-registration', { response, name }, { cookie: both }),
  };
}

/** Signs in with a passkey in a browser without a session. */
export async function signInWithTestPasskey(key: ReturnType<typeof createTestPasskey>) {
  const asked = await postToAuthHandler('/passkey/generate-authenticate-options', {});
  const response = key.use((await asked.json()) as { challenge: string });
  const answer = await postToAuthHandler(
    '/passkey/verify-authentication',
    { response },
    { cookie: getCookieHeader(asked) },
  );
  return { answer, headers: new Headers({ cookie: getCookieHeader(answer) }) };
}
