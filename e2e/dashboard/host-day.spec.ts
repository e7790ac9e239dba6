/**
 * A host's day: what is done again and again takes at most three clicks from Home, with a mouse as on a phone, and most of it
 * none, from the keyboard.
 */
import { expect, type Locator, type Page, test } from '@playwright/test';
import {
  call,
  createOwner,
  expectAccessible,
  expectGoodInEveryForm,
  makeProperty,
  makeReservation,
  query,
  setMode,
  signIn,
} from './support';

const FORMS = [
  { form: 'on a desktop', use: { viewport: { width: 1280, height: 800 } } },
  { form: 'on a phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
] as const;

/** Presses counted from here on: what is reached in more is too far. */
function countPresses() {
  let presses = 0;
  return {
    press: async (what: Locator) => {
      presses += 1;
      await what.click();
    },
    count: () => presses,
  };
}

interface World {
  property: string;
  /** Arrive today: sent, not sent, and signed. */
  sent: string;
  draft: string;
  signed: string;
}

async function makeWorld(page: Page, baseURL: string | undefined): Promise<World> {
  await signIn(page, await createOwner());
  await setMode(page, baseURL, 'test');
  const property = await makeProperty(page, 'test', 'Harbour Loft');
  const today = (guest_name: string) => makeReservation(page, 'test', property, { guest_name, checkin: 0 });
  const [sent, draft, signed] = [await today('Grace Hopper'), await today('Ada Lovelace'), await today('Mary Jackson')];
  await call(page, 'test', 'reservations.send', { id: sent });
  await call(page, 'test', 'reservations.sign_manually', { id: signed });
  await makeReservation(page, 'test', property, { guest_name: 'Katherine Johnson', checkin: 1 });
  return { property, sent, draft, signed };
}

const mailsOf = async (page: Page, reservation: string) =>
  (await query<{ data: unknown[] }>(page, 'test', 'mail.list', { reservation, limit: 100 })).data.length;

for (const { form, use } of FORMS) {
  test.describe(form, () => {
    test.use(use);

    test('who arrives today unsigned is sent it all again: three clicks, each mailed once', async ({
      page,
      baseURL,
    }) => {
      const { sent, draft, signed } = await makeWorld(page, baseURL);
      await page.goto('/');
      const today = page.getByRole('list', { name: 'Today' });
      await expect(today.getByRole('listitem')).toHaveCount(3);
      await expect(today).toContainText('Sent just now, not opened');
      const { press, count } = countPresses();
      await press(page.getByRole('button', { name: 'Choose the 2 not signed: Today' }));
      await press(
        page.getByRole('region', { name: 'Chosen reservations' }).getByRole('button', { name: 'Send again' }),
      );
      const dialog = page.getByRole('dialog');
      const who = dialog.getByRole('list', { name: 'Who gets what' }).getByRole('listitem');
      await expect(who).toHaveCount(2);
      await expect(who.filter({ hasText: 'Ada Lovelace' })).toContainText('for the first time');
      await expect(who.filter({ hasText: 'Grace Hopper' })).toContainText('grace.hopper@example.com, in English');
      await expectAccessible(page);
      await press(dialog.getByRole('button', { name: 'Send again to 2 guests' }));
      expect(count()).toBeLessThanOrEqual(3);
      await expect(page.getByText('Sent again to 2 guests.')).toBeVisible();
      await expect(dialog).toHaveCount(0);
      await expect(page.getByRole('region', { name: 'Chosen reservations' })).toHaveCount(0);
      expect([await mailsOf(page, sent), await mailsOf(page, draft), await mailsOf(page, signed)]).toEqual([2, 1, 0]);
    });
  });
}

test('the rows by keyboard: to and fro, chosen, sent, sent again, opened; never while typing', async ({
  page,
  baseURL,
}) => {
  const { sent, draft } = await makeWorld(page, baseURL);
  await page.goto('/');
  await expect(page.getByRole('list', { name: 'Today' }).getByRole('listitem')).toHaveCount(3);
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  await page.keyboard.press('j');
  await expect(link('Grace Hopper')).toBeFocused();
  await page.keyboard.press('j');
  await expect(link('Ada Lovelace')).toBeFocused();
  await page.keyboard.press('x');
  await expect(page.getByRole('checkbox', { name: 'Choose Ada Lovelace' })).toBeChecked();
  await page.keyboard.press('x');
  await expect(page.getByRole('region', { name: 'Chosen reservations' })).toHaveCount(0);
  await page.keyboard.press('s');
  await expect(page.getByRole('button', { name: 'Send to 1 guest' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Sent to 1 guest.')).toBeVisible();
  await expect(link('Ada Lovelace')).toBeFocused();
  expect(await mailsOf(page, draft)).toBe(1);
  await page.keyboard.press('k');
  await expect(link('Grace Hopper')).toBeFocused();
  await page.keyboard.press('r');
  await expect(page.getByRole('button', { name: 'Send again to 1 guest' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Sent again to 1 guest.')).toBeVisible();
  expect(await mailsOf(page, sent)).toBe(2);
  await expect(link('Grace Hopper')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/reservations/${sent}`);

  await page.goto('/reservations');
  const search = page.getByRole('searchbox', { name: 'Search reservations' });
  await search.fill('');
  await search.pressSequentially('jxsr');
  await expect(search).toHaveValue('jxsr');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await search.fill('');
  await page.getByRole('heading', { level: 1 }).click();
  await expect(page.getByRole('table', { name: 'Reservations' }).getByRole('row')).toHaveCount(5);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(page.getByRole('region', { name: 'Chosen reservations' })).toContainText('1 chosen');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Next reservation of a list');
});

test('of several that are cancelled each is told that could not be, and the others are', async ({ page, baseURL }) => {
  const { sent, signed } = await makeWorld(page, baseURL);
  await page.goto('/reservations');
  await page.getByRole('checkbox', { name: 'Choose all on this page' }).check();
  const bar = page.getByRole('region', { name: 'Chosen reservations' });
  await expect(bar).toContainText('4 chosen');
  await bar.getByRole('button', { name: 'Cancel…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Cancel 3 reservations?' })).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Left as it is' })).toContainText('Mary Jackson');
  await expectGoodInEveryForm(page);
  // Somebody signs while the host still looks.
  await call(page, 'test', 'reservations.sign_manually', { id: sent });
  await dialog.getByRole('button', { name: 'Cancel 3 reservations' }).click();
  await expect(dialog.getByText('3 of 3 looked at: 2 done, 1 not')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Not done' })).toContainText('Grace Hopper');
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const row = page.getByRole('table', { name: 'Reservations' }).getByRole('row');
  await expect(row.filter({ hasText: 'Cancelled' })).toHaveCount(2);
  expect((await query<{ status: string }>(page, 'test', 'reservations.retrieve', { id: signed })).status).toBe(
    'signed',
  );
});

test('a batch whose answer got lost is sent once', async ({ page, baseURL }) => {
  const { sent } = await makeWorld(page, baseURL);
  await page.goto('/');
  let lost = 0;
  await page.route('**/api/trpc/reservations.bulk**', async (route) => {
    lost += 1;
    if (lost > 1) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Send again: Grace Hopper' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Send again to 1 guest' }).click();
  await dialog.getByRole('button', { name: 'Go on with the rest' }).click();
  await expect(dialog).toContainText('It was sent again meanwhile.');
  expect(await mailsOf(page, sent)).toBe(2);
});

test('a view is saved for oneself, opened from Home, and deleted', async ({ page, baseURL, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await makeWorld(page, baseURL);
  await page.goto('/reservations?q=grace&status=not_signed&arrives=week&sort=checkin');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save these filters…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Unsigned this week');
  await page.keyboard.press('Enter');
  await expect(page.getByText('is among your views')).toBeVisible();
  await page.goto('/');
  await expectGoodInEveryForm(page);
  await page.getByRole('button', { name: 'Copy link: Grace Hopper' }).click();
  await expect(page.getByText('The link is copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/sign/');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Unsigned this week' }).click();
  await expect(page).toHaveURL('/reservations?arrives=week&sort=checkin&status=not_signed');
  await expect(page.getByRole('table', { name: 'Reservations' }).getByRole('row')).toHaveCount(4);
  await page.getByRole('button', { name: 'Unsigned this week' }).click();
  await page.getByRole('menuitem', { name: 'Delete “Unsigned this week”' }).click();
  await expect(page.getByRole('button', { name: 'Views' })).toBeVisible();
});

test('a filter chosen right after another was cleared does not bring it back', async ({ page, baseURL }) => {
  await makeWorld(page, baseURL);
  await page.goto('/reservations?from=2026-01-01&to=2026-01-02');
  await expect(page.getByText('No reservation fits these filters')).toBeVisible();
  await page.evaluate(() => {
    const set = (label: string, value: string) => {
      const field = document.querySelector<HTMLInputElement>(`[aria-label="${label}"]`) as HTMLInputElement;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    };
    set('Check-in from', '');
    set('Check-in to', '');
  });
  await expect(page).toHaveURL('/reservations');
  await expect(page.getByRole('table', { name: 'Reservations' }).getByRole('row')).toHaveCount(5);
});
