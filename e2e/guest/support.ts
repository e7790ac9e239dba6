/**
 * Code that the guest's specs share: a property with arrival details withheld until signing, a sent
 * reservation, and its link.
 */
import { expect, type Page } from '@playwright/test';
import type { ApiClient } from '../support/api-client';
import { findAccessibilityViolations } from '../support/axe';

export const getDateDaysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export interface SentReservation {
  property_id: string;
  reservation_id: string;
  /** The path of the signing link. Tests open it on their own server's host. */
  path: string;
}

export const DOOR_CODE = '4711#';

/**
 * Creates a property whose door code and Wi-Fi are withheld until signing, and sends a reservation.
 */
export async function createSentReservation(
  api: ApiClient,
  property: Record<string, unknown> = {},
): Promise<SentReservation> {
  const { id: property_id } = await api.post('/properties', {
    name: 'Harbour Loft',
    timezone: 'Europe/Lisbon',
    brand_color: '#0f766e',
    ...property,
  });
  await api.patch(`/properties/${property_id}/packet`, {
    welcome_message: 'Welcome, {{guest_name}}!',
    currency: 'EUR',
    rules: [
      { text: 'No smoking indoors.', category: 'House' },
      { text: 'Quiet after 22:00.', category: 'Neighbours' },
    ],
    fees: [{ label: 'Late check-out', amount_cents: 5000 }],
    arrival_details: { wifi: { network: 'loft', password: 'wifi-secret' }, door_code: DOOR_CODE },
    arrival_release: { wifi: 'after_signing', door_code: 'after_signing' },
    safety_notes: 'The fire extinguisher is under the sink.',
  });
  const { id: reservation_id } = await api.post('/reservations', {
    property_id,
    guest_name: 'Ada Lovelace',
    guest_email: 'ada@example.com',
    checkin_date: getDateDaysFromNow(10),
    checkout_date: getDateDaysFromNow(14),
  });
  await api.post(`/reservations/${reservation_id}/send`);
  return { property_id, reservation_id, path: await getSigningLinkPath(api, reservation_id) };
}

export async function getSigningLinkPath(api: ApiClient, reservation_id: string): Promise<string> {
  const { signingUrl } = await api.get(`/reservations/${reservation_id}/copy-link`);
  return new URL(signingUrl).pathname;
}

/** Fills in the form and signs, in the page's order. */
export async function signOnGuestPage(page: Page, name = 'Ada Lovelace'): Promise<void> {
  await page.getByLabel('Your full name').fill(name);
  await page.locator('#consent').check();
  await page.getByRole('button', { name: 'Review and sign' }).click();
  await page.getByRole('button', { name: 'Sign now' }).click();
}

/** Checks that the page has no accessibility violations in its current color scheme. */
export async function expectNoAccessibilityViolations(page: Page): Promise<void> {
  const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  expect(await findAccessibilityViolations(page, { type: 'tag', values })).toEqual([]);
}
