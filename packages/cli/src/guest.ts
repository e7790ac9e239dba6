/** Signs a test reservation as its guest would, with plain HTTP. */
import type { Threshold } from '@threshold/client';
import { Failure } from './usage.js';

const USER_AGENT = 'Mozilla/5.0 threshold-cli';
const hidden = (page: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

async function linkOf(client: Threshold, id: string): Promise<string> {
  const { signingUrl } = await client.reservations.copyLink(id);
  if (!signingUrl)
    throw new Failure(`${id} has no link. Send the reservation first (threshold reservations send ${id}).`);
  return signingUrl;
}

/**
 * Opens the page as a person does, which counts as a view. The page does not contain withheld
 * arrival details.
 */
export async function openAsGuest(client: Threshold, id: string): Promise<{ url: string; page: string }> {
  const url = await linkOf(client, id);
  const headers = { 'User-Agent': USER_AGENT, 'Accept-Language': 'en' };
  const shown = await fetch(url, { headers });
  if (!shown.ok) throw new Failure(`The guest’s page returned ${shown.status}.`);
  const page = await shown.text();
  await fetch(`${url}/view`, { method: 'POST', headers: { ...headers, Origin: new URL(url).origin } });
  return { url, page };
}

/**
 * Opens the page, accepts the rules and signs. Throws Failure when the page requires more than a
 * name.
 */
export async function signAsGuest(client: Threshold, id: string, typed_name: string): Promise<void> {
  const { url, page } = await openAsGuest(client, id);
  const displayed_hash = hidden(page, 'displayed_hash');
  if (!/^[0-9a-f]{64}$/.test(displayed_hash))
    throw new Failure('The page has nothing to sign. Check the reservation’s status.');
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'User-Agent': USER_AGENT, Origin: new URL(url).origin },
    body: new URLSearchParams({ intent: 'sign', typed_name, consent: 'on', displayed_hash, locale: 'en' }),
  });
  if (answer.status !== 303)
    throw new Failure(
      'The page did not accept the signature. The property may require a photo or a code. Open the link in a browser and sign there.',
    );
}
