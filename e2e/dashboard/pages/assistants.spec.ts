/** Tests how a user connects an assistant in the browser, uses it, and disconnects it. */
import { createHash, randomBytes } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { createTeamWithOwner, expectAccessibleOnAllDevices, signIn } from '../support';

const verifier = randomBytes(32).toString('base64url');

/**
 * Registers an OAuth client. Returns the client with the path of the page that asks a user to give
 * it access.
 */
async function newClient(page: Page, baseURL = '', scope?: string) {
  // The redirect goes to a page of this server, because the browser must be able to load it.
  const redirect_uri = `${baseURL}/settings/sessions`;
  const data = { client_name: 'Helper', redirect_uris: [redirect_uri] };
  const { client_id } = await (await page.request.post('/oauth2/register', { data })).json();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    state: 'xyz',
    resource: `${baseURL}/mcp`,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(scope && { scope }),
  });
  return { client_id, redirect_uri, address: `/oauth2/authorize?${query}` };
}

/** Returns the status of a tool call with a token. */
async function callTool(page: Page, token: string): Promise<number> {
  const response = await page.request.post('/mcp', {
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' },
    data: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'properties_list', arguments: {} } },
  });
  return response.status();
}

test('a member connects an assistant with selected scopes, and disconnects it', { tag: '@smoke' }, async ({
  page,
  baseURL,
}) => {
  const owner = await createTeamWithOwner();
  const { client_id, redirect_uri, address } = await newClient(page, baseURL);
  // A signed-out user signs in first and then returns to this page.
  await page.goto(address);
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Connect an assistant' })).toBeVisible();
  await expect(page.getByText('Helper')).toBeVisible();
  await expect(page.getByText(new URL(baseURL ?? '').host)).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Test data' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'Live data' })).toBeDisabled();
  // No permission is selected in advance.
  await expect(page.getByRole('button', { name: 'Connect' })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('checkbox', { name: 'properties:read' }).check();
  await expectAccessibleOnAllDevices(page);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.waitForURL(/\/settings\/sessions\?.*code=/);
  const code = new URL(page.url()).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id, code, code_verifier: verifier, redirect_uri };
  const { access_token, scope } = await (await page.request.post('/oauth2/token', { form })).json();
  expect(scope).toBe('properties:read offline_access');
  expect(await callTool(page, access_token)).toBe(200);

  await page.goto('/settings/sessions');
  const assistants = page.getByRole('list', { name: 'Connected assistants' }).getByRole('listitem');
  await expect(assistants).toHaveCount(1);
  for (const shown of ['Helper', 'Test data', 'properties:read']) await expect(assistants).toContainText(shown);
  await expectAccessibleOnAllDevices(page);
  await assistants.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('No assistant is connected.')).toBeVisible();
  expect(await callTool(page, access_token)).toBe(401);
  await page.goto('/settings/audit-log');
  await expect(page.getByText('Disconnected an assistant').filter({ visible: true })).toBeVisible();
});

test('a member refuses an assistant, and a tampered authorization request is rejected', async ({ page, baseURL }) => {
  await signIn(page, await createTeamWithOwner());
  const { address } = await newClient(page, baseURL, 'reservations:read events:read');
  await page.goto(address);
  await expect(page.getByRole('checkbox')).toHaveCount(2);
  const changed = page.url().replace('events%3Aread', 'webhooks%3Awrite');
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.waitForURL(/\/settings\/sessions\?.*error=access_denied/);
  await page.goto(changed);
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByText('The request is not valid.')).toBeVisible();
  await page.goto('/connect-assistant?error=invalid_client');
  await expect(page.getByText('The request is not valid.')).toBeVisible();
});
