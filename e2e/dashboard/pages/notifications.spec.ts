/**
 * Tests notifications in a browser, from turning them on to opening the page of a notification. The
 * tests cannot reach Chromium's own push service. A replacement receives each message and passes it
 * to the service worker.
 */
import { expect, type Page, test } from '@playwright/test';
import { startTestPushService, type TestPushService } from '../../../src/modules/push/testing/push-service';
import {
  callTrpcMutation,
  callTrpcQuery,
  createTeamWithOwner,
  expectAccessibleOnAllDevices,
  makeProperty,
  makeReservation,
  signIn,
} from '../support';

let service: TestPushService;
test.beforeEach(async () => {
  service = await startTestPushService();
});
test.afterEach(() => service.close());

/** Subscribes the page's browser with the replacement push service. */
async function subscribeWithOurs(page: Page): Promise<void> {
  await page.exposeFunction('subscribeWith', (key: string) => service.subscribe('chromium', key));
  await page.addInitScript(() => {
    const { subscribeWith } = window as unknown as {
      subscribeWith: (key: string) => Promise<{ endpoint: string; p256dh: string; auth: string }>;
    };
    PushManager.prototype.subscribe = async (options) => {
      const { endpoint, ...keys } = await subscribeWith(String(options?.applicationServerKey));
      return { toJSON: () => ({ endpoint, keys }) } as unknown as PushSubscription;
    };
  });
}

const button = (page: Page, name: string) => page.getByRole('button', { name });

test('a browser with notifications on shows a guest’s question, and a click opens the reservation', async ({
  page,
  baseURL,
}) => {
  await page.context().grantPermissions(['notifications'], { origin: baseURL });
  await subscribeWithOurs(page);
  await signIn(page, await createTeamWithOwner());
  const property = await makeProperty(page, 'live', 'Harbour Loft');
  const id = await makeReservation(page, 'live', property, { guest_name: 'Dorothy Vaughan' });
  await callTrpcMutation(page, 'live', 'reservations.send', { id });
  await page.goto('/settings/notifications');
  await expect(page.getByText('Notifications are off in this browser.')).toBeVisible();
  await button(page, 'Turn on').click();
  await expect(page.getByText('Notifications are on in this browser')).toBeVisible();
  await expectAccessibleOnAllDevices(page);

  const { signingUrl } = await callTrpcQuery<{ signingUrl: string }>(page, 'live', 'reservations.copy_link', { id });
  await page.request.post(signingUrl, {
    form: { intent: 'question', guest_message: 'Where may I park?', locale: 'en' },
  });
  await expect.poll(() => service.received.length).toBe(1);
  const data = service.received[0]?.text ?? '';
  expect(data).not.toContain('park');

  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((done) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId } of registrations) done(registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const origin = new URL(page.url()).origin;
  await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data });
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body, data }) => ({ title, body, data }));
    });
  const notification = { title: 'Dorothy has a question', body: 'Harbour Loft', data: `/reservations/${id}` };
  await expect.poll(shown).toEqual([notification]);

  await page.reload();
  await button(page, 'Turn off').click();
  await expect(page.getByText('Notifications are off in this browser.')).toBeVisible();
  expect((await callTrpcQuery<{ on: boolean }>(page, 'live', 'push.state')).on).toBe(false);
});

test('a browser that blocks or lacks notifications shows why', async ({ page, baseURL }) => {
  await signIn(page, await createTeamWithOwner(), '/settings/notifications');
  await page.evaluate(() => {
    Notification.requestPermission = async () => 'denied';
  });
  await button(page, 'Turn on').click();
  await expect(page.getByRole('alert').filter({ hasText: 'blocks notifications from this site' })).toBeVisible();
  await page.context().grantPermissions(['notifications'], { origin: baseURL });
  await page.reload();
  // Turning on fails, because the tests cannot reach Chromium's push service.
  await button(page, 'Turn on').click();
  await expect(page.getByRole('alert').filter({ hasText: 'push service could not be reached' })).toBeVisible();
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'));
  await page.reload();
  await expect(page.getByText('This browser cannot show notifications from this site.').first()).toBeVisible();
});
