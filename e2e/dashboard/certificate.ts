/** A sealed certificate, made as in life: the host sends, the guest signs. */
import { type Browser, expect, type Page } from '@playwright/test';
import { sign } from '../guest/support';
import { call, makeProperty, makeReservation, query } from './support';

/** A guest signs in a browser of their own, and the certificate is sealed. Returns the certificate's id. */
export async function makeCertificate(page: Page, browser: Browser, guest_name: string): Promise<string> {
  const property_id = await makeProperty(page, 'test', 'Harbour Loft');
  const id = await makeReservation(page, 'test', property_id, { guest_name });
  await call(page, 'test', 'reservations.send', { id });
  const { signingUrl } = await query<{ signingUrl: string }>(page, 'test', 'reservations.copy_link', { id });
  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(signingUrl);
  await sign(guest, guest_name);
  await guest.waitForURL(/signed=1/);
  await context.close();
  const { signature_id } = await query<{ signature_id: string }>(page, 'test', 'reservations.retrieve', { id });
  await expect
    .poll(
      async () =>
        (await query<{ pdf_available: boolean }>(page, 'test', 'certificates.retrieve', { id: signature_id }))
          .pdf_available,
      {
        timeout: 30_000,
      },
    )
    .toBe(true);
  return signature_id;
}
