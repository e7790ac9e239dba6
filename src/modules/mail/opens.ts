/** Records that a mail was opened, reported by its tracking pixel or by the provider. */
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

/** Callback that records the opening on the mail's reservation (reservations/mail-reports.ts). */
export type OnMailOpened = (mail: OpenedMail) => Promise<void>;

/**
 * Handles a request for a mail's tracking pixel. Ignores scanners, prefetchers and unknown tokens.
 */
export async function handlePixelRequest(token: string, request: PixelRequest, opened: OnMailOpened): Promise<void> {
  if (isMachineOpen(request)) return;
  const mail = await repository.findByOpenToken(hashToken(token));
  if (mail) await recordOpen(mail, opened);
}

/** Marks a mail as opened when it is opened for the first time. Calls `opened` every time. */
export async function recordOpen(mail: OpenedMail, opened: OnMailOpened): Promise<void> {
  if (!mail.opened_at) await repository.markOpened(mail.id, clock().now());
  await opened(mail);
}
