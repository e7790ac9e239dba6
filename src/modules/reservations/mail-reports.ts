/**
 * Records the progress of a guest's mail: delivered, bounced, not sent, opened (design "Reservation
 * status"). Each report adds a trail entry. Only opening emits an event, because only opening
 * changes the reservation.
 */
import { inTransaction } from '@/infra/db/transaction';
import { attemptMailDelivery as attemptMail, type MailAttachmentLoader } from '@/modules/mail/delivery';
import { handleTrackingPixelRequest, type OpenedMail } from '@/modules/mail/opens';
import { handleMailProviderEvent, type MailProviderWebhookRequest } from '@/modules/mail/provider-events';
import {
  GUEST_MAIL_TEMPLATES,
  type MailDeliveryReport,
  type MailNamedInDeliveryReport,
} from '@/modules/mail/rules/delivery.rules';
import type { TrackingPixelRequest } from '@/modules/mail/rules/opens.rules';
import { appendTrailEntries, listTrailEntries, trailEntryDataJsonColumn } from '@/modules/trail/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { createSystemScope } from '@/shared/scope';
import * as repository from './repository';
import * as lifecycle from './rules/lifecycle';
import { applyReservationTransition } from './save-transition';

/**
 * Records a request for a mail's tracking pixel. Requests by scanners and prefetchers, and unknown
 * tokens, change nothing.
 */
export function recordTrackingPixelRequest(token: string, request: TrackingPixelRequest): Promise<void> {
  return handleTrackingPixelRequest(token, request, markReservationOpened);
}

/** Processes a report of the mail provider and returns the HTTP status. */
export function processMailProviderReport(
  request: MailProviderWebhookRequest,
): ReturnType<typeof handleMailProviderEvent> {
  return handleMailProviderEvent(request, { opened: markReservationOpened, onReport: recordMailReport });
}

/** Makes one attempt to send a mail. A final failure is recorded in the trail. */
export const sendMailAndRecordFailure = (id: string, attachment: MailAttachmentLoader) =>
  attemptMail(id, { onReport: recordMailReport, attachment });

const TO_GUESTS: ReadonlySet<string> = new Set(GUEST_MAIL_TEMPLATES);

/** Adds a trail entry for a report about a mail. A repeated report adds nothing. */
async function recordMailReport(mail: MailNamedInDeliveryReport, { type, reason }: MailDeliveryReport): Promise<void> {
  const { team_id, mode, reservation_id } = mail;
  if (!team_id || !mode || !reservation_id || !TO_GUESTS.has(mail.template)) return;
  const scope = createSystemScope(team_id, mode, 'mail');
  await inTransaction(scope, async () => {
    const row = await repository.lockReservation(scope, reservation_id);
    if (!row) return;
    const noted = (await listTrailEntries(scope, reservation_id)).some(
      (entry) => entry.type === type && trailEntryDataJsonColumn.read(entry.data).mail_id === mail.id,
    );
    if (noted) return;
    // A redacted reservation gets no new personal data.
    const about = row.redacted ? {} : { to: mail.to, ...(reason && { reason }) };
    const data = { mail_id: mail.id, kind: mail.template, ...about };
    await appendTrailEntries(scope, reservation_id, [{ type, data }], clock().now());
  });
}

/** Marks the reservation as opened if its status is `sent`. */
async function markReservationOpened(mail: OpenedMail): Promise<void> {
  if (!mail.team_id || !mail.mode || !mail.reservation_id) return;
  const scope = createSystemScope(mail.team_id, mail.mode, 'mail');
  try {
    await applyReservationTransition(
      scope,
      mail.reservation_id,
      (facts, _context, now) => lifecycle.decideChangeOnMailOpened(facts, now),
      {
        trail: () => [{ type: 'reservation.opened', data: { mail_id: mail.id } }],
      },
    );
  } catch (error) {
    // The reservation was deleted meanwhile, or a concurrent change already advanced its status.
    if (!(error instanceof AppError)) throw error;
  }
}
