/**
 * Tests links that can no longer be signed, the page's languages, and visits after signing.
 * signing.spec.ts tests all other states of a link.
 */
import { expect, test } from '../fixtures';
import {
  createSentReservation,
  DOOR_CODE,
  expectNoAccessibilityViolations,
  getSigningLinkPath,
  signOnGuestPage,
} from './support';

const todayIn = (zone: string) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());

test('the link of a past stay shows that it is over, and still shows the safety notes', async ({ page, api }) => {
  // These two time zones never have the same date. When a day begins in the first, it is already
  // over in the second.
  const [behind, ahead] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati'];
  const { id: property_id } = await api.post('/properties', { name: 'Far Away', timezone: behind });
  await api.patch(`/properties/${property_id}/packet`, { safety_notes: 'The fire extinguisher is under the sink.' });
  const checkout = todayIn(behind);
  const { id } = await api.post('/reservations', {
    property_id,
    guest_name: 'Ada Lovelace',
    guest_email: 'ada@example.com',
    checkin_date: new Date(Date.parse(checkout) - 86_400_000).toISOString().slice(0, 10),
    checkout_date: checkout,
  });
  await api.post(`/reservations/${id}/send`);
  const path = await getSigningLinkPath(api, id);
  expect((await page.goto(path))?.status()).toBe(200);
  await api.patch(`/properties/${property_id}`, { timezone: ahead });
  expect((await page.goto(path))?.status()).toBe(410);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This stay is over');
  await expect(page.getByText('The fire extinguisher is under the sink.')).toBeVisible();
  await expectNoAccessibilityViolations(page);
});

test('a signed link shows what was signed and the released details, each time it is opened', async ({
  page,
  api,
  browser,
}) => {
  const { path, reservation_id } = await createSentReservation(api);
  await page.goto(path);
  // The second window still shows the form after the guest has signed in the first.
  const other = await (await browser.newContext()).newPage();
  await other.goto(path);
  await signOnGuestPage(page);
  await expect(page.getByText(DOOR_CODE)).toBeVisible();
  await signOnGuestPage(other);
  await expect(other.getByText(DOOR_CODE)).toBeVisible();
  await other.context().close();
  const { data } = await api.get(`/reservations/${reservation_id}/events`);
  expect(data.filter(({ type }: { type: string }) => type === 'reservation.signed')).toHaveLength(1);

  await page.goto(path);
  await expect(page.getByText(DOOR_CODE)).toBeVisible();
  await expect(page.locator('form')).toHaveCount(0);
  await expectNoAccessibilityViolations(page);
  const { copyUrl } = await api.get(`/reservations/${reservation_id}/copy-link`);
  await page.goto(new URL(copyUrl).pathname);
  await expect(page.getByText('No smoking indoors.')).toBeVisible();
  // A copy may be passed on, so it never contains details of how to enter the property.
  expect(await page.content()).not.toContain(DOOR_CODE);
  await expectNoAccessibilityViolations(page);
});

test('a guest whose reservation was cancelled while the form was open sees that, and cannot sign', async ({
  page,
  api,
}) => {
  const { path, reservation_id } = await createSentReservation(api);
  await page.goto(path);
  await api.post(`/reservations/${reservation_id}/cancel`);
  await signOnGuestPage(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This booking was cancelled');
  expect(await page.content()).not.toContain(DOOR_CODE);
  expect((await api.get(`/reservations/${reservation_id}`)).status).toBe('ignored');
});

test('the language can be switched on the page, and the signed text is in that language', async ({ page, api }) => {
  const { path, reservation_id } = await createSentReservation(api);
  await page.goto(path);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-GB');
  await page.locator('details.languages summary').click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expectNoAccessibilityViolations(page);
  await page.locator('#typed_name').fill('Ada Lovelace');
  await page.locator('#consent').check();
  await page.getByRole('button', { name: 'Prüfen und unterschreiben' }).click();
  await page.getByRole('button', { name: 'Jetzt unterschreiben' }).click();
  await expect(page.getByText(DOOR_CODE)).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const { signature_id } = await api.get(`/reservations/${reservation_id}`);
  const { audit_trail } = await api.get(`/certificates/${signature_id}`);
  expect(audit_trail.snapshot.consent.locale).toBe('de');
});
