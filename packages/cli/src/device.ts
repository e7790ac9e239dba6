/**
 * Gets a key with the OAuth 2.0 Device Authorization Grant (RFC 8628). A user who is signed in to
 * the dashboard approves the request.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { cell, note } from './output.js';
import { Failure } from './usage.js';

const CLIENT_ID = 'threshold-cli';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** The number of seconds by which the interval grows after `slow_down` (RFC 8628, 3.5). */
const SLOWER_BY_S = 5;

export interface Wanted {
  readonly mode: 'live' | 'test';
  /**
   * The requested scopes of a restricted key. An empty list requests all scopes. The owner may
   * allow fewer.
   */
  readonly scopes: readonly string[];
}

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

interface Refusal {
  readonly error: string;
  readonly error_description?: string;
}

/** Shows the page to open, waits for the user's decision, and returns the key. Throws Failure. */
export async function keyByDevice(api_root: string, { mode, scopes }: Wanted): Promise<string> {
  const doors = `${new URL(api_root).origin}/api/device`;
  const device = { mode, scope: scopes.join(' '), device_name: hostname() };
  const codes = await post<Codes>(`${doors}/code`, device);
  if (!codes) throw new Failure('The server could not be reached. Check the URL of the API.');
  if ('error' in codes) throw new Failure(cell(codes.error_description ?? codes.error));
  note(`Open  ${cell(codes.verification_uri_complete)}
and allow access if the page shows the code  ${cell(codes.user_code)}
On another device open ${cell(codes.verification_uri)} and enter the code. Waiting up to ${Math.round(codes.expires_in / 60)} minutes …`);
  return waitForKey(`${doors}/token`, codes);
}

async function waitForKey(door: string, { device_code, expires_in, interval }: Codes): Promise<string> {
  const until = Date.now() + expires_in * 1000;
  for (let wait_s = interval; Date.now() < until; ) {
    await sleep(wait_s * 1000);
    const answer = await post<{ access_token: string; expires_in?: number }>(door, { grant_type: GRANT, device_code });
    // After a network failure, polling continues until the code expires.
    if (!answer || ('error' in answer && answer.error === 'authorization_pending')) continue;
    if (!('error' in answer)) {
      const { access_token, expires_in } = answer;
      if (expires_in)
        note(`The key works until ${new Date(Date.now() + expires_in * 1000).toISOString().slice(0, 10)}.`);
      return access_token;
    }
    if (answer.error === 'slow_down') wait_s += SLOWER_BY_S;
    else if (answer.error === 'access_denied')
      throw new Failure(
        answer.error_description ? `Access was refused: ${cell(answer.error_description)}` : 'Access was refused.',
      );
    else if (answer.error !== 'expired_token') throw new Failure(`The login failed: ${cell(answer.error)}.`);
    else break;
  }
  throw new Failure('The code has expired. Run threshold login again.');
}

/**
 * Posts a form. Returns null for a response that cannot be read. The network may have failed, or a
 * proxy responded while the server restarts.
 */
async function post<Answer>(url: string, form: Record<string, string>): Promise<Answer | Refusal | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ client_id: CLIENT_ID, ...form }),
      redirect: 'error',
    });
    const body = await response.json();
    return response.status < 500 ? body : null;
  } catch {
    return null;
  }
}
