/**
 * Tests that hosts with another language see no English on their pages, and that longer texts fit.
 */
import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import {
  type FeedServer,
  renderTestCalendarFeed,
  startFeedServer,
} from '../../../src/modules/sync-sources/testing/feed-server';
import {
  callTrpcMutation,
  callTrpcQuery,
  createTeamWithOwner,
  deliverInboundMail,
  expectPageLoaded,
  getDateDaysFromNow,
  makeProperty,
  makeReservation,
  setLiveOrTestMode,
  signIn,
} from '../support';

/** Words that appear in nearly every English sentence, and in none of the languages below. */
const ENGLISH = /\b(the|your|with|this|from|which|has|been|cannot|could)\b/i;

/** Data that stays English: a packet's original name, and mails to a guest who reads English. */
const DATA = [/^House rules$/, /^Before your stay at/, /^Your stay at Casa Azul/];

/** Returns every text of the page, including screen-reader texts, tooltips and placeholders. */
const readPage = (page: Page) =>
  page.evaluate(() => {
    const said = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement?.closest('script, style, code, pre, body [lang]'))
        said.add(node.textContent?.trim() ?? '');
    for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      if (element.closest('body [lang]')) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) said.add(element.getAttribute(name) ?? '');
    }
    return [...said].filter((text) => /\p{L}{2}/u.test(text));
  });

/** Returns the number of pixels by which the page, or a filter above a list, is too wide. */
const excessOf = (page: Page) =>
  page.evaluate(() => {
    const places = [document.documentElement, ...document.querySelectorAll('search div')];
    return Math.max(...places.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });

type Messages = Record<string, Record<string, string>>;
const messagesOf = (locale: string): Messages =>
  JSON.parse(readFileSync(`src/dashboard/i18n/messages/${locale}.json`, 'utf8'));

/** Returns the English texts whose translation into the language is different. */
function englishOnly(locale: string): ReadonlySet<string> {
  const own = messagesOf(locale);
  const all = Object.values(own).flatMap((words) => Object.values(words));
  const same = new Set(all);
  return new Set(
    Object.values(messagesOf('en'))
      .flatMap((words) => Object.values(words))
      .filter((text) => !same.has(text)),
  );
}

let feed: FeedServer;
test.beforeAll(async () => {
  feed = await startFeedServer();
});
test.afterAll(() => feed.close());

const connect = (page: Page, property_id: string, more: object) =>
  callTrpcMutation<{ id: string; forwarding_address: string }>(page, 'test', 'sync_sources.create', {
    property_id,
    ...more,
  });

/**
 * Creates a calendar with a booking, a block and an ambiguous entry, a calendar that no longer
 * exists, and a forwarding address with a mail that waits for the host.
 */
async function makeFeeds(page: Page, property: string): Promise<string[]> {
  const [ok, gone] = ['ok', 'gone'].map((name) => ({ kind: 'other_ical', feed_url: `${feed.url}&${name}` }));
  const stay = (uid: string, day: number, summary: string) => ({
    uid,
    from: getDateDaysFromNow(day),
    to: getDateDaysFromNow(day + 2),
    summary,
  });
  const stays = [stay('1', 40, 'Booked - Ben Okri'), stay('2', 50, 'Blocked'), stay('3', 60, 'Jour de marché')];
  feed.handle(
    (response, path) =>
      void (path.endsWith('gone') ? response.writeHead(404).end() : response.end(renderTestCalendarFeed(stays))),
  );
  const read = await connect(page, property, { ...ok, reading: { otherwise: 'skip', rules: [] } });
  const failing = await connect(page, property, { ...gone, reading: { otherwise: 'booking', rules: [] } });
  const address = await connect(page, property, { kind: 'forward_email' });
  await deliverInboundMail(page, address.forwarding_address, 'Frage zur Wohnung', ['Gibt es einen Aufzug?']);
  // While the schedule is polling, the call is refused. It is repeated until it succeeds.
  for (const { id } of [read, failing])
    await expect(() => callTrpcMutation(page, 'test', 'sync_sources.run', { id })).toPass();
  return [...[read, failing, address].map(({ id }) => `/calendars/${id}`), '/calendars', '/calendars/inbox'];
}

for (const [locale, home] of [
  ['de', 'Buchungen'],
  ['fr', 'Réservations'],
] as const) {
  test(`no English is left in ${locale}, and nothing overflows`, async ({ browser, baseURL }) => {
    test.slow();
    const context = await browser.newContext({ locale, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await signIn(page, await createTeamWithOwner());
    await setLiveOrTestMode(page, baseURL, 'test');
    const property = await makeProperty(page, 'test', 'Casa Azul');
    const reservation = await makeReservation(page, 'test', property, { guest_name: 'Ada Lovelace' });
    await makeReservation(page, 'test', property, { guest_name: 'Grace Hopper', checkin: 1 });
    await callTrpcMutation(page, 'test', 'reservations.send', { id: reservation });
    const feeds = await makeFeeds(page, property);
    // Nothing listens on this port.
    const receiver = { url: 'http://127.0.0.1:1024/hook', description: 'Guidebook', events: ['packet.updated'] };
    const endpoint = await callTrpcMutation<{ id: string }>(page, 'test', 'webhook_endpoints.create', receiver);
    const delivery = await callTrpcMutation<{ id: string }>(page, 'test', 'webhook_endpoints.send_test', {
      id: endpoint.id,
      type: 'packet.updated',
    });
    const { key, api_key } = await callTrpcMutation<{ key: string; api_key: { id: string } }>(
      page,
      'test',
      'api_keys.create',
      {
        ...{ name: 'Guidebook', scopes: ['properties:write'], ip_allow: ['127.0.0.0/8', '::1'] },
      },
    );
    const asked = await fetch(`${baseURL}/v1/properties`, {
      ...{ method: 'POST', body: '{"name":"Casa Azul","kind":1}' },
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    });
    expect(asked.status).toBe(400);
    await callTrpcMutation(page, 'test', 'api_keys.rotate', { id: api_key.id });
    await callTrpcMutation(page, 'test', 'test_clocks.create', { name: null, frozen_time: '2030-12-01T09:00:00.000Z' });
    const events = await callTrpcQuery<{ data: { id: string }[] }>(page, 'test', 'events.list', { limit: 1 });
    await page.goto('/reservations');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(home);
    const english = englishOnly(locale);
    const found: string[] = [];
    const paths = [
      '/',
      '/reservations',
      '/reservations?new=1',
      '/reservations/import',
      `/reservations/${reservation}`,
      '/calendar',
      '/properties',
      `/properties/${property}`,
      ...['mails', 'settings', 'domains', 'delete'].map((tab) => `/properties/${property}?tab=${tab}`),
      `/properties/${property}/packets/default`,
      ...feeds,
      '/certificates',
      '/outbox',
      '/developers/api-keys',
      '/developers/logs',
      `/developers/logs/${asked.headers.get('x-request-id')}`,
      '/developers/events',
      `/developers/events/${events.data[0]?.id}`,
      '/developers/test-clocks',
      '/developers/webhooks',
      `/developers/webhooks/${endpoint.id}?delivery=${delivery.id}`,
      ...['', '/members', '/plan', '/security', '/sessions', '/audit-log', '/data'].map(
        (section) => `/settings${section}`,
      ),
    ];
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of paths) {
        await page.goto(path);
        await expectPageLoaded(page);
        const wide = await excessOf(page);
        if (wide > 0) found.push(`${path}: ${wide} px too wide at ${width}`);
        for (const text of await readPage(page))
          if ((english.has(text) || ENGLISH.test(text)) && !DATA.some((known) => known.test(text)))
            found.push(`${path}: ${text}`);
        const shots = process.env.LANGUAGE_SHOTS;
        if (shots)
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            const name = path.replaceAll(/[/?=]/g, '_').replaceAll(/(prop|res|ss|whe|whd|req|evt)_\w{20,}/g, '$1');
            await page.screenshot({ path: `${shots}/${locale}-${width}-${colorScheme}${name}.png`, fullPage: true });
          }
      }
    }
    expect([...new Set(found)]).toEqual([]);
    await context.close();
  });
}

test('server errors are shown in the host’s language too', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ locale: 'de' });
  const page = await context.newPage();
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  await makeProperty(page, 'test', 'Casa Azul');
  await page.goto('/reservations/import');
  const file = 'property,guest_name,checkin_date,checkout_date\nCasa Azul,Ada,2027-05-09,soon\nCasa Verde,Ada,,';
  await page.getByLabel('Zeilen').fill(file);
  await page.getByRole('button', { name: 'Prüfen' }).click();
  const table = page.getByRole('table');
  await expect(table).toContainText('„soon“ ist kein lesbares Datum.');
  await expect(table).toContainText('Es gibt keine Unterkunft namens „Casa Verde“.');
  await page.goto('/developers/api-keys');
  await page.getByRole('button', { name: 'Schlüssel anlegen' }).first().click();
  await page.getByLabel('Name').fill('Schloss');
  await page.getByLabel('Erlaubte Adressen').fill('nowhere');
  await page.getByRole('dialog').getByRole('button', { name: 'Schlüssel anlegen' }).click();
  await expect(page.getByText('`nowhere` ist keine Adresse und kein CIDR-Bereich.')).toBeVisible();
  await context.close();
});
