import { expect, test } from '../fixtures';
import { createSentReservation, DOOR_CODE, signOnGuestPage } from '../guest/support';

test('a guest signs on a phone, the partner gets the event, and the owner sees it in the dashboard', async ({
  page,
  api,
  receiver,
  signIn,
}) => {
  const endpoint = await api.post('/webhook_endpoints', { url: receiver.url });
  receiver.secrets = [endpoint.signing_secret];
  const { path, reservation_id } = await createSentReservation(api);
  await page.goto(path);
  await signOnGuestPage(page);
  await expect(page.getByText(DOOR_CODE)).toBeVisible();

  const released = await receiver.waitFor(
    ({ event }) => event.type === 'reservation.arrival_details_released' && event.data.object.id === reservation_id,
    'the released event',
  );
  expect(released.verified).toBe(true);
  expect(released.event.livemode).toBe(false);
  expect(released.event.data.arrival_release).toEqual({
    state: 'released',
    released: ['wifi', 'door_code'],
    withheld: [],
  });
  expect(released.raw_body).not.toContain(DOOR_CODE);

  await signIn(page);
  await page.context().addCookies([{ name: 'threshold_mode', value: 'test', url: page.url() }]);
  await page.goto(`/reservations/${reservation_id}`);
  await expect(page.getByText('Ada Lovelace').first()).toBeVisible();
  await expect(page.getByText(/signed/i).first()).toBeVisible();
});
