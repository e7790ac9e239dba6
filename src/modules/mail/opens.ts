/** Records that a mail was opened, reported by its tracking pixel or by the provider. */
import { hashToken } from '@/infra/encryption';
import { clock } from '@/shared/clock';
import type { Mode } from '@/shared/scope';
import * as repository from './repository';
import { canTrackingPixelRequestBeAutomated, type TrackingPixelRequest } from './rules/opens.rules';

export interface OpenedMail {
  id: string;
  team_id: string | null;
  mode: Mode | null;
  reservation_id: string | null;
  opened_at: Date | null;
}

/** Callback that records the opening on the mail's reservation (reservations/mail-reports.ts). */
export type MailOpenedCallback = (mail: OpenedMail) => Promise<void>;

/**
 * Handles a request for a mail's tracking pixel. Ignores scanners, prefetchers and unknown tokens.
 */
export async function handleTrackingPixelRequest(
  token: string,
  request: TrackingPixelRequest,
  opened: MailOpenedCallback,
): Promise<void> {
  if (canTrackingPixelRequestBeAutomated(request)) return;
  const mail = await repository.findMailByOpenTrackingTokenHash(hashToken(token));
  if (mail) await recordMailOpen(mail, opened);
}

/** Marks a mail as opened when it is opened for the first time. Calls `opened` every time. */
export async function recordMailOpen(mail: OpenedMail, opened: MailOpenedCallback): Promise<void> {
  if (!mail.opened_at) await repository.markMailAsOpened(mail.id, clock().now());
  await opened(mail);
}
