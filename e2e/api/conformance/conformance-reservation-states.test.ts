/**
 * Tests design "Reservation status": every verb of the API in every status, and each 409 with its
 * code.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiCaller,
  type ApiTestContext,
  createApiCaller,
  getIsoDateDaysFromNow,
  makeProperty,
  makeReservation,
  openApiTestContext,
  type ResponseBody,
  updateReservationRow,
} from '../test-context';

const STATUSES = ['draft', 'synced', 'sent', 'opened', 'clicked', 'signed', 'expired', 'ignored'] as const;
type Status = (typeof STATUSES)[number];

/** The result of each operation in each status: the new status, or the code of the 409. */
const TABLE: Record<string, Record<Status, string>> = {
  PATCH: {
    draft: 'draft',
    synced: 'synced',
    sent: 'reservation_not_editable',
    opened: 'reservation_not_editable',
    clicked: 'reservation_not_editable',
    signed: 'reservation_not_editable',
    expired: 'reservation_not_editable',
    ignored: 'reservation_not_editable',
  },
  DELETE: {
    draft: 'gone',
    synced: 'reservation_not_deletable',
    sent: 'reservation_not_deletable',
    opened: 'reservation_not_deletable',
    clicked: 'reservation_not_deletable',
    signed: 'reservation_not_deletable',
    expired: 'reservation_not_deletable',
    ignored: 'reservation_not_deletable',
  },
  send: {
    draft: 'sent',
    synced: 'sent',
    sent: 'sent',
    opened: 'opened',
    clicked: 'clicked',
    signed: 'signed',
    expired: 'reservation_expired',
    ignored: 'reservation_cancelled',
  },
  resend: {
    draft: 'reservation_not_sent',
    synced: 'reservation_not_sent',
    sent: 'sent',
    opened: 'opened',
    clicked: 'clicked',
    signed: 'reservation_already_signed',
    // The new dates are in the future, so the expired reservation becomes active again.
    expired: 'sent',
    ignored: 'reservation_cancelled',
  },
  cancel: {
    draft: 'ignored',
    synced: 'ignored',
    sent: 'ignored',
    opened: 'ignored',
    clicked: 'ignored',
    signed: 'reservation_already_signed',
    expired: 'reservation_expired',
    ignored: 'ignored',
  },
};

let world: ApiTestContext;
let live: ApiCaller;
let property: ResponseBody;

beforeAll(async () => {
  world = await openApiTestContext();
  live = createApiCaller(world.api, world.team.live);
  property = await makeProperty(live);
});
afterAll(() => world.close());

async function inStatus(status: Status, fields: Record<string, unknown> = {}): Promise<string> {
  const { id } = await makeReservation(live, world.clock, property.id);
  await updateReservationRow(id, { status, ...fields });
  return id;
}

function call(verb: string, id: string) {
  if (verb === 'PATCH') return live.patch(`/reservations/${id}`, { guest_name: 'Someone else' });
  if (verb === 'DELETE') return live.del(`/reservations/${id}`);
  return live.post(`/reservations/${id}/${verb}`);
}

const cells = Object.entries(TABLE).flatMap(([verb, row]) =>
  STATUSES.map((status) => [verb, status, row[status]] as const),
);

it.each(cells)('%s in %s: %s', async (verb, status, outcome) => {
  const id = await inStatus(status);
  const before = (await live.get(`/reservations/${id}`)).body;
  const answer = await call(verb, id);
  const after = (await live.get(`/reservations/${id}`)).body;
  if (outcome === 'gone') {
    expect(answer.status).toBe(200);
    expect(after.error.code).toBe('resource_missing');
  } else if ((STATUSES as readonly string[]).includes(outcome)) {
    expect(answer.status, answer.text).toBe(200);
    expect(after.status).toBe(outcome);
  } else {
    expect({ status: answer.status, type: answer.body.error.type, code: answer.body.error.code }).toEqual({
      status: 409,
      type: 'conflict_error',
      code: outcome,
    });
    expect(after, 'a refusal changes nothing').toEqual(before);
  }
});

describe('409 by condition', () => {
  const past = () => ({
    checkin_date: new Date(getIsoDateDaysFromNow(world.clock, -5)),
    checkout_date: new Date(getIsoDateDaysFromNow(world.clock, -2)),
  });

  it.each<[string, Status, string]>([
    ['send', 'draft', 'stay_ended'],
    ['send', 'synced', 'stay_ended'],
    ['resend', 'sent', 'stay_ended'],
    ['resend', 'expired', 'stay_ended'],
  ])('%s after the end of the stay (%s): %s', async (verb, status, code) => {
    const answer = await call(verb, await inStatus(status, past()));
    expect(answer.body.error).toMatchObject({ code });
    expect(answer.status).toBe(409);
  });

  it('a stay ends with the check-out day in the property’s time zone, not before', async () => {
    const zone = await makeProperty(live, { timezone: 'Pacific/Kiritimati' });
    const { id } = await makeReservation(live, world.clock, zone.id);
    const local = new Date(world.clock.now().getTime() + 14 * 3_600_000).toISOString().slice(0, 10);
    const dates = (checkout: string) => ({ checkin_date: new Date('2020-01-01'), checkout_date: new Date(checkout) });
    await updateReservationRow(id, dates(getIsoDateDaysFromNow({ now: () => new Date(local) }, -1)));
    expect((await live.post(`/reservations/${id}/send`)).body.error.code).toBe('stay_ended');
    await updateReservationRow(id, dates(local));
    expect((await live.post(`/reservations/${id}/send`)).status).toBe(200);
  });

  it.each<[string, Status]>([
    ['send', 'synced'],
    ['resend', 'sent'],
  ])('%s without a deliverable address: guest_email_missing', async (verb, status) => {
    const answer = await call(verb, await inStatus(status, { guest_email: null }));
    expect(answer.body.error.code).toBe('guest_email_missing');
  });

  it.each<[string, Status]>([
    ['send', 'draft'],
    ['resend', 'sent'],
  ])('%s when the property has no active packet: reservation_not_sendable', async (verb, status) => {
    const { systemDb } = await import('@/infra/db/client');
    const bare = await makeProperty(live);
    const { id } = await makeReservation(live, world.clock, bare.id);
    await updateReservationRow(id, { status });
    await systemDb().packet.updateMany({
      where: { property_id: bare.id },
      data: { status: 'archived', archived_at: new Date(), is_default: false },
    });
    expect((await call(verb, id)).body.error.code).toBe('reservation_not_sendable');
  });

  it.each<[string, Status]>([
    ['cancel', 'sent'],
    ['cancel', 'draft'],
    ['DELETE', 'draft'],
  ])('%s under legal hold (%s): legal_hold', async (verb, status) => {
    const answer = await call(verb, await inStatus(status, { legal_hold: true }));
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 409, code: 'legal_hold' });
  });

  it.each(['send', 'resend', 'cancel', 'PATCH', 'DELETE'])('%s on an unknown reservation: 404', async (verb) => {
    const answer = await call(verb, 'res_nothing00');
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 404, code: 'resource_missing' });
  });
});
