/**
 * Creates a sealed certificate as in production: the host sends a reservation and the guest signs
 * it.
 */
import { expect, type Page, request } from '@playwright/test';
import { buildSignFormFields } from '../support/sign-form';
import { callTrpcMutation, callTrpcQuery, makeProperty, makeReservation } from './support';

/**
 * Signs as a guest in a browser without scripts, and waits until the certificate is sealed. Returns
 * the certificate's id.
 */
export async function makeCertificate(page: Page, guest_name: string): Promise<string> {
  const property_id = await makeProperty(page, 'test', 'Harbour Loft');
  const id = await makeReservation(page, 'test', property_id, { guest_name });
  await callTrpcMutation(page, 'test', 'reservations.send', { id });
  const { signingUrl } = await callTrpcQuery<{ signingUrl: string }>(page, 'test', 'reservations.copy_link', { id });
  const guest = await request.newContext({ userAgent: 'Mozilla/5.0 (iPhone)' });
  const form = buildSignFormFields(await (await guest.get(signingUrl)).text(), guest_name);
  await guest.post(`${signingUrl}/view`);
  expect((await guest.post(signingUrl, { form: form ?? {}, maxRedirects: 0 })).status()).toBe(303);
  await guest.dispose();
  const { signature_id } = await callTrpcQuery<{ signature_id: string }>(page, 'test', 'reservations.retrieve', {
    id,
  });
  await expect
    .poll(
      async () =>
        (await callTrpcQuery<{ pdf_available: boolean }>(page, 'test', 'certificates.retrieve', { id: signature_id }))
          .pdf_available,
      {
        timeout: 30_000,
      },
    )
    .toBe(true);
  return signature_id;
}
