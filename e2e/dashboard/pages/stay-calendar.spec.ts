/**
 * Tests the calendar view on a desktop and on a phone, including navigation, actions, and its speed
 * with many properties.
 */
import { expect, type Page, test } from '@playwright/test';
import {
  renderBookingDescription,
  renderTestCalendarFeed,
  startFeedServer,
} from '../../../src/modules/sync-sources/testing/feed-server';
import {
  callTrpcMutation,
  createTeamWithOwner,
  expectAccessible,
  expectAccessibleOnAllDevices,
  expectNoViolationsInBothColorSchemes,
  getDateDaysFromNow,
  makeProperty,
  makeReservation,
  setLiveOrTestMode,
  signIn,
} from '../support';

const stays = (page: Page, property: string) => page.getByRole('list', { name: `Stays at ${property}` });

async function makeWorld(page: Page, baseURL: string | undefined) {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  const loft = await makeProperty(page, 'test', 'Harbour Loft');
  const casa = await makeProperty(page, 'test', 'Casa Azul');
  const stay = (property: string, guest_name: string, checkin: number) =>
    makeReservation(page, 'test', property, { guest_name, checkin });
  const sent = await stay(loft, 'Grace Hopper', 1);
  const draft = await stay(loft, 'Ada Lovelace', 5);
  const signed = await stay(casa, 'Mary Jackson', 2);
  await callTrpcMutation(page, 'test', 'reservations.send', { id: sent });
  await callTrpcMutation(page, 'test', 'reservations.sign_manually', { id: signed });
  return { loft, casa, sent, draft, signed };
}

test('stays by property and day are navigated by arrow keys, opened with Enter, and sent from there', {
  tag: '@smoke',
}, async ({ page, baseURL }) => {
  await makeWorld(page, baseURL);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Calendar', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Calendar', level: 1 })).toBeVisible();
  const grace = stays(page, 'Harbour Loft').getByRole('button', { name: /^Grace Hopper, .+, Waiting for the guest$/ });
  const ada = page.getByRole('button', { name: /^Ada Lovelace, .+, Not sent$/ });
  await expect(grace).toBeVisible();
  await expect(ada).toBeVisible();
  await expect(page.getByRole('button', { name: /^Mary Jackson, .+, Signed$/ })).toBeVisible();
  await expectNoViolationsInBothColorSchemes(page);

  // The calendar has a single tab stop. The left and right keys move along a property. The up and
  // down keys move to the nearest stay of another property.
  await grace.focus();
  await page.keyboard.press('ArrowRight');
  await expect(ada).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('button', { name: /^Mary Jackson/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(ada).toBeFocused();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: 'Ada Lovelace' });
  await expect(panel).toContainText('Harbour Loft');
  await expect(panel.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(ada).toBeFocused();

  await ada.click();
  await panel.getByRole('button', { name: 'Send', exact: true }).click();
  await page
    .getByRole('dialog', { name: /^Send the house rules/ })
    .getByRole('button', { name: 'Send' })
    .click();
  await expect(page.getByText('Sent in test mode.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Ada Lovelace, .+, Waiting for the guest$/ })).toBeVisible();
});

test('the calendar moves by week and month, returns to today, filters, and remembers the view', async ({
  page,
  baseURL,
}) => {
  await makeWorld(page, baseURL);
  await page.goto('/calendar');
  const grace = page.getByRole('button', { name: /^Grace Hopper/ });
  await expect(grace).toBeVisible();
  await page.getByRole('button', { name: 'Forward one month' }).click();
  await page.getByRole('button', { name: 'Forward one month' }).click();
  await expect(grace).toHaveCount(0);
  await page.getByRole('button', { name: 'Today' }).click();
  await expect(grace).toBeVisible();
  await page.getByRole('button', { name: 'Forward one week' }).click();
  await page.getByRole('button', { name: 'Back one week' }).click();
  await expect(grace).toBeVisible();

  await page.getByRole('searchbox', { name: 'Filter properties' }).fill('casa');
  await expect(page.getByRole('link', { name: 'Casa Azul' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Harbour Loft' })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Filter properties' }).fill('nowhere');
  await expect(page.getByText('No property by that name')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show all properties' }).click();
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'Three months' }).click();
  await expect(grace).toBeVisible();
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Period' })).toContainText('Three months');
});

test('shows conflicts, blocked nights, each property’s own today, and load errors', async ({ page, baseURL }) => {
  const feed = await startFeedServer();
  try {
    const { casa } = await makeWorld(page, baseURL);
    await callTrpcMutation(page, 'test', 'properties.create', { name: 'Auckland', timezone: 'Pacific/Auckland' });
    feed.serve(
      renderTestCalendarFeed([
        {
          uid: 'a@a',
          from: getDateDaysFromNow(3),
          to: getDateDaysFromNow(6),
          description: renderBookingDescription('HMCAL00001'),
        },
        { uid: 'x@a', from: getDateDaysFromNow(8), to: getDateDaysFromNow(11), summary: 'Channel A (Not available)' },
      ]),
    );
    const source = { property_id: casa, kind: 'channel_a_ical', feed_url: feed.url };
    const { id } = await callTrpcMutation<{ id: string }>(page, 'test', 'sync_sources.create', source);
    await callTrpcMutation(page, 'test', 'sync_sources.run', { id });
    await page.goto('/calendar');
    await expect(page.getByRole('button', { name: /^Mary Jackson, .+, Signed, Double booking$/ })).toBeVisible();
    await expect(page.getByRole('button', { name: /HMCAL00001, .+Double booking$/ })).toBeVisible();
    const blocked = stays(page, 'Casa Azul').getByRole('link', { name: /Blocked by a calendar/ });
    await expect(blocked).toContainText('Channel A (Not available)');
    await expectAccessibleOnAllDevices(page);
    await blocked.click();
    await expect(page).toHaveURL(new RegExp(`/calendars/${id}`));

    await page.route('**/api/trpc/*stay_calendar.page*', (route) => route.abort());
    await page.goto('/calendar');
    await expect(page.getByRole('alert').filter({ hasText: 'Some of these days could not be loaded.' })).toBeVisible({
      timeout: 20_000,
    });
    await page.unroute('**/api/trpc/*stay_calendar.page*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: /^Mary Jackson/ })).toBeVisible();
  } finally {
    await feed.close();
  }
});

test('a calendar without properties offers to create the first one', async ({ page, baseURL }) => {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  await page.goto('/calendar');
  await expect(page.getByText('No properties yet')).toBeVisible();
  await expectAccessibleOnAllDevices(page);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('an agenda by day shows arrivals, departures, and what to do about them', async ({ page, baseURL }) => {
    await makeWorld(page, baseURL);
    await page.goto('/calendar');
    await expect(page.getByRole('heading', { name: /^Today, / })).toBeVisible();
    const grace = page.getByRole('button', { name: /^Grace Hopper Arrives, Harbour Loft, .+ Waiting for the guest$/ });
    await expect(grace).toBeVisible();
    await expect(page.getByRole('button', { name: /^Grace Hopper Leaves, Harbour Loft/ })).toBeVisible();
    await expectNoViolationsInBothColorSchemes(page);
    await grace.click();
    const panel = page.getByRole('dialog', { name: 'Grace Hopper' });
    await expect(panel.getByRole('button', { name: 'Links' })).toBeVisible();
    await expectAccessible(page);
    await panel.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Forward one week' }).click();
    await page.getByRole('button', { name: 'Forward one week' }).click();
    await expect(page.getByText('No stays in these seven days')).toBeVisible();
    await page.getByRole('button', { name: 'Today' }).click();
    await expect(grace).toBeVisible();
  });
});

const PROPERTIES = 200;
const DAYS = 180;

const rowOf = (name: string) => ({ id: `prop_${name.slice(-3)}`, name, city: 'Lisbon', timezone: 'Europe/Lisbon' });

/** Returns a response with one stay every nine days at each property, 4,000 stays in total. */
function pageOf({ properties, from, to }: { properties: string[]; from: string; to: string }) {
  const stays = properties.flatMap((property_id) => {
    const nth = Number(property_id.slice(-3));
    return Array.from({ length: DAYS / 9 }, (_, stay) => {
      const day = 9 * stay + (nth % 5);
      return {
        id: `res_${nth}_${stay}`,
        property_id,
        guest_name: `Guest ${nth} ${stay}`,
        checkin_date: getDateDaysFromNow(day),
        checkout_date: getDateDaysFromNow(day + 5),
        status: (['draft', 'sent', 'signed'] as const)[(nth + stay) % 3],
        source: 'direct',
        sent_at: null,
        opened_at: null,
        clicked_at: null,
        signed_at: null,
        manual_override: false,
        conflict: false,
        guest_replied: false,
      };
    });
  });
  return {
    stays: stays.filter(({ checkin_date, checkout_date }) => checkout_date >= from && checkin_date < to),
    blocks: [],
    has_more: false,
  };
}
/**
 * The maximum number of elements that exist at once, and the maximum processor time in milliseconds
 * for one turn of the wheel.
 */
const MOST_ELEMENTS = 1_800;
const MOST_WORK_MS = 100;

test(`${PROPERTIES} properties over ${DAYS} days: only visible cells are rendered, and scrolling stays responsive`, async ({
  page,
  baseURL,
}) => {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  // No plan allows this many properties, so the test replaces the server's response. It measures
  // only the page.
  const names = Array.from({ length: PROPERTIES }, (_, nth) => `Apartment ${String(nth).padStart(3, '0')}`);
  await page.route('**/api/trpc/stay_calendar.*', (route) => {
    const url = new URL(route.request().url());
    const procedures = url.pathname.split('/').at(-1)?.split(',') ?? [];
    const inputs = JSON.parse(url.searchParams.get('input') ?? '{}');
    const answers = procedures.map((procedure, nth) => ({
      result: { data: procedure.endsWith('.page') ? pageOf(inputs[nth]) : { data: names.map(rowOf), has_more: false } },
    }));
    return route.fulfill({ json: answers });
  });

  // Measures processor time instead of elapsed time, because on a busy machine even an idle page
  // takes long.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  await page.goto('/calendar');
  await expect(page.getByRole('button', { name: /^Guest 0 0, / })).toBeVisible();
  const scroller = page.getByRole('region', { name: 'Stays by property and day' });
  const count = () => scroller.evaluate((element) => element.querySelectorAll('*').length);
  let most = await count();
  const before = await worked();
  // Scrolls down through all properties, and then along half a year.
  for (const [x, y] of [...Array(40).fill([0, 270]), ...Array(40).fill([110, 0])]) {
    await scroller.evaluate((element, [left, top]) => element.scrollBy(left, top), [x, y] as const);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    most = Math.max(most, await count());
  }
  await expect(page.getByRole('link', { name: 'Apartment 199' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Guest 199 / }).first()).toBeVisible();
  const each = ((await worked()) - before) / 80;
  console.log(`At most ${most} elements; ${each.toFixed(1)} ms of work a turn of the wheel.`);
  expect(most).toBeLessThan(MOST_ELEMENTS);
  expect(each).toBeLessThan(MOST_WORK_MS);
});
