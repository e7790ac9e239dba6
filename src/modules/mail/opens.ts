/** Openings of mails: by the pixel in them or by the provider's report. */
import { hashToken } from '@/infra/encryption';
import { clock } from '@/shared/clock';
import type { Mode } from '@/shared/scope';
import * as repository from './repository';
import { isMachineOpen, type PixelRequest } from './rules/opens.rules';

export interface OpenedMail {
  id: string;
  team_id: string | null;
  mode: Mode | null;
  reservation_id: string | null;
  opened_at: Date | null;
}

/** What an opening means for what the mail is about, which this module does not know (reservations/mail-reports.ts). */
export type OnOpened = (mail: OpenedMail) => Promise<void>;

/** The pixel of a mail was fetched. Scanners and prefetchers, and tokens that are not ours, change nothing. */
export async function openByPixel(token: string, request: PixelRequest, opened: OnOpened): Promise<void> {
  if (isMachineOpen(request)) return;
  const mail = await repository.findByOpenToken(hashToken(token));
  if (mail) await recordOpen(mail, opened);
}

/** A mail was opened: marks it the first time; what it is about hears of every time. */
export async function recordOpen(mail: OpenedMail, opened: OnOpened): Promise<void> {
  if (!mail.opened_at) await repository.markOpened(mail.id, clock().now());
  await opened(mail);
}
