import { expect, test } from '@playwright/test';
import { makePacket } from './packet-data';
import {
  callTrpcMutation,
  callTrpcQuery,
  expectAccessible,
  expectAccessibleOnPhone,
  getDateDaysFromNow,
  makeProperty,
  makeReservation,
  readGuestPagePreviewText,
  setLiveOrTestMode,
  setUpSignedInOwner,
} from './support';

setUpSignedInOwner();

test('a property is created, found by name and renamed, and its branding is previewed while typing', {
  tag: '@smoke',
}, async ({ page }) => {
  const dialog = page.getByRole('dialog');
  // Home's first step links to this dialog. After it has been closed, a reload does not open it
  // again.
  await page.goto('/properties?new=1');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/properties');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Create a property' }).first().click();
  await dialog.getByRole('button', { name: 'Create property' }).click();
  await expect(dialog.getByText('Enter the name that guests know.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Casa Azul');
  await dialog.getByRole('combobox', { name: 'Time zone' }).click();
  await page.getByPlaceholder('Search by city or region').fill('madrid');
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create property' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Casa Azul' })).toBeVisible();

  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveText('Europe/Madrid');
  await page.getByLabel('Name').fill('Casa Azul do Mar');
  await expect.poll(() => readGuestPagePreviewText(page)).toContain('Casa Azul do Mar');
  await page.getByPlaceholder('#1a2b3c').fill('teal');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Must look like #1a2b3c.')).toBeVisible();
  await page.getByPlaceholder('#1a2b3c').fill('#0f766e');
  await page.getByRole('switch', { name: 'Send the house rules automatically' }).click();
  await page.getByLabel('Hours before check-in').fill('48');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Property saved.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Casa Azul do Mar' })).toBeVisible();
  await expectAccessible(page);

  await page.goto('/properties');
  await page.getByRole('searchbox', { name: 'Search properties' }).fill('do mar');
  await expect(page).toHaveURL(/search=do/);
  const table = page.getByRole('table', { name: 'Properties', exact: true });
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table).toContainText('48 h before check-in');
  await page.getByRole('searchbox', { name: 'Search properties' }).fill('nothing like it');
  await expect(page.getByText('No property matches')).toBeVisible();
});

test('a taken subdomain shows an error at its field, and a custom domain shows its DNS records', async ({ page }) => {
  const tag = Date.now().toString(36);
  const first = await makeProperty(page, 'test', 'First');
  await callTrpcMutation(page, 'test', 'properties.update', { id: first, subdomain: `taken-${tag}` });
  const second = await makeProperty(page, 'test', 'Second');
  await page.goto(`/properties/${second}?tab=domains`);
  await page.getByLabel('Subdomain').fill(`taken-${tag}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert').filter({ hasText: /subdomain/i })).toBeVisible();
  await page.getByLabel('Subdomain').fill(`free-${tag}`);
  await page.getByLabel('Custom domain').fill(`https://rules-${tag}.example.com/`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Domains saved.')).toBeVisible();
  const txt = page.getByRole('region', { name: 'TXT record' });
  await expect(txt).toContainText(`_threshold.rules-${tag}.example.com`);
  await expect(txt).toContainText('threshold-verify=');
  await expect(page.getByText('Waiting for DNS')).toBeVisible();
  await expectAccessible(page);
});

test('deleting a property lists what is deleted, asks for its name, and needs consent for active stays', async ({
  page,
}) => {
  const property = await makeProperty(page, 'test', 'Gone Soon');
  const reservation = await makeReservation(page, 'test', property, { guest_name: 'Ada Lovelace' });
  await callTrpcMutation(page, 'test', 'reservations.send', { id: reservation });
  await page.goto(`/properties/${property}?tab=delete`);
  await expect(page.getByText('1 reservation is active')).toBeVisible();
  await page.getByRole('button', { name: 'Delete property' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete with active reservations' });
  await expect(confirm).toBeDisabled();
  await page.getByRole('dialog').getByRole('textbox').fill('Gone Soon');
  await expectAccessible(page);
  await confirm.click();
  await expect(page).toHaveURL('/properties');
  await page.goto(`/properties/${property}`);
  await expect(page.getByText('This property does not exist')).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('the pages of a property fit and are accessible', async ({ page }) => {
    const { property } = await makePacket(page, 'A property with a rather long name by the sea');
    await callTrpcMutation(page, 'test', 'properties.update', {
      id: property,
      custom_domain: `phone-${Date.now()}.example.com`,
    });
    await expectAccessibleOnPhone(page, [
      '/properties',
      `/properties/${property}`,
      `/properties/${property}?tab=settings`,
      `/properties/${property}?tab=domains`,
      `/properties/${property}?tab=delete`,
    ]);
  });
});

test('a property shows its signing rate, next arrivals and calendars; guests see its uploaded logo', async ({
  page,
}) => {
  const id = await makeProperty(page, 'test', 'Lighthouse');
  await page.goto(`/properties/${id}`);
  await expect(page.getByText('No arrivals in the last 90 days.')).toBeVisible();
  await expect(page.getByText('No upcoming reservations.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Connect a calendar' })).toBeVisible();
  const reservation = await makeReservation(page, 'test', id, { guest_name: 'Grace Hopper', checkin: 2 });
  await callTrpcMutation(page, 'test', 'sync_sources.create', {
    property_id: id,
    kind: 'channel_a_ical',
    feed_url: 'http://127.0.0.1:40009/calendar.ics',
  });
  await page.reload();
  const next = page.getByRole('list', { name: 'Next arrivals' });
  await expect(next).toContainText('Not sent');
  await expect(next.getByRole('link', { name: 'Grace Hopper' })).toHaveAttribute(
    'href',
    `/reservations/${reservation}`,
  );
  await expect(page.getByRole('list', { name: 'Calendar feeds' })).toContainText('Airbnb');
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Settings' }).click();
  const file = page.getByLabel('Logo file');
  await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
  await expect(page.getByText('The logo must be a PNG or JPEG file.')).toBeVisible();
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await page.screenshot() });
  await expect(page.getByText('Logo saved.')).toBeVisible();
  const logo = page.getByRole('img', { name: 'Current logo' });
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512);
  await expectAccessible(page);

  await callTrpcMutation(page, 'test', 'reservations.send', { id: reservation });
  const { signingUrl } = await callTrpcQuery<{ signingUrl: string }>(page, 'test', 'reservations.copy_link', {
    id: reservation,
  });
  const guest = await page.context().newPage();
  await guest.goto(signingUrl);
  const shown = guest.locator('img[src*="/logo/"]').first();
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512);
  await guest.close();

  await page.getByRole('button', { name: 'Remove logo' }).click();
  await expect(page.getByRole('button', { name: 'Upload logo' })).toBeVisible();
  await expect(logo).toHaveCount(0);
});

for (const [form, viewport] of [
  ['on a desktop', { width: 1280, height: 800 }],
  ['on a phone', { width: 390, height: 844 }],
] as const) {
  test(`mail texts are changed per language, previewed, sent as a test and reset, ${form}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const id = await makeProperty(page, 'test', 'Windmill');
    await page.goto(`/properties/${id}?tab=mails`);
    await expect(page.getByText('Default text in English')).toBeVisible();
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await expect(page.getByText('Default text in Deutsch')).toBeVisible();
    const preview = page.getByRole('region', { name: 'Preview' });
    await page.getByLabel('Subject').fill('Willkommen, {{guest_name}}!');
    await page.getByLabel('Introduction').fill('Schön, dass Sie kommen. {{door_code}}');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'short code' })).toBeVisible();
    await page.getByLabel('Introduction').fill('Schön, dass Sie kommen.');
    await expect(preview).toContainText('Willkommen, Ada Lovelace!');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved. New emails will use this text.')).toBeVisible();
    await expect(page.getByText('Your text in Deutsch')).toBeVisible();
    await page.getByRole('button', { name: 'Send test email' }).click();
    await expect(page.getByText('The test email is listed under Emails.')).toBeVisible();

    const reservation = await callTrpcMutation<{ id: string }>(page, 'test', 'reservations.create', {
      property_id: id,
      guest_name: 'Grace Hopper',
      guest_email: 'grace@example.com',
      locale: 'de',
      checkin_date: getDateDaysFromNow(5),
      checkout_date: getDateDaysFromNow(8),
      source: 'direct',
    });
    await callTrpcMutation(page, 'test', 'reservations.send', { id: reservation.id });
    const { data } = await callTrpcQuery<{ data: { subject: string }[] }>(page, 'test', 'mail.list', {
      reservation: reservation.id,
    });
    expect(data.map(({ subject }) => subject)).toEqual(['Willkommen, Grace Hopper!']);

    await page.getByRole('button', { name: 'Reset to default text' }).click();
    await expect(page.getByText('Default text in Deutsch')).toBeVisible();
    await expect(page.getByLabel('Subject')).toHaveValue('');
  });
}

test('embedding sites are entered one per line, and an invalid one shows an error at the field', async ({
  page,
  baseURL,
}) => {
  const id = await makeProperty(page, 'live', 'Embedded');
  await setLiveOrTestMode(page, baseURL, 'live');
  await page.goto(`/properties/${id}?tab=settings`);
  const field = page.getByLabel('Sites that may show the signing page');
  const save = page.getByRole('button', { name: 'Save' });
  await field.fill('https://portal.example/booking');
  await save.click();
  await expect(page.getByRole('alert').filter({ hasText: 'https origin' })).toBeVisible();
  // This URL is valid only in test mode, which only the server checks.
  await field.fill('http://localhost:3000');
  await save.click();
  await expect(page.getByRole('alert').filter({ hasText: 'in test mode only' })).toBeVisible();
  await field.fill('https://Portal.example/\nhttps://stay.example');
  await save.click();
  await expect(page.getByText('Property saved.')).toBeVisible();
  await expect(field).toHaveValue('https://portal.example\nhttps://stay.example');
  await field.fill('https://other.example');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(field).toHaveValue('https://portal.example\nhttps://stay.example');
  expect(await callTrpcQuery(page, 'live', 'properties.retrieve', { id })).toMatchObject({
    embed_origins: ['https://portal.example', 'https://stay.example'],
  });
  await page.goto('/settings/audit-log');
  await expect(page.getByRole('link', { name: 'Changed which sites may show the signing page' })).toBeVisible();
});
