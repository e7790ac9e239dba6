/**
 * Verified cancellations and changes from the channel are applied with one click, or automatically
 * if the host chose so. They can be reverted for a day.
 */
import { describe, expect, it } from 'vitest';
import { restoreReservation } from '@/modules/reservations/host.service';
import { cancelReservation } from '@/modules/reservations/service';
import { updateSource } from '@/modules/sync-sources/host.service';
import { insertTeam } from '@/testing/team';
import * as inbox from './inbox.service';
import { day, db, openMailWorld, rows, scope, source_id, syncCalendar, time, trail } from './testing/mail-world';
import { book, cancellation, change, stay } from './testing/proven-mails';

openMailWorld();

const DAY = 86_400_000;
describe('a cancellation signed by the channel', () => {
  it('is applied with one click and can be undone for a day', async () => {
    await book();
    const mail = await cancellation();
    const { id } = (await stay())!;
    expect(mail).toMatchObject({
      status: 'inbox',
      reason: 'cancellation',
      proposal: { what: 'cancel', reservation_id: id },
    });
    await inbox.applyProvenMail(scope, mail.id);
    expect(await stay()).toMatchObject({ status: 'ignored', cancel_reason: 'host' });
    const applied = await inbox.retrieveMail(scope, mail.id);
    expect(applied).toMatchObject({ status: 'applied', reason: 'cancelled_by_mail', proposal: null });
    expect(applied.undoable_until).toBe(new Date(time.now().getTime() + DAY).toISOString());
    await expect(inbox.applyProvenMail(scope, mail.id)).rejects.toMatchObject({ code: 'concurrent_edit' });

    await inbox.undoProvenMail(scope, mail.id);
    expect(await stay()).toMatchObject({ status: 'synced', cancel_reason: null, cancelled_at: null });
    expect(await inbox.retrieveMail(scope, mail.id)).toMatchObject({ status: 'inbox', undoable_until: null });
    expect(await trail(id)).toEqual(['reservation.created', 'reservation.cancelled', 'reservation.restored']);
    expect(await db().event.count({ where: { type: 'reservation.cancelled' } })).toBe(1);
    await expect(inbox.undoProvenMail(scope, mail.id)).rejects.toMatchObject({ code: 'concurrent_edit' });
  });

  it('cannot be undone after a day, or after the host restored the reservation', async () => {
    await book();
    const mail = await cancellation();
    await inbox.applyProvenMail(scope, mail.id);
    time.advance(DAY);
    expect((await inbox.retrieveMail(scope, mail.id)).undoable_until).toBeNull();
    await expect(inbox.undoProvenMail(scope, mail.id)).rejects.toMatchObject({ code: 'concurrent_edit' });
    time.advance(-DAY / 2);
    await restoreReservation(scope, (await stay())!.id);
    await expect(inbox.undoProvenMail(scope, mail.id)).rejects.toMatchObject({ code: 'concurrent_edit' });
  });

  it.each<[string, (text: string) => string]>([
    ['its DKIM signature fails', (text) => text.replace('dkim=pass', 'dkim=fail')],
    ['it names another booking', (text) => text.replaceAll('HA-Q2W3E4', 'HA-OTHER11')],
    ['it names no booking', (text) => text.replace(/^Reservation ID.*$/m, '')],
    ['it names another guest', (text) => text.replaceAll('Jane Doe', 'Kim Lee')],
  ])('waits for the host when %s', async (_why, put) => {
    await book();
    await updateSource(scope, { id: source_id, apply_proven_mails: true });
    const mail = await cancellation(put);
    expect(mail).toMatchObject({ status: 'inbox', proposal: null });
    await expect(inbox.applyProvenMail(scope, mail.id)).rejects.toMatchObject({ code: 'concurrent_edit' });
    expect(await stay()).toMatchObject({ status: 'synced' });
  });

  it.each<[string, object]>([
    ['signed', { status: 'signed', signed_at: new Date('2026-05-01') }],
    ['redacted', { redacted: true }],
    ['under legal hold', { legal_hold: true }],
    ['cancelled', { status: 'ignored' }],
    ['expired', { status: 'expired', expired_at: new Date('2026-05-01') }],
  ])('never changes a reservation that is %s', async (_name, data) => {
    await book();
    await db().reservation.updateMany({ data });
    await updateSource(scope, { id: source_id, apply_proven_mails: true });
    const before = JSON.stringify(await rows());
    expect((await cancellation()).proposal).toBeNull();
    expect(JSON.stringify(await rows())).toBe(before);
  });

  it('loses its proposal when a later mail about the booking arrives', async () => {
    await book();
    const first = await cancellation();
    time.advance(1_000);
    const second = await change();
    expect((await inbox.retrieveMail(scope, first.id)).proposal).toBeNull();
    expect(second.proposal).toMatchObject({ what: 'move' });
  });

  it('of another team cannot be applied', async () => {
    await book();
    const mail = await cancellation();
    const other = await insertTeam('live', 'other@example.com');
    await expect(inbox.applyProvenMail(other, mail.id)).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(inbox.undoProvenMail(other, mail.id)).rejects.toMatchObject({ code: 'resource_missing' });
  });

  it('is applied once when two hosts apply it at the same time', async () => {
    await book();
    const { id } = await cancellation();
    const results = await Promise.allSettled([1, 2, 3].map(() => inbox.applyProvenMail(scope, id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await db().event.count({ where: { type: 'reservation.cancelled' } })).toBe(1);
  });
});

describe('a change signed by the channel', () => {
  it('moves the stay with one click, and can be undone for a day', async () => {
    await book();
    const mail = await change();
    const was = { checkin_date: '2026-06-01', checkout_date: '2026-06-05' };
    expect(mail.proposal).toMatchObject({ what: 'move', was, checkin_date: '2026-06-02', checkout_date: '2026-06-06' });
    await inbox.applyProvenMail(scope, mail.id);
    expect(await stay()).toMatchObject({ checkin_date: day('2026-06-02'), checkout_date: day('2026-06-06') });
    expect(await inbox.retrieveMail(scope, mail.id)).toMatchObject({ status: 'applied', reason: 'moved_by_mail' });
    await inbox.undoProvenMail(scope, mail.id);
    expect(await stay()).toMatchObject({ checkin_date: day('2026-06-01'), checkout_date: day('2026-06-05') });
    expect((await inbox.retrieveMail(scope, mail.id)).proposal).toMatchObject({ what: 'move' });
  });

  it('cannot be undone over dates that the host has set since', async () => {
    await book();
    const mail = await change();
    await inbox.applyProvenMail(scope, mail.id);
    await db().reservation.updateMany({ data: { checkout_date: day('2026-06-09') } });
    await expect(inbox.undoProvenMail(scope, mail.id)).rejects.toMatchObject({ code: 'concurrent_edit' });
    expect(await stay()).toMatchObject({ checkout_date: day('2026-06-09') });
  });

  it('is left to a calendar that contains the booking', async () => {
    await syncCalendar('2026-06-01', '2026-06-05', 'HA-Q2W3E4', 'channel_b_ical');
    expect(await change()).toMatchObject({ reason: 'change', proposal: null });
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
    const before = JSON.stringify(await rows());
    await expect(inbox.undoProvenMail(scope, id)).rejects.toMatchObject({ code: 'concurrent_edit' });
    expect(JSON.stringify(await rows())).toBe(before);
    expect(await inbox.retrieveMail(scope, id)).toMatchObject({ status: 'applied' });
  }

  it.each([...CLOSED, ['cancelled', { status: 'ignored' }]])(
    'does not move a reservation that has become %s',
    async (_, data) => {
      await book();
      const mail = await change();
      await inbox.applyProvenMail(scope, mail.id);
      await db().reservation.updateMany({ data });
      await expectRefused(mail.id);
    },
  );

  // Reverting a cancellation must not change a reservation that was closed in the meantime.
  it.each(CLOSED.slice(1))('does not restore a reservation that has become %s', async (_name, data) => {
    await book();
    const mail = await cancellation();
    await inbox.applyProvenMail(scope, mail.id);
    await db().reservation.updateMany({ data });
    await expectRefused(mail.id);
  });

  it('does not revert a later cancellation by the host', async () => {
    await book();
    const mail = await cancellation();
    await inbox.applyProvenMail(scope, mail.id);
    const { id } = (await stay())!;
    time.advance(1_000);
    await restoreReservation(scope, id);
    time.advance(1_000);
    await cancelReservation(scope, id);
    await expectRefused(mail.id);
  });

  it('succeeds once when several hosts undo it at the same time', async () => {
    await book();
    const mail = await cancellation();
    await inbox.applyProvenMail(scope, mail.id);
    const results = await Promise.allSettled([1, 2, 3].map(() => inbox.undoProvenMail(scope, mail.id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await trail((await stay())!.id)).toEqual([
      'reservation.created',
      'reservation.cancelled',
      'reservation.restored',
    ]);
  });
});

describe('an address that applies proven mails automatically', () => {
  it('needs no click, and the change can be undone in the same way', async () => {
    await book();
    await updateSource(scope, { id: source_id, apply_proven_mails: true });
    const moved = await change();
    expect(moved).toMatchObject({ status: 'applied', reason: 'moved_by_mail' });
    expect(moved.undoable_until).not.toBeNull();
    const cancelled = await cancellation();
    expect(cancelled).toMatchObject({ status: 'applied', reason: 'cancelled_by_mail' });
    expect(await stay()).toMatchObject({ status: 'ignored' });
    await inbox.undoProvenMail(scope, cancelled.id);
    expect(await stay()).toMatchObject({ status: 'synced', checkin_date: day('2026-06-02') });
  });

  it.each<[string, () => unknown]>([
    ['a stay that has begun', () => time.advance(31 * DAY)],
    ['a mail from last week', () => time.advance(7 * DAY)],
    ['a disabled address', () => updateSource(scope, { id: source_id, enabled: false })],
  ])('leaves the mail to the host with %s', async (_name, put) => {
    await book();
    await updateSource(scope, { id: source_id, apply_proven_mails: true });
    await put();
    expect(await cancellation()).toMatchObject({ status: 'inbox', reason: 'cancellation' });
    expect(await stay()).toMatchObject({ status: 'synced' });
  });
});
