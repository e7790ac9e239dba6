/**
 * Tests the parts of a page that depend on its packet or reservation: the preview, and the
 * palette's actions.
 */
import { expect, type Page, test } from '@playwright/test';
import { makePacket } from '../packet-data';
import {
  callTrpcMutation,
  createTeamWithOwner,
  expectPageLoaded,
  makeProperty,
  makeReservation,
  setLiveOrTestMode,
  signIn,
} from '../support';

const FRAME = 'The signing page as a guest sees it';

/** Returns the scroll position of the preview, and the position of an element in it. */
const scrolled = (page: Page) =>
  page.getByTitle(FRAME).evaluate((frame: HTMLIFrameElement) => Math.round(frame.contentWindow?.scrollY ?? -1));
const inSight = (page: Page, selector: string) =>
  page.getByTitle(FRAME).evaluate((frame: HTMLIFrameElement, wanted) => {
    const top = frame.contentDocument?.querySelector(wanted)?.getBoundingClientRect().top ?? Number.NaN;
    return top >= -1 && top < (frame.contentWindow?.innerHeight ?? 0);
  }, selector);

test('the preview scrolls to the section and row being edited, unless the user scrolled it', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  const { property, packet } = await makePacket(page, 'Follow');
  const rules = Array.from({ length: 30 }, (_, index) => ({
    text: `Rule of the house number ${index + 1}.`,
    category: 'Noise',
  }));
  await callTrpcMutation(page, 'test', 'packets.update', { id: packet, rules, safety_notes: 'Emergency: 112.' });
  await page.goto(`/properties/${property}/packets/${packet}`);
  await expect.poll(() => inSight(page, 'body')).toBe(true);
  expect(await scrolled(page)).toBe(0);

  const rule = page.getByRole('textbox', { name: 'Rule 28' });
  await rule.focus();
  await expect.poll(() => inSight(page, '#rules li:nth-child(28)')).toBe(true);
  expect(await inSight(page, '#rules')).toBe(false);
  await expect(rule).toBeFocused();

  // Typing creates a new preview, which begins at its top and then scrolls to the row again.
  await rule.fill('Rule of the house number 28, which is another now.');
  await expect(page.frameLocator(`iframe[title="${FRAME}"]`).getByText('which is another now')).toBeVisible();
  await expect.poll(() => inSight(page, '#rules li:nth-child(28)')).toBe(true);
  await expect(rule).toBeFocused();

  await page.getByRole('textbox', { name: 'Safety notes' }).focus();
  await expect.poll(() => inSight(page, '#safety')).toBe(true);

  // Once the host scrolls the preview, the next preview keeps that position.
  await page.getByTitle(FRAME).hover();
  await page.mouse.wheel(0, -100_000);
  await expect.poll(() => scrolled(page)).toBe(0);
  await page.getByRole('textbox', { name: 'Safety notes' }).fill('Emergency: 112, as everywhere.');
  await expect(page.frameLocator(`iframe[title="${FRAME}"]`).getByText('as everywhere')).toBeAttached();
  await page.waitForTimeout(300);
  expect(await scrolled(page)).toBe(0);
  await rule.focus();
  await expect.poll(() => inSight(page, '#rules li:nth-child(28)')).toBe(true);
});

test('the command palette offers the actions of the page’s subject, without those unavailable now', async ({
  page,
  baseURL,
}) => {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  const property = await makeProperty(page, 'test', 'Casa Azul');
  const reservation = await makeReservation(page, 'test', property, { guest_name: 'Grace Hopper', checkin: 5 });
  const palette = page.getByRole('dialog', { name: 'Commands' });
  const here = palette.getByRole('group', { name: 'On this page' });
  const open = async (path: string) => {
    await page.goto(path);
    await expectPageLoaded(page);
    await page.keyboard.press('Control+k');
    await expect(palette).toBeVisible();
  };

  await open(`/reservations/${reservation}`);
  await expect(here.getByRole('option', { name: 'Send' })).toBeVisible();
  // A reservation that has not been sent has no link. The button is disabled and explains this.
  await expect(page.getByRole('button', { name: 'Links', includeHidden: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expect(here.getByRole('option', { name: 'Links' })).toHaveCount(0);
  await page.keyboard.type('send');
  await page.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toBeVisible();

  await open(`/properties/${property}`);
  await expect(here.getByRole('option', { name: 'Edit house rules' })).toBeVisible();
  await here.getByRole('option', { name: 'New reservation' }).click();
  await expect(page.getByRole('dialog', { name: 'New reservation' }).getByLabel('Property')).toHaveText('Casa Azul');

  await open('/');
  await expect(here.getByRole('option', { name: 'Edit house rules' })).toHaveCount(0);
});
