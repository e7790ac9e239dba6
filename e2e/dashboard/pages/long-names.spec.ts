/**
 * Tests long but realistic names. On a phone a list's row shows everything important. In a table a
 * row stays on one line.
 */
import { expect, type Page, test } from '@playwright/test';
import {
  callTrpcMutation,
  createTeamWithOwner,
  expectPageLoaded,
  makeProperty,
  makeReservation,
  setLiveOrTestMode,
  signIn,
} from '../support';

const PROPERTY = 'Ferienwohnung Donaudampfschifffahrtsgesellschaft am Hauptbahnhofsvorplatz';
const GUEST = 'Maximiliane Freifrau von Hohenlohe-Waldenburg-Schillingsfürst';

/**
 * Finds texts and buttons that are partly outside their box, without an ellipsis. Text that scrolls
 * does not count.
 */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const cut = new Set<string>();
    for (const element of document.querySelectorAll<HTMLElement>('main *')) {
      const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      if (!(text || element.tagName === 'BUTTON') || !element.checkVisibility({ visibilityProperty: true })) continue;
      const { left, right, width } = element.getBoundingClientRect();
      // Texts that only screen readers read are one pixel wide.
      if (width < 2) continue;
      const { display, overflowX: own } = getComputedStyle(element);
      if (display !== 'inline' && own === 'visible' && element.scrollWidth > element.clientWidth + 2) {
        cut.add(`${element.innerText.trim()} (wider than its box)`);
      }
      for (let box = element.parentElement; box; box = box.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(box);
        if (overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis') break;
        const edge = box.getBoundingClientRect();
        if (overflowX !== 'visible' && edge.width >= 2 && (right > edge.right + 1 || left < edge.left - 1)) {
          cut.add(element.innerText.trim() || (element.getAttribute('aria-label') ?? element.tagName));
          break;
        }
      }
    }
    return [...cut];
  });

test.beforeEach(async ({ page, baseURL }) => {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
});

test('on a phone a long name pushes no part of its row out of view', async ({ page }) => {
  const property = await makeProperty(page, 'test', PROPERTY);
  const sent = await makeReservation(page, 'test', property, { guest_name: GUEST });
  await callTrpcMutation(page, 'test', 'reservations.send', { id: sent });
  await makeReservation(page, 'test', property, { guest_name: 'Bo', checkin: 1, source: 'channel_a' });
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of [
      '/',
      '/reservations',
      `/reservations/${sent}`,
      '/calendar',
      '/properties',
      `/properties/${property}`,
      '/certificates',
      '/outbox',
      '/developers/events',
      '/settings/audit-log',
    ]) {
      await page.goto(path);
      await expectPageLoaded(page);
      expect(await cutTexts(page), `${path} at ${width} px`).toEqual([]);
    }
  }
  // A button next to a long text keeps the minimum size for touch.
  await page.goto(`/reservations/${sent}`);
  const copy = await page.getByRole('button', { name: 'Copy reservation id' }).boundingBox();
  expect(copy?.width).toBeGreaterThanOrEqual(24);
});

test('each table row takes one line, however long its names', async ({ page }) => {
  const property = await makeProperty(page, 'test', PROPERTY);
  await makeReservation(page, 'test', property, { guest_name: GUEST, source: 'channel_a' });
  await makeReservation(page, 'test', property, { guest_name: 'Bo', checkin: 12 });
  for (const locale of ['en', 'de']) {
    await callTrpcMutation(page, 'test', 'accounts.set_locale', { locale });
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/reservations');
      await expectPageLoaded(page);
      const table = page.locator('main table');
      const heights = await table
        .locator('tbody tr')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
      expect(heights).toHaveLength(2);
      expect(Math.max(...heights), `${locale} at ${width} px`).toBeLessThanOrEqual(41);
      const hidden = await table.locator('..').evaluate((box) => box.scrollWidth - box.clientWidth);
      expect(hidden, `${locale} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});
