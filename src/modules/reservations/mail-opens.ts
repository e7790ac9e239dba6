/**
 * The guest opened the mail, by the pixel in it or by the provider's report (DESIGN "Reservation status"). For the
 * reservation there is no event for it, only the trail.
 */
import { type OpenedMail, openByPixel } from '@/modules/mail/opens';
import type { PixelRequest } from '@/modules/mail/opens.rules';
import { type ProviderRequest, takeProviderEvent } from '@/modules/mail/provider-events';
import { AppError } from '@/shared/errors';
import { systemScope } from '@/shared/scope';
import * as lifecycle from './rules/lifecycle';
import { changeReservation } from './save-transition';

/** The pixel of a mail was fetched. Scanners and prefetchers, and tokens that are not ours, change nothing. */
export function recordPixel(token: string, request: PixelRequest): Promise<void> {
  return openByPixel(token, request, markReservationOpened);
}

/** Takes a report of the mail provider in and answers the HTTP status. */
export function receiveProviderEvent(request: ProviderRequest): Promise<200 | 400 | 401 | 404> {
  return takeProviderEvent(request, markReservationOpened);
}

/** Anything but a reservation in `sent` stays as it is. */
async function markReservationOpened(mail: OpenedMail): Promise<void> {
  if (!mail.team_id || !mail.mode || !mail.reservation_id) return;
  const scope = systemScope(mail.team_id, mail.mode, 'mail');
  try {
    await changeReservation(scope, mail.reservation_id, (facts, _context, now) => lifecycle.markOpened(facts, now), {
      trail: () => [{ type: 'reservation.opened', data: { mail_id: mail.id } }],
    });
  } catch (error) {
    // Deleted meanwhile, or someone else's change won and the reservation is further along.
    if (!(error instanceof AppError)) throw error;
  }
}
