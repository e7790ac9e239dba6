/**
 * `npm run screenshots`: takes pictures of the main pages into docs/screenshots. Runs its own
 * server, and creates the data over the API. Needs the build (`npm run build`) and a Chromium.
 */
import { chromium, type Page } from '@playwright/test';
import { apiClient } from '../e2e/support/api-client';
import { startTestServer } from '../src/testing/server';
import { findBrowser } from './lib/browser.mjs';

const OUT = 'docs/screenshots';
const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const server = await startTestServer({ with_pages: true });
const { team } = await server.createTeam({ name: 'Harbour Stays', ...OWNER });
const { key } = await server.admin<{ key: string }>(
  'key',
  'create',
  '--team',
  team.id,
  '--mode',
  'test',
  '--name',
  'Guidebook',
);
const api = apiClient(server.url, key);

const property = await api.post('/properties', {
  name: 'Harbour Loft',
  address: 'Rua da Praia 12, Cascais',
  timezone: 'Europe/Lisbon',
  brand_color: '#0f766e',
});
await api.patch(`/properties/${property.id}/packet`, {
  welcome_message: 'Welcome, {{guest_name}}! We are glad to have you from {{checkin_date}} on.',
  currency: 'EUR',
  rules: [
    { text: 'No smoking indoors; the terrace is fine.', category: 'House' },
    { text: 'Please take your shoes off upstairs.', category: 'House' },
    { text: 'Quiet between 22:00 and 8:00.', category: 'Neighbours' },
  ],
  fees: [
    { label: 'Cleaning fee', amount_cents: 8000, unit: 'per stay' },
    { label: 'Late check-out', amount_cents: 5000, description: 'After 11:00 without agreement.' },
  ],
  arrival_details: { wifi: { network: 'harbour-loft', password: 'sardine-tin' }, door_code: '4711#' },
  arrival_release: { wifi: 'after_signing', door_code: 'after_signing' },
  safety_notes: 'The fire extinguisher is under the kitchen sink. Emergency: 112.',
});
const packet = await api.get(`/properties/${property.id}/packet`);
await api.post('/webhook_endpoints', { url: 'http://127.0.0.1:59999/hooks' });

async function reserve(guest_name: string, checkin: number, send = true, locale?: string): Promise<string> {
  const { id } = await api.post('/reservations', {
    property_id: property.id,
    guest_name,
    guest_email: `${locale ?? guest_name.split(' ')[0]?.toLowerCase()}@example.com`,
    checkin_date: day(checkin),
    checkout_date: day(checkin + 4),
    ...(locale && { locale }),
  });
  if (send) await api.post(`/reservations/${id}/send`);
  return id;
}
await reserve('Grace Hopper', 12, false);
await reserve('Katherine Johnson', 9);
const guest = await reserve('Ada Lovelace', 4);
const { signingUrl } = await api.get(`/reservations/${guest}/copy-link`);
/**
 * Names of guests in various languages: one right to left, one without spaces, one with a region.
 * The machine needs fonts for them.
 */
const LANGUAGES = { ar: 'ليلى حداد', ja: '佐藤 花子', 'pt-BR': 'João Souza' };

const browser = await chromium.launch({
  executablePath: findBrowser() ?? undefined,
  args: ['--no-sandbox', '--disable-gpu'],
});

async function withPage(
  size: { width: number; height: number },
  colorScheme: 'light' | 'dark',
  work: (page: Page) => Promise<void>,
) {
  const context = await browser.newContext({ viewport: size, colorScheme, deviceScaleFactor: 2, locale: 'en-GB' });
  await work(await context.newPage());
  await context.close();
}
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

await withPage(PHONE, 'light', async (page) => {
  await page.goto(signingUrl);
  await page.screenshot({ path: `${OUT}/sign-phone.png` });
  await page.getByLabel('Your full name').fill('Ada Lovelace');
  await page.locator('#consent').check();
  await page.getByRole('button', { name: 'Review and sign' }).click();
  await page.getByRole('button', { name: 'Sign now' }).click();
  await page.getByText('4711#').waitFor();
  await page.screenshot({ path: `${OUT}/signed-phone.png` });
});
await withPage(PHONE, 'dark', async (page) => {
  await page.goto(`${signingUrl}?lang=de`);
  await page.screenshot({ path: `${OUT}/signed-phone-dark.png` });
});

for (const [locale, name] of Object.entries(LANGUAGES)) {
  const links = await api.get(`/reservations/${await reserve(name, 20, true, locale)}/copy-link`);
  const size = { ...PHONE, height: 1_240 };
  await withPage(size, locale === 'ja' ? 'dark' : 'light', async (page) => {
    await page.goto(links.signingUrl);
    await page.screenshot({ path: `${OUT}/sign-phone-${locale}.png`, scale: 'css' });
  });
}

let certificate = await api.get('/certificates');
while (!certificate.data[0]?.pdf_available) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  certificate = await api.get('/certificates');
}
await withPage(DESK, 'light', async (page) => {
  await page.goto(certificate.data[0].verify_url);
  await page.screenshot({ path: `${OUT}/verify.png` });
});
await withPage(DESK, 'light', async (page) => {
  await page.goto(`${server.url}/sign-in`);
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.context().addCookies([{ name: 'threshold_mode', value: 'test', url: server.url }]);
  const pages = [
    ['home', '/'],
    ['reservations', '/reservations'],
    ['reservation', `/reservations/${guest}`],
    ['property', `/properties/${property.id}`],
    ['packet', `/properties/${property.id}/packets/${packet.id}`],
    ['certificate', `/certificates/${certificate.data[0].id}`],
    ['calendar', '/calendar'],
    ['calendars', '/calendars'],
    ['outbox', '/outbox'],
    ['api-keys', '/developers/api-keys'],
    ['webhooks', '/developers/webhooks'],
  ] as const;
  for (const [name, path] of pages) {
    await page.goto(server.url + path);
    await page.waitForLoadState('networkidle');
    // The chart and the embedded PDF are drawn after the network is idle.
    await page.waitForTimeout(1_500);
    await page.screenshot({ path: `${OUT}/${name}.png` });
  }
});
await browser.close();
await server.stop();
console.log(`Wrote ${OUT}.`);
