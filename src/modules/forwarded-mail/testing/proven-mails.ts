/**
 * Mails about the same booking, made by editing Channel B's confirmation of HA-Q2W3E4 (Jane Doe, 1
 * to 5 June).
 */
import * as inbox from '../inbox.service';
import { receiveMail } from '../receive';
import { forwarding_address, listInboundMails, listReservations, readFixtureMail, scope } from './mail-test-context';

const BOOKED = 'channel-b-en-redirected';
let sent = 0;

export type MailTextTransform = (text: string) => string;

/**
 * Receives a channel's confirmation mail with another subject and edited text. Returns the mail as
 * the inbox shows it.
 */
export async function receiveEditedConfirmationMail(subject: string, edit: MailTextTransform = (text) => text) {
  const text = new TextDecoder().decode(readFixtureMail(BOOKED));
  const made = text.replace(/^Subject: .*$/m, `Subject: ${subject}`).replace('<b-en@', `<b-${++sent}@`);
  await receiveMail(new TextEncoder().encode(edit(made)), [forwarding_address]);
  return await inbox.retrieveForwardedMail(scope, (await listInboundMails()).at(-1)?.id ?? '');
}

export const CANCELLATION_MAIL_SUBJECT =
  'Reservation from Jane Doe has been canceled: Jun 1 - Jun 5, 2026 - Channel B #4821193';
export const receiveCancellationMail = (edit?: MailTextTransform) =>
  receiveEditedConfirmationMail(CANCELLATION_MAIL_SUBJECT, edit);
export const receiveReservationChangeMail = (edit: MailTextTransform = (text) => text, days = 'Jun 2 - Jun 6') =>
  receiveEditedConfirmationMail(
    `Reservation from Jane Doe has been changed: ${days}, 2026 - Channel B #4821193`,
    (text) => edit(text.replaceAll('Dates: Jun 1 - Jun 5, 2026', `Dates: ${days}, 2026`)),
  );
export const receiveBookingMail = () => receiveMail(readFixtureMail(BOOKED), [forwarding_address]);
export const findFirstReservation = async () => (await listReservations())[0];
