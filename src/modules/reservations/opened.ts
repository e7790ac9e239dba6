/** The guest's mail client opened the mail (DESIGN "Reservation status"): there is no event for it, only the trail. */
import type { Scope } from '@/shared/scope';
import { changeReservation } from './change';
import * as lifecycle from './lifecycle';

/** Throws resource_missing and concurrent_edit; anything but a reservation in `sent` stays as it is. */
export async function markReservationOpened(scope: Scope, id: string, mail_id: string): Promise<boolean> {
  const result = await changeReservation(scope, id, (facts, _context, now) => lifecycle.markOpened(facts, now), {
    trail: () => [{ type: 'reservation.opened', data: { mail_id } }],
  });
  return result.changed;
}
