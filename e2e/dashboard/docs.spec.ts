/** The documentation in a browser: what its one script does, what works without it, both schemes, a phone. */
import { expect, test } from '../fixtures';
import { findViolations } from '../support/axe';

const PAGES = ['', '/quick-start', '/webhooks', '/errors', '/events', '/reference', '/reference/packets'];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1440]) {
    test(`reads well at ${width} in ${colorScheme}`, async ({ browser, baseURL }) => {
      const context = await browser.newContext({ baseURL, colorScheme, viewport: { width, height: 900 } });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      for (const path of PAGES) {
        await page.goto(`/docs${path}`);
        expect(await findViolations(page), path).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(width);
      }
      expect(complaints).toEqual([]);
      await context.close();
    });
  }
}

test('the search leads to a heading, with the keyboard alone', async ({ page }) => {
  await page.goto('/docs');
  await page.keyboard.press('/');
  await page.keyboard.type('idempotency mismatch');
  await expect(page.getByRole('option').first()).toContainText('idempotency_key_mismatch');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/errors#idempotency_key_mismatch$/);
  await expect(page.getByRole('heading', { name: 'idempotency_key_mismatch' })).toBeInViewport();
  await page.getByRole('combobox').fill('zzzz');
  await expect(page.getByText('Nothing found.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Nothing found.')).toBeHidden();
});

test('a language chosen once is chosen on every page, and its sample is copied', async ({ page, context }) => {
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

test('light or dark stays as chosen', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/docs');
  await page.getByRole('button', { name: 'Light or dark' }).click();
  await expect(page.locator('html')).toHaveClass('dark');
  await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible();
  await expect(page.locator('html')).toHaveClass('dark');
});

test('everything to read, and the choice of a language, is there without a script', async ({ browser, baseURL }) => {
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

test('the dashboard leads to the reference', async ({ page, signIn }) => {
  await signIn(page);
  await page.goto('/developers/api-keys');
  await page.getByRole('link', { name: 'API reference' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API reference' })).toBeVisible();
});
