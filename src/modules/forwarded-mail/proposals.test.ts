/**
 * Verified cancellations and changes from the channel are applied with one click, or automatically
 * if the host chose so. They can be reverted for a day.
 */
import { describe, expect, it } from 'vitest';
import { restoreReservation } from '@/modules/reservations/host.service';
import { cancelReservation } from '@/modules/reservations/service';
import { updateSyncSource } from '@/modules/sync-sources/host.service';
import { insertTeam } from '@/testing/team';
import * as inbox from './inbox.service';
import {
  fakeClock,
  getTestDb,
  listReservations,
  listTrailEntryTypesOfReservation,
  parseDayAsUtcMidnight,
  scope,
  setUpForwardedMailTests,
  source_id,
  syncCalendarWithOneBooking,
} from './testing/mail-test-context';
import {
  findFirstReservation,
  receiveBookingMail,
  receiveCancellationMail,
  receiveReservationChangeMail,
} from './testing/proven-mails';

setUpForwardedMailTests();

const DAY = 86_400_000;
describe('a cancellation signed by the channel', () => {
  it('is applied with one click and can be undone for a day', async () => {
    await receiveBookingMail();
    const mail = await receiveCancellationMail();
    const { id } = (await findFirstReservation())!;
    expect(mail).toMatchObject({
      status: 'inbox',
      reason: 'cancellation',
      proposal: { what: 'cancel', reservation_id: id },
    });
    await inbox.applyReservationChangeFromVerifiedMail(scope, mail.id);
    expect(await findFirstReservation()).toMatchObject({ status: 'ignored', cancel_reason: 'host' });
    const applied = await inbox.retrieveForwardedMail(scope, mail.id);
    expect(applied).toMatchObject({ status: 'applied', reason: 'cancelled_by_mail', proposal: null });
    expect(applied.undoable_until).toBe(new Date(fakeClock.now().getTime() + DAY).toISOString());
    await expect(inbox.applyReservationChangeFromVerifiedMail(scope, mail.id)).rejects.toMatchObject({
      code: 'concurrent_edit',
    });

    await inbox.undoReservationChangeFromVerifiedMail(scope, mail.id);
    expect(await findFirstReservation()).toMatchObject({ status: 'synced', cancel_reason: null, cancelled_at: null });
    expect(await inbox.retrieveForwardedMail(scope, mail.id)).toMatchObject({ status: 'inbox', undoable_until: null });
    expect(await listTrailEntryTypesOfReservation(id)).toEqual([
      'reservation.created',
      'reservation.cancelled',
      'reservation.restored',
    ]);
    expect(await getTestDb().event.count({ where: { type: 'reservation.cancelled' } })).toBe(1);
    await expect(inbox.undoReservationChangeFromVerifiedMail(scope, mail.id)).rejects.toMatchObject({
      code: 'concurrent_edit',
    });
  });

  it('cannot be undone after a day, or after the host restored the reservation', async () => {
    await receiveBookingMail();
    const mail = await receiveCancellationMail();
    await inbox.applyReservationChangeFromVerifiedMail(scope, mail.id);
    fakeClock.advance(DAY);
    expect((await inbox.retrieveForwardedMail(scope, mail.id)).undoable_until).toBeNull();
    await expect(inbox.undoReservationChangeFromVerifiedMail(scope, mail.id)).rejects.toMatchObject({
      code: 'concurrent_edit',
    });
    fakeClock.advance(-DAY / 2);
    await restoreReservation(scope, (await findFirstReservation())!.id);
    await expect(inbox.undoReservationChangeFromVerifiedMail(scope, mail.id)).rejects.toMatchObject({
      code: 'concurrent_edit',
    });
  });

  it.each<[string, (text: string) => string]>([
    ['its DKIM signature fails', (text) => text.replace('dkim=pass', 'dkim=fail')],
    ['it names another booking', (text) => text.replaceAll('HA-Q2W3E4', 'HA-OTHER11')],
    ['it names no booking', (text) => text.replace(/^Reservation ID.*$/m, '')],
    ['it names another guest', (text) => text.replaceAll('Jane Doe', 'Kim Lee')],
  ])('waits for the host when %s', async (_why, put) => {
    await receiveBookingMail();
    await updateSyncSource(scope, { id: source_id, apply_proven_mails: true });
    const mail = await receiveCancellationMail(put);
    expect(mail).toMatchObject({ status: 'inbox', proposal: null });
    await expect(inbox.applyReservationChangeFromVerifiedMail(scope, mail.id)).rejects.toMatchObject({
      code: 'concurrent_edit',
    });
    expect(await findFirstReservation()).toMatchObject({ status: 'synced' });
  });

  it.each<[string, object]>([
    ['signed', { status: 'signed', signed_at: new Date('2026-05-01') }],
    ['redacted', { redacted: true }],
    ['under legal hold', { legal_hold: true }],
    ['cancelled', { status: 'ignored' }],
    ['expired', { status: 'expired', expired_at: new Date('2026-05-01') }],
  ])('never changes a reservation that is %s', async (_name, data) => {
    await receiveBookingMail();
    await getTestDb().reservation.updateMany({ data });
    await updateSyncSource(scope, { id: source_id, apply_proven_mails: true });
    const before = JSON.stringify(await listReservations());
    expect((await receiveCancellationMail()).proposal).toBeNull();
    expect(JSON.stringify(await listReservations())).toBe(before);
  });

  it('loses its proposal when a later mail about the booking arrives', async () => {
    await receiveBookingMail();
    const first = await receiveCancellationMail();
    fakeClock.advance(1_000);
    const second = await receiveReservationChangeMail();
    expect((await inbox.retrieveForwardedMail(scope, first.id)).proposal).toBeNull();
    expect(second.proposal).toMatchObject({ what: 'move' });
  });

  it('of another team cannot be applied', async () => {
    await receiveBookingMail();
    const mail = await receiveCancellationMail();
    const other = await insertTeam('live', 'other@example.com');
    await expect(inbox.applyReservationChangeFromVerifiedMail(other, mail.id)).rejects.toMatchObject({
      code: 'resource_missing',
    });
    await expect(inbox.undoReservationChangeFromVerifiedMail(other, mail.id)).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });

  it('is applied once when two hosts apply it at the same time', async () => {
    await receiveBookingMail();
    const { id } = await receiveCancellationMail();
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => inbox.applyReservationChangeFromVerifiedMail(scope, id)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await getTestDb().event.count({ where: { type: 'reservation.cancelled' } })).toBe(1);
  });
});

describe('a change signed by the channel', () => {
  it('moves the stay with one click, and can be undone for a day', async () => {
    await receiveBookingMail();
    const mail = await receiveReservationChangeMail();
    const was = { checkin_date: '2026-06-01', checkout_date: '2026-06-05' };
    expect(mail.proposal).toMatchObject({ what: 'move', was, checkin_date: '2026-06-02', checkout_date: '2026-06-06' });
    await inbox.applyReservationChangeFromVerifiedMail(scope, mail.id);
    expect(await findFirstReservation()).toMatchObject({
      checkin_date: parseDayAsUtcMidnight('2026-06-02'),
      checkout_date: parseDayAsUtcMidnight('2026-06-06'),
    });
    expect(await inbox.retrieveForwardedMail(scope, mail.id)).toMatchObject({
      status: 'applied',
      reason: 'moved_by_mail',
    });
    await inbox.undoReservationChangeFromVerifiedMail(scope, mail.id);
    expect(await findFirstReservation()).toMatchObject({
      checkin_date: parseDayAsUtcMidnight('2026-06-01'),
      checkout_date: parseDayAsUtcMidnight('2026-06-05'),
    });
    expect((await inbox.retrieveForwardedMail(scope, mail.id)).proposal).toMatchObject({ what: 'move' });
  });

  it('cannot be undone over dates that the host has set since', async () => {
    await receiveBookingMail();
    const mail = await receiveReservationChangeMail();
    await inbox.applyReservationChangeFromVerifiedMail(scope, mail.id);
    await getTestDb().reservation.updateMany({ data: { checkout_date: parseDayAsUtcMidnight('2026-06-09') } });
    await expect(inbox.undoReservationChangeFromVerifiedMail(scope, mail.id)).rejects.toMatchObject({
      code: 'concurrent_edit',
    });
    expect(await findFirstReservation()).toMatchObject({ checkout_date: parseDayAsUtcMidnight('2026-06-09') });
  });

  it('is left to a calendar that contains the booking', async () => {
    await syncCalendarWithOneBooking('2026-06-01', '2026-06-05', 'HA-Q2W3E4', 'channel_b_ical');
    expect(await receiveReservationChangeMail()).toMatchObject({ reason: 'change', proposal: null });
  });
});

describe('undoing what a mail did', () => {
  const CLOSED: [string, object][] = [
    ['signed', { status: 'signed', signed_at: new Date('2026-05-01') }],
    ['redacted', { redacted: true }],
    ['under legal hold', { legal_hold: true }],
    ['marked as signed by the host', { manual_override: true }],
  ];

  async function expectRefused(id: string) {
    const before = JSON.stringify(await listReservations());
    await expect(inbox.undoReservationChangeFromVerifiedMail(scope, id)).rejects.toMatchObject({
      code: 'concurrent_edit',
    });
    expect(JSON.stringify(await listReservations())).toBe(before);
    expect(await inbox.retrieveForwardedMail(scope, id)).toMatchObject({ status: 'applied' });
  }

  it.each([...CLOSED, ['cancelled', { status: 'ignored' }]])(
    'does not move a reservation that has become %s',
    async (_, data) => {
      await receiveBookingMail();
      const mail = await receiveReservationChangeMail();
      await inbox.applyReservationChangeFromVerifiedMail(scope, mail.id);
      await getTestDb().reservation.updateMany({ data });
      await expectRefused(mail.id);
    },
  );

  // Reverting a cancellation must not change a reservation that was closed in the meantime.
  it.each(CLOSED.slice(1))('does not restore a reservation that has become %s', async (_name, data) => {
    await receiveBookingMail();
    const mail = await receiveCancellationMail();
    await inbox.applyReservationChangeFromVerifiedMail(scope, mail.id);
    await getTestDb().reservation.updateMany({ data });
    await expectRefused(mail.id);
  });

  it('does not revert a later cancellation by the host', async () => {
    await receiveBookingMail();
    const mail = await receiveCancellationMail();
    await inbox.applyReservationChangeFromVerifiedMail(scope, mail.id);
    const { id } = (await findFirstReservation())!;
    fakeClock.advance(1_000);
    await restoreReservation(scope, id);
    fakeClock.advance(1_000);
    await cancelReservation(scope, id);
    await expectRefused(mail.id);
  });

  it('succeeds once when several hosts undo it at the same time', async () => {
    await receiveBookingMail();
    const mail = await receiveCancellationMail();
    await inbox.applyReservationChangeFromVerifiedMail(scope, mail.id);
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => inbox.undoReservationChangeFromVerifiedMail(scope, mail.id)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listTrailEntryTypesOfReservation((await findFirstReservation())!.id)).toEqual([
      'reservation.created',
      'reservation.cancelled',
      'reservation.restored',
    ]);
  });
});

describe('an address that applies proven mails automatically', () => {
  it('needs no click, and the change can be undone in the same way', async () => {
    await receiveBookingMail();
    await updateSyncSource(scope, { id: source_id, apply_proven_mails: true });
    const moved = await receiveReservationChangeMail();
    expect(moved).toMatchObject({ status: 'applied', reason: 'moved_by_mail' });
    expect(moved.undoable_until).not.toBeNull();
    const cancelled = await receiveCancellationMail();
    expect(cancelled).toMatchObject({ status: 'applied', reason: 'cancelled_by_mail' });
    expect(await findFirstReservation()).toMatchObject({ status: 'ignored' });
    await inbox.undoReservationChangeFromVerifiedMail(scope, cancelled.id);
    expect(await findFirstReservation()).toMatchObject({
      status: 'synced',
      checkin_date: parseDayAsUtcMidnight('2026-06-02'),
    });
  });

  it.each<[string, () => unknown]>([
    ['a stay that has begun', () => fakeClock.advance(31 * DAY)],
    ['a mail from last week', () => fakeClock.advance(7 * DAY)],
    ['a disabled address', () => updateSyncSource(scope, { id: source_id, enabled: false })],
  ])('leaves the mail to the host with %s', async (_name, put) => {
    await receiveBookingMail();
    await updateSyncSource(scope, { id: source_id, apply_proven_mails: true });
    await put();
    expect(await receiveCancellationMail()).toMatchObject({ status: 'inbox', reason: 'cancellation' });
    expect(await findFirstReservation()).toMatchObject({ status: 'synced' });
  });
});
