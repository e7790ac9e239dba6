/**
 * Tests the documentation in a browser: with and without its script, in both color schemes, and on
 * a phone.
 */
import { expect, test } from '../fixtures';
import { findAccessibilityViolations } from '../support/axe';

const PAGES = [
  '',
  '/hosts/first-hour',
  '/hosts/members',
  '/quick-start',
  '/webhooks',
  '/errors',
  '/events',
  '/reference',
  '/reference/packets',
];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1440]) {
    test(`reads well at ${width} in ${colorScheme}`, async ({ browser, baseURL }) => {
      const context = await browser.newContext({ baseURL, colorScheme, viewport: { width, height: 900 } });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      for (const path of PAGES) {
        await page.goto(`/docs${path}`);
        expect(await findAccessibilityViolations(page), path).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(width);
      }
      expect(complaints).toEqual([]);
      await context.close();
    });
  }
}

test('the search finds a heading with the keyboard alone', { tag: '@smoke' }, async ({ page }) => {
  await page.goto('/docs');
  await page.keyboard.press('/');
  await page.keyboard.type('idempotency mismatch');
  await expect(page.getByRole('option').first()).toContainText('idempotency_key_mismatch');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/errors#idempotency_key_mismatch$/);
  await expect(page.getByRole('heading', { name: 'idempotency_key_mismatch' })).toBeInViewport();
  await page.getByRole('combobox').fill('zzzz');
  await expect(page.getByText('No results.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('No results.')).toBeHidden();
});

test('a programming language selected once applies to every page, and its sample can be copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs/quick-start');
  await page.getByText('Python', { exact: true }).click();
  await page.goto('/docs/webhooks');
  const verify = page.locator('figure', { hasText: 'verify.py' }).first();
  await expect(verify).toBeVisible();
  await verify.getByRole('button', { name: 'Copy' }).click();
  await expect(verify.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('def verify(body: bytes');
});

test('the choice of light or dark persists', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/docs');
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  await expect(page.locator('html')).toHaveClass('dark');
  await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible();
  await expect(page.locator('html')).toHaveClass('dark');
});

test('all text and the choice of a language work without JavaScript', async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL,
    javaScriptEnabled: false,
    viewport: { width: 390, height: 800 },
  });
  const page = await context.newPage();
  await page.goto('/docs/quick-start');
  await expect(page.getByRole('searchbox')).toBeHidden();
  await page.getByText('Ruby', { exact: true }).click();
  await expect(page.getByText('quick_start.rb')).toBeVisible();
  await page.getByText('Get started · Quick start').click();
  await page.getByRole('link', { name: 'Rate limits', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Rate limits' })).toBeVisible();
  await context.close();
});

/**
 * Help pages for hosts, each with the dashboard pages that link to it. The test adds the help page
 * `arrival-details`, because the paths of its dashboard pages contain ids.
 */
const HELP = {
  'first-hour': ['/properties'],
  calendars: ['/calendars'],
  emails: ['/outbox', '/outbox/templates', '/calendars/inbox', '/settings/notifications'],
  disputes: ['/certificates'],
  members: ['/settings/members'],
  'data-requests': ['/settings/data'],
};

test('the dashboard links from each topic to its help page for hosts', async ({ page, signIn, api }) => {
  const property = await api.post('/properties', { name: 'Harbour Loft' });
  const reservation = await api.post('/reservations', {
    ...{ property_id: property.id, guest_name: 'Ada Lovelace', guest_email: 'ada@example.com' },
    ...{ checkin_date: '2030-05-01', checkout_date: '2030-05-05' },
  });
  await signIn(page);
  await page.context().addCookies([{ name: 'threshold_mode', value: 'test', url: page.url() }]);
  const places = {
    ...HELP,
    'arrival-details': [`/reservations/${reservation.id}`, `/properties/${property.id}/packets/default`],
  };
  for (const [name, paths] of Object.entries(places)) {
    for (const path of paths) {
      await page.goto(path);
      const link = page.getByRole('main').getByRole('link', { name: 'Help', exact: true });
      await expect(link.first(), path).toHaveAttribute('href', `/docs/hosts/${name}`);
    }
    expect((await page.request.get(`/docs/hosts/${name}`)).status(), name).toBe(200);
  }
  const listed = [...(await (await page.request.get('/llms.txt')).text()).matchAll(/\/docs\/hosts\/([\w-]+)\.md/g)];
  expect(Object.keys(places).sort()).toEqual(listed.map(([, name]) => name).sort());
});

test('the dashboard links to the API reference', async ({ page, signIn }) => {
  await signIn(page);
  await page.goto('/developers/api-keys');
  await page.getByRole('link', { name: 'API reference' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API reference' })).toBeVisible();
});

for (const [width, colorScheme] of [
  [390, 'dark'],
  [1440, 'light'],
] as const) {
  test(`an operation is tried with a test key at ${width} in ${colorScheme}`, async ({
    browser,
    baseURL,
    team,
    api,
  }) => {
    const context = await browser.newContext({ baseURL, colorScheme, viewport: { width, height: 900 } });
    const page = await context.newPage();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/')) sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    await page.goto('/docs/reference/properties');
    const tries = page.locator('details.try');
    const opened = async (name: string) => {
      await page.getByText(`Try it: ${name}`, { exact: true }).click();
      return tries.filter({ hasText: `Try it: ${name}` });
    };
    const create = await opened('Create a property');
    const key = create.getByLabel('Test key');
    const said = create.getByRole('status');
    const send = create.getByRole('button', { name: 'Send' });

    // The page sends neither a live key nor an invalid key.
    for (const [given, message] of [
      ['', 'Paste a test key.'],
      [team.live_key, 'This is a live key. It was not sent'],
      ['service_test_sk_x', 'This is not a test key'],
    ] as const) {
      await key.fill(given);
      await send.click();
      await expect(said).toContainText(message);
      await expect(key).toBeFocused();
    }
    await key.fill(team.test_key);
    await create.getByLabel('Body').fill('{');
    await send.click();
    await expect(said).toHaveText('The body is not JSON.');
    expect(sent).toEqual([]);

    const name = `Tried at ${width}`;
    await create.getByLabel('Body').fill(JSON.stringify({ name }));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(said).toHaveText(/^201 Created, \d+ ms$/);
    const body = JSON.parse(await create.locator('.answer pre').first().innerText());
    expect(body).toMatchObject({ object: 'property', name });
    await expect(create.getByRole('link', { name: /^req_/ })).toHaveAttribute('href', /^\/developers\/logs\/req_\w+$/);
    await create.getByText('Headers').first().click();
    await expect(create.locator('.answer details pre')).toContainText('x-ratelimit-remaining');

    // The key is also filled in for the next operation. Leaving the page clears it.
    const retrieve = await opened('Retrieve a property');
    await retrieve.getByRole('button', { name: 'Send' }).click();
    await expect(retrieve.getByRole('status')).toHaveText('id is required.');
    await retrieve.getByLabel('id').fill(body.id);
    await retrieve.getByRole('button', { name: 'Send' }).click();
    await expect(retrieve.getByRole('status')).toContainText('200');
    const list = await opened('List properties');
    await list.getByLabel('limit').fill('1');
    await list.getByRole('button', { name: 'Send' }).click();
    await expect(list.getByRole('status')).toContainText('200');
    await list.getByLabel('limit').fill('1000');
    await list.getByRole('button', { name: 'Send' }).click();
    await expect(list.locator('.answer pre').first()).toContainText('invalid_request_error');
    expect(await api.get(`/properties/${body.id}`)).toMatchObject({ name });

    expect(await findAccessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept).not.toContain(team.test_key);
    await page.reload();
    await expect((await opened('Create a property')).getByLabel('Test key')).toHaveValue('');
    await context.close();
  });
}
