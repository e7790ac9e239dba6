/**
 * Acts as the guest: opens the link from the mail and signs over plain HTTP, like a browser without
 * JavaScript.
 */
import { expectEqual, expectTrue } from './checks';

export interface GuestClient {
  /** Returns the page as HTML. */
  open(): Promise<string>;
  /** Sends the request that the page's script sends once a person views the page. */
  look(): Promise<void>;
  /** Enters the name, gives consent and signs the displayed content. Returns the next page. */
  sign(shown: string, typed_name: string): Promise<string>;
}

const USER_AGENT = 'Mozilla/5.0 (Linux; Android 15; demonstration) Chrome/131.0 Mobile Safari/537.36';

/** Returns the path of the signing link in a mail's text: `/sign/<token>`. */
export function extractSigningUrlPathFromMail(text: string): string {
  const path = /\/sign\/[A-Za-z0-9_-]+/.exec(text)?.[0];
  expectTrue('the mail holds a link /sign/<token>', path !== undefined);
  return path ?? '';
}

const hiddenField = (page: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

/** Creates a guest with a link. `origin` is the server's address. */
export function createGuestClient(origin: string, path: string): GuestClient {
  const url = `${origin}${path}`;
  const headers = { 'User-Agent': USER_AGENT, 'Accept-Language': 'en' };
  async function open(at = url): Promise<string> {
    const response = await fetch(at, { headers });
    expectEqual(`GET ${path.replace(/[^/]+$/, '…')}`, response.status, 200);
    return response.text();
  }
  return {
    open: () => open(),
    async look() {
      const response = await fetch(`${url}/view`, { method: 'POST', headers: { ...headers, Origin: origin } });
      expectTrue(`the beacon is answered with 2xx, not ${response.status}`, response.ok);
    },
    async sign(shown, typed_name) {
      const displayed_hash = hiddenField(shown, 'displayed_hash');
      expectTrue('the page contains the hash of the displayed content', /^[0-9a-f]{64}$/.test(displayed_hash));
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...headers, Origin: origin },
        body: new URLSearchParams({ intent: 'sign', typed_name, consent: 'on', displayed_hash, locale: 'en' }),
      });
      expectEqual('the signature is accepted', response.status, 303);
      return open(new URL(response.headers.get('location') ?? '', url).href);
    },
  };
}
