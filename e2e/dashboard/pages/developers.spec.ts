import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { verifyWebhookSignature } from '../../../src/testing/receiver';
import {
  type CreatedTeamOwner,
  callTrpcMutation,
  createTeamWithOwner,
  expectAccessible,
  expectAccessibleOnPhone,
  findInvitationPath,
  makePropertyWithoutRules,
  setLiveOrTestMode,
  signIn,
} from '../support';

let owner: CreatedTeamOwner;
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>;
let receiver: Receiver;

/** A receiver whose response a test chooses. */
interface Receiver {
  url: string;
  status: number;
  got: { headers: Record<string, string | string[] | undefined>; body: string }[];
  server: Server;
}

async function startReceiver(): Promise<Receiver> {
  const state = { status: 200, got: [] as Receiver['got'] };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      state.got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(receiver.status).end(receiver.status < 300 ? 'thank you' : 'the receiver is broken');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` });
}

test.beforeAll(async ({ browser }) => {
  receiver = await startReceiver();
  owner = await createTeamWithOwner();
  const page = await browser.newPage();
  await signIn(page, owner);
  cookies = await page.context().cookies();
  await page.close();
});
test.afterAll(async () => {
  receiver.server.closeAllConnections();
  await new Promise((resolve) => receiver.server.close(resolve));
});

test.beforeEach(async ({ page, baseURL }) => {
  await page.context().addCookies(cookies);
  await setLiveOrTestMode(page, baseURL, 'test');
  receiver.status = 200;
  receiver.got = [];
});

const dialog = (page: Page) => page.getByRole('dialog');
const ask = (baseURL: string | undefined, key: string, path = '/v1/reservations') =>
  fetch(`${baseURL}${path}`, { headers: { Authorization: `Bearer ${key}`, 'User-Agent': 'smart-lock/2' } });

async function shownKey(page: Page): Promise<string> {
  const key = await dialog(page).getByTitle('API key').textContent();
  expect(key).toMatch(/^service_(live|test)_(sk|rk)_/);
  return key ?? '';
}

async function shownSecret(page: Page): Promise<string> {
  const secret = (await dialog(page).getByTitle('signing secret').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await dialog(page).getByRole('button', { name: 'I have stored it' }).click();
  return secret;
}

function isSignedWith(secret: string): boolean {
  const last = receiver.got.at(-1);
  return verifyWebhookSignature(
    String(last?.headers['service-signature']),
    last?.body ?? '',
    secret,
    Date.now() / 1000,
  );
}

test('a key is created, used, rotated and revoked; the old key is deprecated, the revoked one rejected', {
  tag: '@smoke',
}, async ({ page, baseURL }) => {
  await page.goto('/developers/api-keys');
  await expect(page.getByText('No active test-mode keys')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await dialog(page).getByRole('button', { name: 'Create key' }).click();
  await expect(dialog(page).getByText('Enter a name for the key.')).toBeVisible();
  await dialog(page).getByLabel('Name').fill('Channel manager');
  await dialog(page).getByRole('button', { name: 'Create key' }).click();
  const key = await shownKey(page);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog(page).getByRole('alert')).toContainText('Store it first');
  await dialog(page).getByRole('button', { name: 'I have stored it' }).click();
  await expect(page.getByText(key)).toHaveCount(0);

  expect((await ask(baseURL, key)).status).toBe(200);
  const table = page.getByRole('table', { name: 'API keys' });
  const row = table.getByRole('row').filter({ hasText: key.slice(-4) });
  await expect(row).toContainText('Active');
  // The server stores the time of a key's last use in batches, with a short delay.
  await expect(async () => {
    await page.reload();
    await expect(row).toBeVisible();
    await expect(row).not.toContainText('Never', { timeout: 1_000 });
  }).toPass();

  await row.getByRole('button', { name: 'Rotate' }).click();
  await dialog(page).getByRole('button', { name: 'Create new key' }).click();
  const successor = await shownKey(page);
  await dialog(page).getByRole('button', { name: 'I have stored it' }).click();
  expect(successor).not.toBe(key);

  const old = await ask(baseURL, key, '/v1/certificates');
  expect(old.status).toBe(200);
  expect(old.headers.get('deprecation')).toBe('true');
  expect((await ask(baseURL, successor)).headers.get('deprecation')).toBeNull();

  const countdown = page.getByRole('region', { name: 'Old key Channel manager' });
  await expect(countdown).toContainText(/23 h \d\d min left/);
  const calls = countdown.getByRole('table', { name: 'Requests that still use the old key' });
  await expect(async () => {
    await page.reload();
    await expect(calls).toContainText('GET /v1/certificates', { timeout: 2_000 });
  }).toPass();
  await expect(calls).toContainText('smart-lock/2');
  await expectAccessible(page);
  await countdown.getByRole('link', { name: 'Show these requests in the request log' }).click();
  await expect(page).toHaveURL(/\/developers\/logs\?key=key_/);
  await expect(page.getByRole('table', { name: 'Requests', exact: true })).toContainText('GET /v1/certificates');
  await page.goBack();

  await table
    .getByRole('row')
    .filter({ hasText: successor.slice(-4) })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await dialog(page).getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('“Channel manager” was revoked.')).toBeVisible();
  const refused = await ask(baseURL, successor);
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ error: { code: 'api_key_revoked' } });

  await countdown.getByRole('button', { name: 'End now' }).click();
  await dialog(page).getByRole('button', { name: 'Revoke key' }).click();
  // While the dialog is open, the page behind it is hidden and tests cannot find its elements.
  await expect(dialog(page)).toHaveCount(0);
  await expect(countdown).toHaveCount(0);
  expect((await ask(baseURL, key)).status).toBe(401);
  await page.getByRole('button', { name: 'Show inactive keys' }).click();
  await expect(table.getByText('Revoked')).toHaveCount(2);
});

test('a restricted key can do what was selected, and the request log shows the exact error', async ({
  page,
  baseURL,
}) => {
  await page.goto('/developers/api-keys');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await dialog(page).getByLabel('Name').fill('Reader');
  await dialog(page).getByLabel('Only selected permissions (restricted key)').check();
  await dialog(page).getByRole('button', { name: 'Create key' }).click();
  await expect(dialog(page).getByText('Choose at least one scope.')).toBeVisible();
  await dialog(page).getByLabel('certificates:read').check();
  await dialog(page).getByLabel('reservations:write').check();
  // Write permission includes read permission.
  await expect(dialog(page).getByLabel('reservations:read')).toBeChecked();
  await expect(dialog(page).getByLabel('reservations:read')).toBeDisabled();
  await expectAccessible(page);
  await dialog(page).getByLabel('Allowed IP addresses').fill('not an address');
  await dialog(page).getByRole('button', { name: 'Create key' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('is not an IP address or CIDR range');
  await dialog(page).getByLabel('Allowed IP addresses').fill('127.0.0.1\n::1');
  await dialog(page).getByRole('button', { name: 'Create key' }).click();
  const key = await shownKey(page);
  expect(key).toMatch(/^service_test_rk_/);
  await dialog(page).getByRole('button', { name: 'I have stored it' }).click();

  expect((await ask(baseURL, key)).status).toBe(200);
  const refused = await ask(baseURL, key, '/v1/properties');
  expect(refused.status).toBe(403);
  const body = await refused.text();
  const request_id = refused.headers.get('x-request-id') ?? '';

  await page.goto('/developers/logs');
  await page.getByRole('button', { name: 'Status: Any status' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Refused (4xx)' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Failed (5xx)' }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/status=4xx%2C5xx/);
  await page.getByLabel('Path contains').fill('propert');
  await expect(page).toHaveURL(/path=propert/);
  const table = page.getByRole('table', { name: 'Requests', exact: true });
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table).toContainText('insufficient_scope');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(table).toContainText('/v1/reservations');

  await page.getByLabel('Request ID').fill(`X-Request-Id: ${request_id}`);
  await page.getByLabel('Request ID').press('Enter');
  await expect(page).toHaveURL(`/developers/logs/${request_id}`);
  await page.getByRole('button', { name: 'Original' }).click();
  await expect(page.getByRole('region', { name: 'Response body' })).toHaveText(body);
  await expectAccessible(page);
});

test('a logged request hides guest data, copies as curl, and links to its object, event and delivery', async ({
  page,
  baseURL,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const endpoint = await callTrpcMutation<{ id: string }>(page, 'test', 'webhook_endpoints.create', {
    url: receiver.url,
    description: 'Guidebook, production',
  });
  const property_id = await makePropertyWithoutRules(page, 'test', 'Harbour Loft');
  const { key } = await callTrpcMutation<{ key: string }>(page, 'test', 'api_keys.create', {
    name: 'Curl',
    scopes: null,
  });
  await page.goto('/developers/logs');
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible();
  const made = await fetch(`${baseURL}/v1/reservations`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'a-key' },
    body: JSON.stringify({
      property_id,
      guest_name: 'Grace Hopper',
      guest_email: 'grace@example.com',
      checkin_date: '2027-12-24',
      checkout_date: '2027-12-27',
      source: 'direct',
    }),
  });
  const { id } = (await made.json()) as { id: string };
  // The table is updated without a reload.
  const table = page.getByRole('table', { name: 'Requests', exact: true });
  await expect(table).toContainText('POST /v1/reservations');
  await page.getByRole('button', { name: 'Pause' }).click();
  const before = await table.getByRole('row').count();
  await ask(baseURL, key, '/v1/reservations?status=sent');
  await page.waitForTimeout(3_000);
  expect(await table.getByRole('row').count()).toBe(before);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(table).toContainText('GET /v1/reservations?status=sent');
  await expectAccessible(page);

  await table.getByRole('link', { name: 'POST /v1/reservations' }).click();
  const body = page.getByRole('region', { name: 'Request body' });
  await expect(body).toContainText('"checkin_date": "2027-12-24"');
  await expect(body).toContainText('"guest_email": "[redacted]"');
  await expect(page.getByRole('link', { name: id })).toHaveAttribute('href', `/reservations/${id}`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await expect(page.getByText('Copied as curl.')).toBeVisible();
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  expect(curl).toContain(`curl -X POST '${baseURL}/v1/reservations'`);
  expect(curl).toContain('Bearer $THRESHOLD_API_KEY');
  expect(curl).not.toContain(key.slice(-12));
  expect(curl).not.toMatch(/grace|a-key/i);

  await expect(page.getByRole('list', { name: 'Deliveries of reservation.created' })).toContainText('Accepted, 200');
  await page.getByRole('list', { name: 'Deliveries of reservation.created' }).getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/developers/webhooks/${endpoint.id}.*delivery=`));
  await expect(dialog(page)).toContainText('reservation.created, to Guidebook, production');
  await page.goBack();
  await page.getByRole('link', { name: 'reservation.created' }).first().click();
  await expect(page.getByText('Caused by request')).toBeVisible();
  await page.getByRole('link', { name: /^req_/ }).click();
  await expect(body).toBeVisible();
  await callTrpcMutation(page, 'test', 'webhook_endpoints.delete', { id: endpoint.id });
});

test('each mode has at most three keys, and the button explains it', async ({ page, baseURL }) => {
  for (const name of ['A', 'B', 'C']) await callTrpcMutation(page, 'live', 'api_keys.create', { name, scopes: null });
  await setLiveOrTestMode(page, baseURL, 'live');
  await page.goto('/developers/api-keys');
  const create = page.getByRole('button', { name: 'Create key' });
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await create.focus();
  await expect(page.getByRole('tooltip')).toContainText('has reached its limit of 3 keys');
});

test('an endpoint lists its deliveries, is disabled after failures, is re-enabled, and resumes', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto('/developers/webhooks');
  await page.getByRole('button', { name: 'Create endpoint' }).first().click();
  await dialog(page).getByLabel('URL').fill('ftp://example.com');
  await dialog(page).getByRole('button', { name: 'Create endpoint' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('https');
  await expectAccessible(page);
  await dialog(page).getByLabel('URL').fill(receiver.url);
  await dialog(page).getByRole('button', { name: 'Create endpoint' }).click();
  const secret = await shownSecret(page);
  await page.getByRole('table', { name: 'Webhook endpoints' }).getByRole('link', { name: receiver.url }).click();
  await expect(page.getByText('Nothing sent yet')).toBeVisible();
  await expectAccessible(page);

  // A test event is a real delivery. The page shows the receiver's response.
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await dialog(page).getByLabel('Event type').selectOption('reservation.arrival_details_released');
  await dialog(page).getByRole('button', { name: 'Send', exact: true }).click();
  await expect(dialog(page).getByText('Accepted, 200')).toBeVisible();
  await expect(dialog(page).getByRole('region', { name: 'Body (first 1 KiB)' })).toHaveText('thank you');
  await expectAccessible(page);
  expect(receiver.got).toHaveLength(1);
  expect(isSignedWith(secret)).toBe(true);
  expect(JSON.parse(receiver.got[0]?.body ?? '')).toMatchObject({
    type: 'reservation.arrival_details_released',
    livemode: false,
    data: { test_event: true, arrival_release: { state: 'released' } },
  });
  await dialog(page).getByRole('button', { name: 'Close' }).first().click();

  // These deliveries really fail, and are retried on the test server's short schedule.
  receiver.status = 500;
  await makePropertyWithoutRules(page, 'test', 'Harbour Loft');
  const banner = page.getByText('This endpoint was disabled because its deliveries kept failing.');
  await expect(banner).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/9 attempts to deliver evt_\w+ failed/)).toBeVisible();
  await expect(page.getByText('Disabled after failures')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Show what failed' }).click();
  await expect(page).toHaveURL(/status=failed/);
  const deliveries = page.getByRole('table', { name: 'Deliveries', exact: true });
  // The list contains one event, which has nine attempts.
  await expect(deliveries.getByRole('row')).toHaveCount(2);
  await deliveries.getByRole('button', { name: 'Attempt 9, retry: Refused, 500' }).click();
  await expect(dialog(page).getByRole('region', { name: 'Body (first 1 KiB)' })).toHaveText('the receiver is broken');
  await expect(dialog(page).getByText('Refused, 500')).toBeVisible();
  await page.keyboard.press('Escape');

  // Events that occur while the endpoint is disabled are not delivered, but can be sent later.
  await makePropertyWithoutRules(page, 'test', 'Lighthouse');
  receiver.status = 200;
  receiver.got = [];
  await page.getByRole('button', { name: 'Re-enable' }).click();
  await expect(page.getByText('Endpoint enabled.')).toBeVisible();
  await expect(banner).toHaveCount(0);
  await expect.poll(() => receiver.got.length, { timeout: 20_000 }).toBe(1);
  expect(JSON.parse(receiver.got[0]?.body ?? '').data.object.name).toBe('Harbour Loft');
  await makePropertyWithoutRules(page, 'test', 'Boathouse');
  await expect.poll(() => receiver.got.length).toBe(2);

  await page.getByRole('button', { name: 'Redeliver failed events' }).click();
  await expect(dialog(page).getByText('1 event would be sent again.')).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => receiver.got.length).toBe(3);
  expect(JSON.parse(receiver.got[2]?.body ?? '').data.object.name).toBe('Lighthouse');

  // Missed events can also be sent one by one.
  await page.goto(page.url().split('?')[0] ?? '');
  await deliveries.getByRole('button', { name: 'property.created' }).first().click();
  await dialog(page).getByRole('button', { name: 'Redeliver' }).click();
  await expect(page.getByText('The event was queued again.')).toBeVisible();
  await expect.poll(() => receiver.got.length).toBe(4);
  await expect(dialog(page).getByText('Accepted, 200')).toBeVisible();
  await page.keyboard.press('Escape');

  await callTrpcMutation(page, 'test', 'webhook_endpoints.delete', {
    id: new URL(page.url()).pathname.split('/').at(-1),
  });
});

test('both secrets sign after a rotation; an endpoint is disabled, enabled and deleted', async ({ page }) => {
  const { id, signing_secret } = await callTrpcMutation<{ id: string; signing_secret: string }>(
    page,
    'test',
    'webhook_endpoints.create',
    { url: receiver.url },
  );
  await page.goto(`/developers/webhooks/${id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rotate signing secret' }).click();
  await dialog(page).getByRole('button', { name: 'Create new secret' }).click();
  const rotated = await shownSecret(page);
  await makePropertyWithoutRules(page, 'test', 'Windmill');
  await expect.poll(() => receiver.got.length).toBe(1);
  expect([signing_secret, rotated].map(isSignedWith)).toEqual([true, true]);
  await expect(page.getByText(/23 h \d\d min left/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await dialog(page).getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByText('This endpoint is disabled.')).toBeVisible();
  await page.getByRole('button', { name: 'Enable', exact: true }).click();
  await expect(page.getByText('This endpoint is disabled.')).toHaveCount(0);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog(page).getByRole('button', { name: 'Delete endpoint' }).click();
  await expect(page).toHaveURL('/developers/webhooks');
  await expect(page.getByText('No endpoints yet')).toBeVisible();
});

test('an endpoint’s custom headers are sent but never shown, and its daily mail can be switched off', async ({
  page,
  baseURL,
}) => {
  await page.goto('/developers/webhooks');
  await page.getByRole('button', { name: 'Create endpoint' }).first().click();
  await dialog(page).getByLabel('URL').fill(receiver.url);
  await dialog(page).getByLabel('Description').fill('Guidebook, production');
  await dialog(page).getByLabel('Headers').fill('Host: elsewhere');
  await dialog(page).getByRole('button', { name: 'Create endpoint' }).click();
  await expect(dialog(page).getByText('Host: is a header that deliveries set themselves')).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByLabel('Headers').fill('X-Gateway-Key: k_4f9c\nX-Tenant: north');
  await dialog(page).getByRole('button', { name: 'Create endpoint' }).click();
  await shownSecret(page);
  await page.getByRole('link', { name: 'Guidebook, production' }).click();
  await expect(page.getByRole('heading', { name: 'Guidebook, production', level: 1 })).toBeVisible();
  await expect(page.getByText(receiver.url)).toBeVisible();
  await expect(page.getByText('X-Gateway-Key, X-Tenant')).toBeVisible();
  await makePropertyWithoutRules(page, 'test', 'Lighthouse');
  await expect.poll(() => receiver.got.at(-1)?.headers['x-gateway-key']).toBe('k_4f9c');
  // Saving the form without changing the headers keeps the headers.
  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog(page).getByLabel('Description').fill('');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: receiver.url, level: 1 })).toBeVisible();
  await expect(page.getByText('X-Gateway-Key, X-Tenant')).toBeVisible();
  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog(page).getByLabel('Remove headers').check();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('X-Gateway-Key, X-Tenant')).toHaveCount(0);
  await callTrpcMutation(page, 'test', 'webhook_endpoints.delete', {
    id: new URL(page.url()).pathname.split('/').at(-1),
  });

  await setLiveOrTestMode(page, baseURL, 'live');
  const live = await callTrpcMutation<{ id: string }>(page, 'live', 'webhook_endpoints.create', { url: receiver.url });
  await page.goto(`/developers/webhooks/${live.id}`);
  const mail = page.getByRole('switch', { name: 'Daily email about failures' });
  await expect(mail).toBeChecked();
  await expectAccessible(page);
  await mail.click();
  await expect(mail).not.toBeChecked();
  await page.reload();
  await expect(mail).not.toBeChecked();
  await callTrpcMutation(page, 'live', 'webhook_endpoints.delete', { id: live.id });
});

test('events are filtered and shown with their payload and deliveries', async ({ page }) => {
  const property = await makePropertyWithoutRules(page, 'test', 'Mill');
  await page.goto('/developers/events');
  const table = page.getByRole('table', { name: 'Events', exact: true });
  await page.getByRole('combobox', { name: 'Event type' }).click();
  await page.getByRole('option', { name: 'property.created' }).click();
  await expect(page).toHaveURL(/type=property\.created/);
  await page.getByLabel('Object ID').fill(property);
  await expect(page).toHaveURL(new RegExp(`object=${property}`));
  await expect(table.getByRole('row')).toHaveCount(2);
  await expectAccessible(page);
  await table.getByRole('link').click();
  await expect(page).toHaveURL(/\/developers\/events\/evt_/);
  await expect(page.getByRole('region', { name: 'Body' })).toContainText('"name": "Mill"');
  await expect(page.getByText('No enabled endpoint was subscribed')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/developers/events/evt_00000000000000000000000000');
  await expect(page.getByText('This event does not exist')).toBeVisible();
});

test('a member sees keys and endpoints, and why he cannot change them', async ({ page, browser, baseURL }) => {
  const email = `member-${Date.now()}@example.com`;
  const token = (await findInvitationPath(page, email)).split('/').at(-1);
  await callTrpcMutation(page, 'test', 'api_keys.create', { name: 'Team key', scopes: null });
  const context = await browser.newContext({ baseURL });
  const member = await context.newPage();
  const origin = { origin: baseURL ?? '' };
  const signed_up = await member.request.post('/api/auth/sign-up/email', {
    headers: origin,
    data: { email, password: 'a long password', name: 'Mo' },
  });
  expect(signed_up.ok()).toBe(true);
  await signIn(member, { email, password: 'a long password' });
  await callTrpcMutation(member, 'test', 'accounts.accept_invitation', { token });
  await setLiveOrTestMode(member, baseURL, 'test');
  await member.goto('/developers/api-keys');
  await expect(member.getByRole('table', { name: 'API keys' })).toContainText('Team key');
  const create = member.getByRole('button', { name: 'Create key' });
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await create.focus();
  await expect(member.getByRole('tooltip')).toContainText('Only a team owner');
  await member.keyboard.press('Escape');
  await expect(member.getByRole('tooltip')).toHaveCount(0);
  await expect(member.getByRole('button', { name: 'Revoke' }).first()).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(member);
  for (const [path, data] of [
    ['api_keys.create', { name: 'B', scopes: null }],
    ['webhook_endpoints.enable', { id: 'whe_00000000' }],
    ['webhook_endpoints.switch_digest', { id: 'whe_00000000', digest: false }],
  ] as const) {
    const answer = await member.request.post(`/api/trpc/${path}`, { headers: { 'x-threshold-mode': 'test' }, data });
    expect(answer.status()).toBe(403);
  }
  await context.close();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('every developer page fits and is accessible', async ({ page, baseURL }) => {
    await page.context().clearCookies();
    await signIn(page, await createTeamWithOwner());
    await setLiveOrTestMode(page, baseURL, 'test');
    await makePropertyWithoutRules(page, 'test', 'Cabin');
    const endpoint = await callTrpcMutation<{ id: string }>(page, 'test', 'webhook_endpoints.create', {
      url: receiver.url,
    });
    const delivery = await callTrpcMutation<{ id: string }>(page, 'test', 'webhook_endpoints.send_test', {
      id: endpoint.id,
      type: 'packet.updated',
    });
    const { key, api_key } = await callTrpcMutation<{ key: string; api_key: { id: string } }>(
      page,
      'test',
      'api_keys.create',
      {
        name: 'Phone',
        scopes: ['certificates:read', 'webhooks:write'],
      },
    );
    await callTrpcMutation(page, 'test', 'api_keys.rotate', { id: api_key.id });
    const refused = await ask(baseURL, key, '/v1/properties/prop_00000000');
    const request_id = refused.headers.get('x-request-id') ?? '';
    await expect.poll(() => receiver.got.length).toBe(1);
    const event_id = String(receiver.got[0]?.headers['service-event-id']);
    await expectAccessibleOnPhone(page, [
      '/developers/api-keys',
      '/developers/webhooks',
      `/developers/webhooks/${endpoint.id}`,
      `/developers/webhooks/${endpoint.id}?delivery=${delivery.id}`,
      '/developers/events',
      `/developers/events/${event_id}`,
      '/developers/logs',
      `/developers/logs/${request_id}`,
    ]);
  });
});
