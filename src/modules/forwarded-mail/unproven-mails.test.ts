/**
 * Mails that look like the channel's, or are from the channel, but do not prove that a booking was
 * cancelled or changed.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { lockProperty } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { updateSyncSource } from '@/modules/sync-sources/host.service';
import * as inbox from './inbox.service';
import {
  fakeClock,
  getTestDb,
  listReservations,
  parseDayAsUtcMidnight,
  property_id,
  scope,
  setUpForwardedMailTests,
  source_id,
  syncCalendarWithOneBooking,
} from './testing/mail-test-context';
import {
  CANCELLATION_MAIL_SUBJECT,
  findFirstReservation,
  type MailTextTransform,
  receiveBookingMail,
  receiveCancellationMail,
  receiveEditedConfirmationMail,
  receiveReservationChangeMail,
} from './testing/proven-mails';

setUpForwardedMailTests();
beforeEach(async () => {
  await receiveBookingMail();
  await updateSyncSource(scope, { id: source_id, apply_proven_mails: true });
});

/** Edits a mail to be about another guest's booking in September. */
const another: MailTextTransform = (text) =>
  text.replaceAll('HA-Q2W3E4', 'HA-OTHER1').replaceAll('Jun 1 - Jun 5', 'Sep 1 - Sep 5');
const ANOTHERS = CANCELLATION_MAIL_SUBJECT.replace('Jun 1 - Jun 5', 'Sep 1 - Sep 5');
const moved: MailTextTransform = (text) => text.replaceAll('Jun 1 - Jun 5', 'Jun 2 - Jun 6');
const as: MailTextTransform = (text) => text;
const above = (header: string, forged: string): MailTextTransform => {
  const line = new RegExp(`^${header}: .*$`, 'm');
  return (text) => text.replace(line, (genuine) => `${header}: ${forged}\n${genuine}`);
};

async function expectNothing(mail: Awaited<ReturnType<typeof receiveEditedConfirmationMail>>) {
  expect(mail).toMatchObject({ status: 'inbox', proposal: null });
  await expect(inbox.applyReservationChangeFromVerifiedMail(scope, mail.id)).rejects.toMatchObject({
    code: 'concurrent_edit',
  });
  expect(await findFirstReservation()).toMatchObject({
    status: 'synced',
    checkin_date: parseDayAsUtcMidnight('2026-06-01'),
  });
}

describe('a signed mail resent with a forged header above the signed one changes nothing', () => {
  it.each([
    ['Subject', 'Reservation HA-Q2W3E4 has been canceled'],
    ['Date', 'Fri, 01 May 2026 11:00:00 +0000'],
    ['From', 'Channel B <sender@messages.channel-b.example>'],
    ['Message-ID', '<again@messages.channel-b.example>'],
    ['Content-Type', 'text/plain; charset=utf-8'],
  ])('for header %s', async (header, forged) => {
    await expectNothing(await receiveCancellationMail(above(header, forged)));
  });
});

describe('a booking code outside the mail’s own booking changes nothing', () => {
  it.each<[string, string, MailTextTransform]>([
    [
      'in the guest’s message before the mail’s own code',
      ANOTHERS,
      (text) => another(text).replace('Reservation ID:', 'Message: sorry, instead of\nHA-Q2W3E4\n\nReservation ID:'),
    ],
    [
      'below a label that the guest wrote',
      ANOTHERS,
      (text) => another(text).replace('Reservation ID:', 'Message:\nReservation ID: HA-Q2W3E4\n\nReservation ID:'),
    ],
    [
      'in the guest’s message alone',
      CANCELLATION_MAIL_SUBJECT,
      (text) => text.replace('Reservation ID: HA-Q2W3E4', 'Message: do not touch HA-Q2W3E4'),
    ],
    [
      'in a guest’s sentence without a label',
      CANCELLATION_MAIL_SUBJECT,
      (text) => text.replace('Reservation ID: HA-Q2W3E4', 'I keep my HA-Q2W3E4 of course'),
    ],
    [
      'in the subject when the text has another code',
      CANCELLATION_MAIL_SUBJECT.replace('Channel B #4821193', 'HA-Q2W3E4'),
      (text) => text.replace('Reservation ID: HA-Q2W3E4', 'Reservation ID: HA-OTHER1'),
    ],
    ['next to other nights', ANOTHERS, (text) => text.replaceAll('Jun 1 - Jun 5', 'Sep 1 - Sep 5')],
  ])('%s', async (_where, subject, edit) => {
    await expectNothing(await receiveEditedConfirmationMail(subject, edit));
  });
});

it('a confirmation with another booking’s code does not give that booking an address', async () => {
  await getTestDb().reservation.deleteMany();
  await syncCalendarWithOneBooking('2026-06-01', '2026-06-05', 'HA-Q2W3E4', 'channel_b_ical');
  // Simulates a host who completed the reservation with the mail's code.
  await getTestDb().reservation.updateMany({ data: { external_id: 'HA-Q2W3E4' } });
  const mail = await receiveEditedConfirmationMail(
    ANOTHERS.replace('has been canceled', 'has been confirmed'),
    (text) => another(text).replace('Reservation ID:', 'Message: sorry, instead of\nHA-Q2W3E4\n\nReservation ID:'),
  );
  expect(mail).toMatchObject({ status: 'inbox', reason: 'several_match', reservation_id: null });
  expect(await listReservations()).toMatchObject([{ external_id: 'HA-Q2W3E4', guest_email: null }]);
});

describe('a request, a refusal or a note changes nothing', () => {
  it.each<[string, MailTextTransform]>([
    ['Cancellation request from Jane Doe: Jun 1 - Jun 5, 2026', as],
    ['Jane Doe wants to cancel: Jun 1 - Jun 5, 2026', as],
    ['Cancellation declined: Jane Doe Jun 1 - Jun 5, 2026', as],
    ['Cancellation request withdrawn: Jane Doe', as],
    ['Cancellation policy of reservation HA-Q2W3E4', as],
    ['Your reservation HA-Q2W3E4 was not canceled', as],
    ['Reservation HA-Q2W3E4 can be cancelled for free until May 20', as],
    ['Message about the cancellation of HA-Q2W3E4', as],
    ['Stornierungsanfrage von Jane Doe', as],
    ['Die Stornierung wurde abgelehnt: Jane Doe', as],
    ['Demande d’annulation de Jane Doe', as],
    ['Annulation refusée : Jane Doe', as],
    ['Solicitud de cancelación de Jane Doe', as],
    ['Cancelación no registrada (HA-Q2W3E4)', as],
    ['Richiesta di cancellazione rifiutata: Jane Doe', as],
    ['Бронирование HA-Q2W3E4 не отменено', as],
    ['予約キャンセルのリクエスト HA-Q2W3E4', as],
    ['Reservation change request from Jane Doe: Jun 2 - Jun 6, 2026', moved],
    ['Reservation change declined: Jane Doe: Jun 2 - Jun 6, 2026', moved],
    ['Jane Doe wants to change the reservation: Jun 2 - Jun 6, 2026', moved],
    [
      'Reservation from Jane Doe changes: Jun 2 - Jun 6, 2026',
      (text) => `${moved(text)}\nAccept or decline within 24 hours.\n`,
    ],
    [
      'Reservation from Jane Doe has been changed',
      (text) => text.replace(/^Dates: .*$/m, 'Dates: Jun 3 - Jun 7, 2026\nDates: Jun 2 - Jun 6, 2026'),
    ],
  ])('%s', async (subject, edit) => {
    await expectNothing(await receiveEditedConfirmationMail(subject, edit));
  });
});

describe('a mail that arrives at the wrong time', () => {
  const dated =
    (at: string): MailTextTransform =>
    (text) =>
      text.replace(/^Date: .*$/m, `Date: Fri, 01 May 2026 ${at} +0000`);

  it('has no proposal when a later mail about the booking arrived first', async () => {
    await receiveReservationChangeMail(dated('11:30:00'), 'Jun 3 - Jun 7');
    fakeClock.advance(1_000);
    const older = await receiveReservationChangeMail(dated('11:00:00'));
    expect(older).toMatchObject({ status: 'inbox', proposal: null });
    expect(await findFirstReservation()).toMatchObject({ checkin_date: parseDayAsUtcMidnight('2026-06-03') });
  });

  it('keeps its proposal when an older mail arrives after it', async () => {
    await updateSyncSource(scope, { id: source_id, apply_proven_mails: false });
    const newer = await receiveCancellationMail(dated('11:30:00'));
    fakeClock.advance(1_000);
    await receiveReservationChangeMail(dated('11:00:00'));
    expect((await inbox.retrieveForwardedMail(scope, newer.id)).proposal).toMatchObject({ what: 'cancel' });
  });

  it('is not applied automatically after the host has undone the same change', async () => {
    const first = await receiveCancellationMail();
    await inbox.undoReservationChangeFromVerifiedMail(scope, first.id);
    fakeClock.advance(1_000);
    const again = await receiveCancellationMail();
    expect(again).toMatchObject({ status: 'inbox', proposal: { what: 'cancel' } });
    expect(await findFirstReservation()).toMatchObject({ status: 'synced' });
  });

  it('waits for the host when automatic changes were just disabled', async () => {
    // The mail arrives while the host's change holds the property's lock, so it is processed after
    // the change.
    let arrive = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve;
    }).then(() => receiveCancellationMail());
    await inTransaction(scope, async () => {
      await lockProperty(scope, property_id);
      arrive();
      await sleep(500);
      await updateSyncSource(scope, { id: source_id, apply_proven_mails: false });
    });
    const mail = await arrival;
    expect(mail).toMatchObject({ status: 'inbox', proposal: { what: 'cancel' } });
    expect(await findFirstReservation()).toMatchObject({ status: 'synced' });
  });
});
