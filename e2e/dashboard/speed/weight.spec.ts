/** How heavy the dashboard's pages are, and how still they stand: budgets that a change must not break unseen. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { createOwner, expectLoaded, makeProperty, makeReservation, signIn } from '../support';

/** Of them React and Next are 137, and what every page of the dashboard shares 58 more (stress/bench/results.md). */
const BUDGET_KB = 224;

interface Route {
  route: string;
  firstLoadChunkPaths: string[];
}

test('no page needs more than its budget of JavaScript before it can be used', () => {
  const routes = JSON.parse(readFileSync('.next/diagnostics/route-bundle-stats.json', 'utf8')) as Route[];
  const sizes = new Map<string, number>();
  const sizeOf = (file: string) => {
    const known = sizes.get(file) ?? gzipSync(readFileSync(file)).length;
    sizes.set(file, known);
    return known;
  };
  const table = routes
    .map(({ route, firstLoadChunkPaths }) => ({
      route,
      kb: firstLoadChunkPaths.reduce((sum, file) => sum + sizeOf(file), 0) / 1_000,
    }))
    .sort((a, b) => b.kb - a.kb);
  console.log(table.map(({ route, kb }) => `${kb.toFixed(1).padStart(7)} kB  ${route}`).join('\n'));
  expect(table.length).toBeGreaterThan(30);
  expect(table.filter(({ kb }) => kb > BUDGET_KB)).toEqual([]);
});

test('Home comes with its answers and does not move while it is loaded, the first time too', async ({ page }) => {
  const owner = await createOwner();
  // Where one signs in the browser leaves its zone.
  await page.goto('/sign-in');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  await signIn(page, owner);
  const property = await makeProperty(page, 'live', 'Casa Azul');
  for (let day = 1; day <= 8; day++) {
    await makeReservation(page, 'live', property, { guest_name: `Guest ${day}`, checkin: day });
  }
  await page.addInitScript(() => {
    const shifts: number[] = [];
    (window as unknown as { shifts: number[] }).shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) shifts.push(entry.value);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/trpc')) asked.push(request.url());
  });
  let script = 0;
  const slow = await page.context().newCDPSession(page);
  await slow.send('Network.enable');
  slow.on('Network.loadingFinished', ({ encodedDataLength }) => {
    script += encodedDataLength;
  });
  const document = await page.goto('/');
  expect(await document?.text()).toContain('Guest 3');
  await expectLoaded(page);
  await page.waitForLoadState('networkidle');
  console.log(`Home, all it transfers until it is idle: ${(script / 1_000).toFixed(0)} kB`);
  expect(asked).toEqual([]);
  const shift = await page.evaluate(() =>
    (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
  );
  expect(shift).toBeLessThan(0.05);
});
