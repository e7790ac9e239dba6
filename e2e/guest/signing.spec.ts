import { expect, test } from '../fixtures';
import {
  createSentReservation,
  DOOR_CODE,
  expectNoAccessibilityViolations,
  getDateDaysFromNow,
  getSigningLinkPath,
  signOnGuestPage,
} from './support';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('a guest reads, signs on a phone, and then sees the held details', async ({ page, api }) => {
  const { path, reservation_id } = await createSentReservation(api);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Harbour Loft');
  await expect(page.getByText('Welcome, Ada Lovelace!')).toBeVisible();
  await expect(page.getByText('No smoking indoors.')).toBeVisible();
  await expect(page.getByText('The fire extinguisher is under the sink.')).toBeVisible();
  expect(await page.content()).not.toContain(DOOR_CODE);
  expect(await page.content()).not.toContain('wifi-secret');
  await expectNoAccessibilityViolations(page);

  await expect.poll(async () => (await api.get(`/reservations/${reservation_id}`)).status).toBe('clicked');
  expect((await api.get(`/reservations/${reservation_id}`)).arrival_release_state).toBe('held');

  await signOnGuestPage(page);
  await expect(page.getByText(DOOR_CODE)).toBeVisible();
  await expect(page.getByText('wifi-secret')).toBeVisible();
  await expectNoAccessibilityViolations(page);
  const signed = await api.get(`/reservations/${reservation_id}`);
  expect(signed).toMatchObject({ status: 'signed', arrival_release_state: 'released', manual_override: false });

  // The page that follows the signature does not count as a view of the released details. The next
  // visit does.
  await page.goto(path);
  await expect
    .poll(async () => (await api.get(`/reservations/${reservation_id}`)).arrival_release_state)
    .toBe('viewed');
});

test('a page is compressed if the browser accepts it, and has its content type', async ({ api, request }) => {
  const { path } = await createSentReservation(api);
  const ask = async (accepts: string) => {
    const answer = await request.get(path, { headers: { 'Accept-Encoding': accepts } });
    return { headers: answer.headers(), text: await answer.text() };
  };
  const packed = await ask('gzip');
  expect(packed.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' });
  const plain = await ask('identity');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.headers['content-type']).toBe(packed.headers['content-type']);
  expect(packed.text).toContain('No smoking indoors.');
});

test('a form with errors shows what is wrong, and preserves the input', async ({ page, api }) => {
  const { path } = await createSentReservation(api);
  await page.goto(path);
  await page.getByLabel('Your full name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Review and sign' }).click();
  await expect(page.getByText('Tick the box to agree to sign electronically.').first()).toBeVisible();
  await expect(page.getByLabel('Your full name')).toHaveValue('Ada Lovelace');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a guest signs through the review page', async ({ page, api }) => {
    const { path, reservation_id } = await createSentReservation(api);
    await page.goto(path);
    expect((await api.get(`/reservations/${reservation_id}`)).status).toBe('sent');
    await page.getByLabel('Your full name').fill('Ada Lovelace');
    await page.locator('#consent').check();
    await page.getByRole('button', { name: 'Review and sign' }).click();
    await page.getByRole('button', { name: 'Sign now' }).click();
    await expect(page.getByText(DOOR_CODE)).toBeVisible();
    const { data } = await api.get(`/reservations/${reservation_id}/events`);
    const types = data.map((entry: { type: string }) => entry.type);
    // Posting the form counts as the first view by a person.
    expect(types).toContain('reservation.clicked');
    expect(types).toContain('reservation.signed');
  });

  test('a guest adds a photo with a plain file field and ticks each acceptance', async ({ page, api }) => {
    const { path } = await createSentReservation(api, {
      photo_required: true,
      required_acceptances: ['damage', 'smoking'],
    });
    await page.goto(path);
    await page.locator('#photo').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PIXEL });
    await page.getByLabel('Your full name').fill(' . ');
    for (const box of ['#accept_damage', '#accept_smoking', '#consent']) await page.locator(box).check();
    await page.getByRole('button', { name: 'Review and sign' }).click();
    // The name was wrong. The photo is kept, and all checkboxes are empty.
    await expect(page.getByRole('link', { name: 'Type your full name.' })).toBeVisible();
    await expect(page.getByAltText('The photo you added').first()).toBeVisible();
    for (const box of ['#accept_damage', '#accept_smoking', '#consent']) {
      await expect(page.locator(box)).not.toBeChecked();
      await page.locator(box).check();
    }
    await page.getByLabel('Your full name').fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Review and sign' }).click();
    await page.getByRole('button', { name: 'Sign now' }).click();
    await expect(page.getByText(DOOR_CODE)).toBeVisible();
  });

  test('a guest can decline with a message, and the link still works', async ({ page, api }) => {
    const { path, reservation_id } = await createSentReservation(api);
    await page.goto(path);
    await page.getByText('Not ready to sign?').click();
    await page.getByLabel('Your message (optional)').fill('The fee for a late check-out is too high.');
    await page.getByRole('button', { name: 'I do not agree' }).click();
    await expect(page.getByText('Your host has been notified.')).toBeVisible();
    const { data } = await api.get(`/reservations/${reservation_id}/events`);
    expect(data.map((entry: { type: string }) => entry.type)).toContain('guest.declined');
    expect((await api.get(`/reservations/${reservation_id}`)).status).toBe('clicked');
    await expect(page.getByRole('button', { name: 'Review and sign' })).toBeVisible();
  });
});

test('a packet that changed since it was shown is shown again, with the changes marked', async ({ page, api }) => {
  const { path, property_id, reservation_id } = await createSentReservation(api);
  await page.goto(path);
  const { rules } = await api.get(`/properties/${property_id}/packet`);
  await api.patch(`/properties/${property_id}/packet`, {
    rules: [...rules, { text: 'No parties.', category: 'House' }],
  });
  await signOnGuestPage(page);
  await expect(page.getByText('No parties.')).toBeVisible();
  await expect(page.locator('#changed')).toBeVisible();
  expect((await api.get(`/reservations/${reservation_id}`)).status).toBe('clicked');
  await signOnGuestPage(page);
  await expect(page.getByText(DOOR_CODE)).toBeVisible();
});

test('a photo is required if the property requires it', async ({ page, api }) => {
  const { path, reservation_id } = await createSentReservation(api, { photo_required: true });
  await page.goto(path);
  await page.getByLabel('Your full name').fill('Ada Lovelace');
  await page.locator('#consent').check();
  await page.getByRole('button', { name: 'Review and sign' }).click();
  await expect(page.getByText('Add a photo of yourself.').first()).toBeVisible();
  // Browsers paint the missing part of an incomplete picture grey, so an incomplete picture must
  // not be reported as ready.
  await page
    .locator('#photo')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PIXEL.subarray(0, PIXEL.length - 14) });
  await expect(page.getByText('This file could not be read as a photo.').first()).toBeVisible();
  await expect(page.locator('input[name=photo]')).toHaveValue('');
  await page.locator('#photo').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PIXEL });
  await expect(page.locator('input[name=photo]')).toHaveValue(/^data:image\/jpeg/);
  await page.getByRole('button', { name: 'Review and sign' }).click();
  await page.getByRole('button', { name: 'Sign now' }).click();
  await expect(page.getByText(DOOR_CODE)).toBeVisible();
  expect((await api.get(`/reservations/${reservation_id}`)).selfie_required).toBe(true);
});

test.describe('the states of a link', () => {
  test('a link that a resend replaced shows that a newer one was sent', async ({ page, api }) => {
    const { path, reservation_id } = await createSentReservation(api);
    await api.post(`/reservations/${reservation_id}/resend`);
    const old = await page.goto(path);
    expect(old?.status()).toBe(410);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/newer|replaced|new link/i);
    await expectNoAccessibilityViolations(page);
    expect((await page.goto(await getSigningLinkPath(api, reservation_id)))?.status()).toBe(200);
  });

  test('the link of a cancelled reservation shows that, and still shows the safety notes', async ({ page, api }) => {
    const { path, reservation_id } = await createSentReservation(api);
    await api.post(`/reservations/${reservation_id}/cancel`);
    expect((await page.goto(path))?.status()).toBe(410);
    await expect(page.getByText('The fire extinguisher is under the sink.')).toBeVisible();
    expect(await page.content()).not.toContain(DOOR_CODE);
  });

  test('an unknown link is a plain 404', async ({ page }) => {
    expect((await page.goto('/sign/this-is-no-token-of-ours'))?.status()).toBe(404);
    await expectNoAccessibilityViolations(page);
  });
});

test('the language follows the browser and can be switched', async ({ browser, api, baseURL }) => {
  const { path } = await createSentReservation(api);
  const german = await browser.newContext({ locale: 'de-DE', baseURL });
  const page = await german.newPage();
  await page.goto(path);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.goto(`${path}?lang=fr`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await german.close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the signing page is accessible and fits 320 px in the ${colorScheme} scheme`, async ({
    browser,
    api,
    baseURL,
  }) => {
    const { path } = await createSentReservation(api);
    const context = await browser.newContext({ colorScheme, baseURL, viewport: { width: 320, height: 640 } });
    const page = await context.newPage();
    await page.goto(path);
    await expectNoAccessibilityViolations(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await context.close();
  });
}

test('a custom subdomain serves its guests’ pages and nothing else', async ({ page, api, baseURL }) => {
  const subdomain = `loft-${Math.random().toString(36).slice(2, 10)}`;
  const { path } = await createSentReservation(api, { subdomain });
  // Chromium resolves every name under localhost to the loopback address, as the specification
  // requires.
  const vanity = `http://${subdomain}.localhost:${new URL(baseURL ?? '').port}`;
  expect((await page.goto(vanity + path))?.status()).toBe(200);
  expect((await page.goto(`${vanity}/sign-in`))?.status()).toBe(404);
  expect((await page.goto(`${vanity}/v1/properties`))?.status()).toBe(404);
  expect((await page.goto(`http://nobody-${subdomain}.localhost:${new URL(vanity).port}${path}`))?.status()).toBe(404);
});

test('the certificate verifies, and a modified file does not', async ({ page, api }) => {
  const { path, reservation_id } = await createSentReservation(api);
  await page.goto(path);
  await signOnGuestPage(page);
  await expect(page.getByText(DOOR_CODE)).toBeVisible();
  const { signature_id } = await api.get(`/reservations/${reservation_id}`);
  await expect
    .poll(async () => (await api.get(`/certificates/${signature_id}`)).pdf_available, { timeout: 30_000 })
    .toBe(true);
  const { verify_url } = await api.get(`/certificates/${signature_id}`);
  const verify_path = new URL(verify_url).pathname;
  await page.goto(verify_path);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/genuine/i);
  await expect(page.getByText('A••• L•••')).toBeVisible();
  await expectNoAccessibilityViolations(page);
  expect((await page.request.get(`${verify_path}/certificate.pdf`)).status()).toBe(404);
  const { copyUrl } = await api.get(`/reservations/${reservation_id}/copy-link`);
  const pdf = await (await page.request.get(`${new URL(copyUrl).pathname}/certificate.pdf`)).body();
  const input = page.locator('input[type=file]');
  await input.setInputFiles({ name: 'certificate.pdf', mimeType: 'application/pdf', buffer: pdf });
  await expect(page.getByText(/is the (one|file) that was sealed|matches/i).first()).toBeVisible();
  const changed = Buffer.from(pdf);
  changed[1000] = (changed[1000] ?? 0) ^ 1;
  await input.setInputFiles({ name: 'certificate.pdf', mimeType: 'application/pdf', buffer: changed });
  await expect(page.getByText(/not the (one|file)|does not match|differs/i).first()).toBeVisible();
});

test('a past stay cannot be sent for signing', async ({ api }) => {
  const { id: property_id } = await api.post('/properties', { name: 'Past' });
  const { id } = await api.post('/reservations', {
    property_id,
    guest_name: 'Past Guest',
    guest_email: 'past@example.com',
    checkin_date: getDateDaysFromNow(-9),
    checkout_date: getDateDaysFromNow(-5),
  });
  const answer = await api.call('POST', `/reservations/${id}/send`);
  expect(answer.status).toBe(409);
  expect(answer.body.error.code).toBe('stay_ended');
});
