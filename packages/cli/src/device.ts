/** Has somebody let this machine in who is signed in to the dashboard: the OAuth 2.0 Device Authorization Grant (RFC 8628). */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { cell, note } from './output.js';
import { Failure } from './usage.js';

const CLIENT_ID = 'threshold-cli';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** By how much longer to wait when told to (RFC 8628, 3.5). */
const SLOWER_BY_S = 5;

export interface Wanted {
  readonly mode: 'live' | 'test';
  /** Of a restricted key. Empty: everything, unless the owner allows less. */
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

/** Shows where to go, waits for the answer there, and gives the key. Throws Failure. */
export async function keyByDevice(api_root: string, { mode, scopes }: Wanted): Promise<string> {
  const doors = `${new URL(api_root).origin}/api/device`;
  const device = { mode, scope: scopes.join(' '), device_name: hostname() };
  const codes = await post<Codes>(`${doors}/code`, device);
  if (!codes) throw new Failure('The server could not be reached. Is that where the API is?');
  if ('error' in codes) throw new Failure(cell(codes.error_description ?? codes.error));
  note(`Open  ${cell(codes.verification_uri_complete)}
and allow it there, if that page shows the code  ${cell(codes.user_code)}
On another machine open ${cell(codes.verification_uri)} and type the code. Waiting, for ${Math.round(codes.expires_in / 60)} minutes at most …`);
  return waitForKey(`${doors}/token`, codes);
}

async function waitForKey(door: string, { device_code, expires_in, interval }: Codes): Promise<string> {
  const until = Date.now() + expires_in * 1000;
  for (let wait_s = interval; Date.now() < until; ) {
    await sleep(wait_s * 1000);
    const answer = await post<{ access_token: string; expires_in?: number }>(door, { grant_type: GRANT, device_code });
    // Whoever waits ten minutes waits out a network that is gone for one.
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
        answer.error_description ? `It was refused: ${cell(answer.error_description)}` : 'It was refused.',
      );
    else if (answer.error !== 'expired_token') throw new Failure(`It failed: ${cell(answer.error)}.`);
    else break;
  }
  throw new Failure('The code is over: nobody allowed it in time. Run threshold login again.');
}

/** Null when nothing answered that can be understood: the network, or a proxy while the server starts again. */
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
