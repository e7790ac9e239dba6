import { test } from '@playwright/test';
import { calendar, details, startFeedServer } from '../../src/modules/sync-sources/testing/feed-server';
import { call, createOwner, dayFromNow, makeProperty, makeReservation, setMode, signIn } from './support';

const OUT = process.env.SHOTS ?? '/tmp/w19-shots';
test('shots', async ({ page, baseURL }) => {
  test.setTimeout(180_000);
  await signIn(page, await createOwner());
  await setMode(page, baseURL, 'test');
  const ids: string[] = [];
  for (const n of [
    'Harbour Loft',
    'Casa Azul',
    'Lighthouse',
    'Boathouse',
    'Mill',
    'Windmill',
    'Garden Flat',
    'Attic on Rua da Rosa with a very long name',
  ])
    ids.push(await makeProperty(page, 'test', n));
  let k = 0;
  for (const p of ids)
    for (let i = 0; i < 4; i++) {
      const id = await makeReservation(page, 'test', p, {
        guest_name: ['Grace Hopper', 'Ada Lovelace', 'Mary Jackson', 'Katherine Johnson', 'Annie Easley'][k % 5]!,
        checkin: -2 + i * 6 + (k % 3),
      });
      if (k % 3 === 0) await call(page, 'test', 'reservations.send', { id });
      if (k % 3 === 1) await call(page, 'test', 'reservations.sign_manually', { id });
      k++;
    }
  await makeReservation(page, 'test', ids[1]!, { guest_name: 'Same Night', checkin: 3 });
  const feed = await startFeedServer();
  feed.serve(
    calendar([
      { uid: 'a@a', from: dayFromNow(3), to: dayFromNow(6), description: details('HMCAL00001') },
      { uid: 'x@a', from: dayFromNow(20), to: dayFromNow(25), summary: 'Channel A (Not available)' },
    ]),
  );
  const { id } = await call<{ id: string }>(page, 'test', 'sync_sources.create', {
    property_id: ids[0],
    kind: 'channel_a_ical',
    feed_url: feed.url,
  });
  await call(page, 'test', 'sync_sources.run', { id });
  const shot = async (name: string) => {
    for (const scheme of ['light', 'dark'] as const)
      for (const [w, h] of [
        [1440, 900],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width: w, height: h });
        await page.emulateMedia({ colorScheme: scheme });
        await page.waitForTimeout(700);
        await page.screenshot({ path: `${OUT}/${name}-${scheme}-${w}.png` });
      }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  };
  await page.goto('/calendar');
  await page.waitForTimeout(1500);
  await shot('calendar');
  await page
    .getByRole('button', { name: /^Mary Jackson/ })
    .first()
    .click();
  await page.waitForTimeout(800);
  await shot('calendar-panel');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'How much is shown' }).click();
  await page.getByRole('option', { name: 'Three months' }).click();
  await page.waitForTimeout(800);
  await page.screenshot({ path: `${OUT}/calendar-quarter.png` });
  const { key } = await call<{ key: string }>(page, 'test', 'api_keys.create', { name: 'Curl', scopes: null });
  const ep = await call<{ id: string }>(page, 'test', 'webhook_endpoints.create', {
    url: feed.url,
    description: 'Guidebook, production',
  });
  const made = await fetch(`${baseURL}/v1/reservations`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      property_id: ids[0],
      guest_name: 'Grace Hopper',
      guest_email: 'grace@example.com',
      checkin_date: '2027-12-24',
      checkout_date: '2027-12-27',
      source: 'direct',
    }),
  });
  await fetch(`${baseURL}/v1/reservations?status=sent`, { headers: { Authorization: `Bearer ${key}` } });
  await page.goto('/developers/logs');
  await page.waitForTimeout(2500);
  await shot('logs');
  await page.goto(`/developers/logs/${made.headers.get('x-request-id')}`);
  await page.waitForTimeout(2500);
  await shot('log');
  await page.goto(`/developers/webhooks/${ep.id}`);
  await page.waitForTimeout(1500);
  await shot('endpoint');
  await page.goto(`/developers/webhooks`);
  await page.waitForTimeout(1000);
  await shot('endpoints');
  await feed.close();
});
