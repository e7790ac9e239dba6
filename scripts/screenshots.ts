/**
 * `npm run screenshots`: takes the pictures of docs/screenshots. Runs its own server with a host's
 * data. Needs the build (`npm run build`) and a Chromium.
 */
import { chromium, type Page } from '@playwright/test';
import { createApiClient } from '../e2e/support/api-client';
import { startMailProvider } from '../e2e/support/mail-provider';
import {
  renderBookingDescription,
  renderTestCalendarFeed,
  startFeedServer,
} from '../src/modules/sync-sources/testing/feed-server';
import { createRandom } from '../src/testing/random';
import { startTestServer } from '../src/testing/server';
import { findBrowser } from './lib/browser.mjs';

const OUT = 'docs/screenshots';
const PASSWORD = 'correct horse battery';
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 720 };
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const mails = await startMailProvider(createRandom(1), 0);
const server = await startTestServer({
  with_pages: true,
  built: true,
  env: { RESEND_API_KEY: 're_screenshots', RESEND_BASE_URL: mails.url },
});
const owner = { email: 'nora@example.com', password: PASSWORD };
const { team } = await server.createTeam({ name: 'Harbour Stays', ...owner });
const newcomer = { email: 'uwe@example.com', password: PASSWORD };
await server.createTeam({ name: 'Kern Flats', ...newcomer });
const for_key = ['--team', team.id, '--mode', 'live', '--name', 'Guidebook'];
const { key } = await server.admin<{ key: string }>('key', 'create', ...for_key);
const api = createApiClient(server.url, key);

async function makeProperty(name: string, address: string, pets: number) {
  const property = await api.post('/properties', { name, address, timezone: 'Europe/Lisbon', brand_color: '#0f766e' });
  await api.patch(`/properties/${property.id}/packet`, {
    welcome_message: 'Welcome, {{guest_name}}! We are glad to have you from {{checkin_date}} on.',
    currency: 'EUR',
    rules: [
      { text: 'No smoking indoors; the terrace is fine.', category: 'House' },
      { text: 'Quiet between 22:00 and 8:00.', category: 'Neighbours' },
    ],
    fees: [
      { label: 'Cleaning fee', amount_cents: 8000, unit: 'per stay' },
      { label: 'Pet fee', amount_cents: pets, unit: 'per stay' },
    ],
    arrival_details: { wifi: { network: 'harbour-loft', password: 'sardine-tin' }, door_code: '4711#' },
    arrival_release: { wifi: 'after_signing', door_code: 'after_signing' },
    safety_notes: 'The fire extinguisher is under the kitchen sink. Emergency: 112.',
  });
  return property;
}
const loft = await makeProperty('Harbour Loft', 'Rua da Praia 12, Cascais', 2500);
const casa = await makeProperty('Casa Azul', 'Rua Direita 3, Lagos', 2500);
const mill = await makeProperty('Old Mill', 'Estrada Velha 9, Sintra', 3000);
const packet = await api.get(`/properties/${loft.id}/packet`);
await api.post(`/properties/${loft.id}/packets`, { name: 'Winter', copy_from: packet.id });

async function reserve(property: { id: string }, guest_name: string, checkin: number, send = true): Promise<string> {
  const { id } = await api.post('/reservations', {
    property_id: property.id,
    guest_name,
    guest_email: `${guest_name.toLowerCase().replace(' ', '.')}@example.com`,
    checkin_date: day(checkin),
    checkout_date: day(checkin + 4),
  });
  if (send) await api.post(`/reservations/${id}/send`);
  return id;
}
const ada = await reserve(loft, 'Ada Lovelace', 0);
await reserve(casa, 'Grace Hopper', 1);
await reserve(mill, 'Katherine Johnson', 2, false);
const dorothy = await reserve(mill, 'Dorothy Vaughan', 6);
await reserve(casa, 'Mary Jackson', 9);
const mistyped = await reserve(loft, 'Jon Smyth', 12);

const browser = await chromium.launch({
  executablePath: findBrowser() ?? undefined,
  args: ['--no-sandbox', '--disable-gpu'],
});

/** Opens a page, signed in if a user is given. */
async function open(size: { width: number; height: number }, user?: typeof owner, mode = 'live'): Promise<Page> {
  const phone = size === PHONE;
  const context = await browser.newContext({ viewport: size, deviceScaleFactor: phone ? 2 : 1, locale: 'en-GB' });
  const page = await context.newPage();
  if (!user) return page;
  const headers = { origin: server.url };
  const answer = await page.request.post(`${server.url}/api/auth/sign-in/email`, { headers, data: user });
  if (!answer.ok()) throw new Error(await answer.text());
  await context.addCookies([{ name: 'threshold_mode', value: mode, url: server.url }]);
  return page;
}

const visit = async (page: Page, path: string) => {
  await page.goto(server.url + path);
  await page.waitForLoadState('networkidle');
};
/**
 * Waits for charts, pictures of PDFs and closing menus, which are drawn after the network is idle.
 */
const shoot = async (page: Page, name: string) => {
  await page.waitForTimeout(1_500);
  await page.screenshot({ path: `${OUT}/${name}.png` });
};

// Takes pictures of the guest's page.
const signing = await open(PHONE);
for (const [id, name] of [
  [dorothy, 'Dorothy Vaughan'],
  [ada, 'Ada Lovelace'],
] as const) {
  const { signingUrl } = await api.get(`/reservations/${id}/copy-link`);
  await signing.goto(signingUrl);
  if (id === ada) {
    await shoot(signing, 'sign-phone');
    break;
  }
  await signing.getByLabel('Your full name').fill(name);
  await signing.locator('#consent').check();
  await signing.getByRole('button', { name: 'Review and sign' }).click();
  await signing.getByRole('button', { name: 'Sign now' }).click();
  await signing.getByText('4711#').waitFor();
}

// One calendar causes a double booking. The link of the other calendar is reset.
const page = await open(DESK, owner);
const call = async (path: string, data: unknown) => {
  const headers = { 'x-threshold-mode': 'live' };
  const answer = await page.request.post(`${server.url}/api/trpc/${path}`, { headers, data });
  if (!answer.ok()) throw new Error(await answer.text());
  return (await answer.json()).result.data as { id: string };
};
const connect = async (property: { id: string }, kind: string, feed_url: string) => {
  const { id } = await call('sync_sources.create', { property_id: property.id, kind, feed_url });
  await call('sync_sources.run', { id });
  return id;
};
const [healthy, reset] = [await startFeedServer(), await startFeedServer()];
const twice = { uid: 'a@a', from: day(12), to: day(16), description: renderBookingDescription('HMABCD1234') };
healthy.serve(renderTestCalendarFeed([twice]));
await connect(loft, 'channel_a_ical', healthy.url);
reset.serve(renderTestCalendarFeed([{ uid: 'b@b', from: day(30), to: day(33) }]));
const broken = await connect(casa, 'channel_b_ical', reset.url);
reset.serve({ status: 404 });
await call('sync_sources.run', { id: broken });

await visit(page, '/');
await shoot(page, 'home');
const phone = await open(PHONE, owner);
await visit(phone, '/');
await shoot(phone, 'home-phone');
await visit(page, `/reservations/${mistyped}`);
await page.getByRole('button', { name: 'Change guest details' }).click();
await page.getByLabel('Guest’s name').fill('John Smith');
await page.getByLabel('Guest’s email').fill('john.smith@example.com');
await shoot(page, 'correct-guest');
await visit(page, '/properties?change=1');
await page.getByLabel('What to change').selectOption('fee petfee');
await page.getByLabel('Amount in EUR').fill('40');
await shoot(page, 'change-everywhere');
await visit(page, `/settings/data?guest=${dorothy}`);
await page.getByText('1 reservation found').waitFor();
await shoot(page, 'erase-guest');
await visit(page, '/settings/members');
await page.getByRole('button', { name: 'Invite' }).click();
await page.getByLabel('Email').fill('cleo@example.com');
await page.getByRole('radio', { name: 'Co-host' }).check();
await page.getByRole('checkbox', { name: 'Casa Azul' }).check();
await shoot(page, 'invite');
await visit(page, '/reservations');
await page.getByRole('button', { name: 'Export', exact: true }).click();
await shoot(page, 'month-export');
await visit(page, `/calendars/${broken}`);
await shoot(page, 'broken-calendar');
await visit(page, '/');
await page.getByRole('button', { name: 'Choose which to cancel' }).click();
await shoot(page, 'double-booking');
let [certificate] = (await api.get('/certificates')).data;
while (!certificate.pdf_available) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  certificate = await api.get(`/certificates/${certificate.id}`);
}
const verification = await open(DESK);
await verification.goto(certificate.verify_url);
await shoot(verification, 'verify');

// A new user visits for the first time and sees the sample stay.
const first = await open(DESK, newcomer, 'test');
await visit(first, '/');
await first.getByRole('button', { name: 'Create a sample' }).click();
await first.getByRole('button', { name: 'Send', exact: true }).click();
await first.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
await first.getByRole('link', { name: 'Open as guest' }).waitFor();
await shoot(first, 'first-hour');

await browser.close();
await server.stop();
await Promise.all([healthy.close(), reset.close(), mails.close()]);
console.log(`Wrote ${OUT}.`);
