import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { encryptMailContent } from '@/modules/mail/content';
import { setClock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readLastOutboundMail } from '@/testing/mail';
import { clearDatabase, insertProperty, insertSyncSource, insertTeam } from '@/testing/team';
import { MAX_ROWS_PER_DELETION_STATEMENT } from './repository';
import { deleteDataPastRetention } from './service';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let scope: Scope;
let time: FakeClock;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  time = installFakeClock('2026-03-01T12:00:00.000Z');
  scope = await insertTeam();
});
afterEach(() => setClock(null));

const ago = (ms: number) => new Date(time.now().getTime() - ms);
const own = () => ({ team_id: scope.team_id, mode: scope.mode });
const NOTHING = {
  idempotency_records: 0,
  email_previews: 0,
  request_logs: 0,
  inbound_mails: 0,
  guest_codes: 0,
  device_logins: 0,
  oauth_tokens: 0,
  oauth_consents: 0,
  oauth_clients: 0,
  provider_events: 0,
};

async function insertReservation(legal_hold: boolean): Promise<string> {
  const id = newId('reservation');
  const day = new Date('2026-03-10');
  await systemDb().reservation.create({
    data: {
      ...own(),
      id,
      property_id: await insertProperty(scope),
      guest_name: 'Ana',
      checkin_date: day,
      checkout_date: new Date(day.getTime() + DAY),
      legal_hold,
      created_at: ago(90 * DAY),
      updated_at: ago(90 * DAY),
    },
  });
  return id;
}

/** Inserts one row of each kind whose retention period ended `beyond` milliseconds ago. */
async function insertOneOfEach(reservation_id: string | null, beyond: number) {
  const tag = newId('request');
  await systemDb().idempotencyRecord.create({
    data: { ...own(), key: tag, request_hash: 'x', created_at: ago(DAY + beyond), expires_at: ago(beyond) },
  });
  await systemDb().mailMessage.create({
    data: {
      ...own(),
      id: newId('mail'),
      reservation_id,
      template: 'packet',
      to: 'a@b.c',
      from: 'x',
      subject: 's',
      content: encryptMailContent({ subject: 's', html: '<p>held</p>', text: 'held' }),
      content_until: ago(beyond),
      status: 'captured',
      due_at: ago(DAY + beyond),
      created_at: ago(DAY + beyond),
      preview_until: ago(beyond),
    },
  });
  await systemDb().requestLog.create({
    data: {
      ...own(),
      id: tag,
      method: 'GET',
      path: '/',
      status: 200,
      duration_ms: 1,
      created_at: ago(30 * DAY + beyond),
    },
  });
  await systemDb().inboundMail.create({
    data: {
      ...own(),
      id: newId('inbound_mail'),
      sync_source_id: await insertSyncSource(scope),
      message_id: tag,
      status: 'applied',
      reservation_id,
      raw: new Uint8Array([1, 2]),
      received_at: ago(30 * DAY + beyond),
    },
  });
  if (reservation_id) {
    await systemDb().guestCode.create({
      data: {
        ...own(),
        id: tag,
        reservation_id,
        purpose: 'signing',
        email: 'a@b.c',
        code_hash: 'x',
        expires_at: ago(DAY + beyond),
        created_at: ago(DAY + beyond),
      },
    });
  }
  await systemDb().deviceLogin.create({
    data: {
      device_code_hash: tag,
      user_code_hash: tag,
      key_mode: 'test',
      interval_s: 5,
      created_at: ago(DAY + beyond),
      expires_at: ago(DAY + beyond),
    },
  });
  const { id: userId } = await systemDb().user.findFirstOrThrow();
  const link = { id: tag, clientId: tag, userId, referenceId: 'mem_1:test', scopes: [] };
  const created = { createdAt: ago(DAY + beyond), updatedAt: ago(DAY + beyond) };
  await systemDb().oauthClient.create({ data: { id: tag, clientId: tag, ...created } });
  await systemDb().oauthConsent.create({ data: { ...link, ...created } });
  await systemDb().oauthAccessToken.create({
    data: { ...link, token: tag, createdAt: created.createdAt, expiresAt: ago(DAY + beyond) },
  });
  await systemDb().providerEvent.create({ data: { id: tag, created_at: ago(30 * DAY + beyond) } });
}

describe('retention', () => {
  it('deletes what is due and nothing younger, and finds nothing when run again', async () => {
    await insertOneOfEach(await insertReservation(false), 1_000);
    await insertOneOfEach(await insertReservation(false), -1_000);
    const everything = Object.fromEntries(Object.keys(NOTHING).map((kind) => [kind, 1]));
    expect(await deleteDataPastRetention()).toEqual(everything);
    expect(await deleteDataPastRetention()).toEqual(NOTHING);
    time.advance(2_000);
    expect(await deleteDataPastRetention()).toEqual(everything);
    expect(await systemDb().mailMessage.findMany({ select: { content: true, preview_until: true } })).toEqual([
      { content: null, preview_until: null },
      { content: null, preview_until: null },
    ]);
    expect(await systemDb().inboundMail.count({ where: { raw: null } })).toBe(2);
  });

  it('deletes nothing of a reservation under legal hold', async () => {
    await insertOneOfEach(await insertReservation(true), 365 * DAY);
    expect(await deleteDataPastRetention()).toEqual({
      ...NOTHING,
      idempotency_records: 1,
      request_logs: 1,
      device_logins: 1,
      oauth_tokens: 1,
      oauth_consents: 1,
      oauth_clients: 1,
      provider_events: 1,
    });
    expect((await readLastOutboundMail()).html).toBe('<p>held</p>');
    expect((await systemDb().inboundMail.findFirst())?.raw).not.toBeNull();
    expect(await systemDb().guestCode.count()).toBe(1);
  });

  it('deletes nothing of a reservation that was replaced by a reservation under legal hold', async () => {
    const [first, second, held] = [
      await insertReservation(false),
      await insertReservation(false),
      await insertReservation(true),
    ];
    for (const [id, replaces] of [
      [second, first],
      [held, second],
    ] as const) {
      const entry = {
        id: `trail_${id}`,
        reservation_id: id,
        seq: 1,
        type: 'reservation.created',
        actor: 'x',
        hash: id,
      };
      await systemDb().trailEntry.create({ data: { ...own(), ...entry, data: { replaces }, created_at: ago(DAY) } });
    }
    await insertOneOfEach(first, 365 * DAY);
    await insertOneOfEach(await insertReservation(false), 365 * DAY);
    expect(await deleteDataPastRetention()).toMatchObject({ email_previews: 1, inbound_mails: 1, guest_codes: 1 });
    expect(await systemDb().guestCode.findMany()).toMatchObject([{ reservation_id: first }]);
  });

  it('deletes data that no longer belongs to a reservation', async () => {
    await insertOneOfEach(null, DAY);
    expect(await deleteDataPastRetention()).toMatchObject({ email_previews: 1, inbound_mails: 1 });
  });

  it('deletes everything in batches after months of downtime', async () => {
    await systemDb().requestLog.createMany({
      data: Array.from({ length: MAX_ROWS_PER_DELETION_STATEMENT * 2 + 7 }, (_, index) => ({
        ...own(),
        id: `req_${index}`,
        method: 'GET',
        path: '/',
        status: 200,
        duration_ms: 1,
        created_at: ago(90 * DAY),
      })),
    });
    expect(await deleteDataPastRetention()).toMatchObject({ request_logs: MAX_ROWS_PER_DELETION_STATEMENT * 2 + 7 });
  });
});
