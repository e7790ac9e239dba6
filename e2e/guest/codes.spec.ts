/**
 * Tests one-time codes. A property may require one before signing. The shared link of a booking
 * without an address also requires one.
 */
import type { APIRequestContext } from '@playwright/test';
import {
  renderBookingDescription,
  renderTestCalendarFeed,
  startFeedServer,
} from '../../src/modules/sync-sources/testing/feed-server';
import { expect, type Team, test } from '../fixtures';
import {
  createSentReservation,
  DOOR_CODE,
  expectNoAccessibilityViolations,
  getDateDaysFromNow,
  getSigningLinkPath,
  signOnGuestPage,
} from './support';

const AS_HOST = { 'x-threshold-mode': 'test' };

/**
 * Returns functions that call the dashboard's procedures as the team's owner. No page is opened.
 */
async function host(request: APIRequestContext, team: Team) {
  const { email, password } = team.owner;
  const signed_in = await request.post('/api/auth/sign-in/email', { data: { email, password } });
  expect(signed_in.ok(), await signed_in.text()).toBe(true);
  const read = async (path: string, input: unknown) => {
    const url = `/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`;
    const response = await request.get(url, { headers: AS_HOST });
    expect(response.ok(), await response.text()).toBe(true);
    return (await response.json()).result.data;
  };
  const write = async (path: string, data: unknown) => {
    const response = await request.post(`/api/trpc/${path}`, { headers: AS_HOST, data });
    expect(response.ok(), await response.text()).toBe(true);
    return (await response.json()).result.data;
  };
  return {
    /** Returns the latest code that was mailed for a reservation. */
    async code(reservation: string): Promise<string> {
      const { data } = await read('mail.list', { reservation, limit: 10 });
      const mail = data.find(({ template }: { template: string }) => template === 'one_time_code');
      const { text } = await read('mail.retrieve', { id: mail.id });
      return /\b\d{6}\b/.exec(text)?.[0] ?? '';
    },
    async shareLink(id: string): Promise<string> {
      return new URL((await write('reservations.share_link', { id })).url).pathname;
    },
    async connect(property_id: string, feed_url: string): Promise<string> {
      return (await write('sync_sources.create', { property_id, kind: 'channel_a_ical', feed_url })).id;
    },
  };
}

const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000');

test('a guest confirms a code before signing if the property requires it, and the trail records it', async ({
  page,
  api,
  team,
  playwright,
  baseURL,
}) => {
  const { path, reservation_id } = await createSentReservation(api, { otp_required: true });
  const owner = await host(await playwright.request.newContext({ baseURL }), team);
  await page.goto(path);
  await expect(page.getByText('Before you sign, we will send a code to a•••@example.com')).toBeVisible();
  await expectNoAccessibilityViolations(page);
  await page.getByRole('button', { name: 'Send me the code' }).click();
  await expect(page.getByText(/A code is on its way to/)).toBeVisible();
  const code = await owner.code(reservation_id);

  await page.getByLabel('Code from the email').fill(wrongFor(code));
  await page.getByLabel('Your full name').fill('Ada Lovelace');
  await page.locator('#consent').check();
  await page.getByRole('button', { name: 'Review and sign' }).click();
  await page.getByRole('button', { name: 'Sign now' }).click();
  await expect(page.getByText(/code is incorrect/i).first()).toBeVisible();
  expect((await api.get(`/reservations/${reservation_id}`)).status).toBe('clicked');

  await page.getByLabel('Code from the email').fill(code);
  await signOnGuestPage(page);
  await expect(page.getByText(DOOR_CODE)).toBeVisible();
  const { signature_id } = await api.get(`/reservations/${reservation_id}`);
  const { audit_trail } = await api.get(`/certificates/${signature_id}`);
  const signed = audit_trail.entries.find(({ type }: { type: string }) => type === 'reservation.signed');
  expect(signed.data.email_code_confirmed).toBe(true);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the code is sent, entered and confirmed with plain forms, and input is preserved', async ({
    page,
    api,
    team,
    playwright,
    baseURL,
  }) => {
    const { path, reservation_id } = await createSentReservation(api, { otp_required: true });
    const owner = await host(await playwright.request.newContext({ baseURL }), team);
    await page.goto(path);
    await page.getByLabel('Your full name').fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Send me the code' }).click();
    await expect(page.getByLabel('Your full name')).toHaveValue('Ada Lovelace');
    await page.getByLabel('Code from the email').fill(await owner.code(reservation_id));
    await page.locator('#consent').check();
    await page.getByRole('button', { name: 'Review and sign' }).click();
    await page.getByRole('button', { name: 'Sign now' }).click();
    await expect(page.getByText(DOOR_CODE)).toBeVisible();
  });
});

test('on the shared link of a booking without an address the guest enters one, confirms it and signs', async ({
  page,
  api,
  team,
  playwright,
  baseURL,
}) => {
  const { property_id } = await createSentReservation(api);
  const feed = await startFeedServer();
  feed.serve(
    renderTestCalendarFeed([
      {
        uid: 'one@a',
        from: getDateDaysFromNow(10),
        to: getDateDaysFromNow(14),
        description: renderBookingDescription('HMSHARED01'),
      },
    ]),
  );
  const owner = await host(await playwright.request.newContext({ baseURL }), team);
  const source = await owner.connect(property_id, feed.url);
  let booking: { id: string; guest_contact_missing: boolean } | undefined;
  await expect(async () => {
    await api.call('POST', `/sync_sources/${source}/run`);
    const { data } = await api.get('/reservations?limit=100');
    booking = data.find(
      (row: { property_id: string; guest_contact_missing: boolean }) =>
        row.property_id === property_id && row.guest_contact_missing,
    );
    expect(booking).toBeDefined();
  }).toPass({ timeout: 20_000 });
  await feed.close();
  const id = booking?.id ?? '';
  const shared = await owner.shareLink(id);

  await page.goto(shared);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Where can we reach you?');
  // A person who only has the link cannot see the packet.
  expect(await page.content()).not.toContain('No smoking');
  await expectNoAccessibilityViolations(page);
  const email = 'grace@guest.example';
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Enter your code');
  await expectNoAccessibilityViolations(page);
  const code = await owner.code(id);
  await page.getByLabel('Code from the email').fill(wrongFor(code));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Enter your code');
  expect((await api.get(`/reservations/${id}`)).guest_contact_missing).toBe(true);
  await page.getByLabel('Code from the email').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('No smoking indoors.')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(await getSigningLinkPath(api, id));
  expect(await api.get(`/reservations/${id}`)).toMatchObject({ guest_email: email, guest_contact_missing: false });

  await signOnGuestPage(page, 'Grace Hopper');
  await expect(page.getByText(DOOR_CODE)).toBeVisible();
  // The shared link has been used. It now shows nothing to anyone.
  expect((await page.goto(shared))?.status()).toBe(410);
  expect(await page.content()).not.toContain(DOOR_CODE);
});
