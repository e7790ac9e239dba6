/** Openings of mails: by the pixel in them or by the provider's report. */
import { hashToken } from '@/infra/encryption';
import { markReservationOpened } from '@/modules/reservations/opened';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { type Mode, systemScope } from '@/shared/scope';
import { isMachineOpen, type PixelRequest } from './opens.rules';
import * as repository from './repository';

export interface OpenedMail {
  id: string;
  team_id: string | null;
  mode: Mode | null;
  reservation_id: string | null;
  opened_at: Date | null;
}

/** The pixel of a mail was fetched. Scanners and prefetchers, and tokens that are not ours, change nothing. */
export async function recordPixel(token: string, request: PixelRequest): Promise<void> {
  if (isMachineOpen(request)) return;
  const mail = await repository.findByOpenToken(hashToken(token));
  if (mail) await recordOpen(mail);
}

/** A mail was opened: marks it the first time, and its reservation, whose rules decide what that changes. */
export async function recordOpen(mail: OpenedMail): Promise<void> {
  if (!mail.opened_at) await repository.markOpened(mail.id, clock().now());
  if (!mail.team_id || !mail.mode || !mail.reservation_id) return;
  try {
    await markReservationOpened(systemScope(mail.team_id, mail.mode, 'mail'), mail.reservation_id, mail.id);
  } catch (error) {
    // Deleted meanwhile, or someone else's change won and the reservation is further along.
    if (!(error instanceof AppError)) throw error;
  }
}
