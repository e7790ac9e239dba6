/**
 * Tests state changes under concurrency. Exactly one of two conflicting requests succeeds. The
 * result must be one that the same requests could also produce one after another, in some order.
 * With TEST_DATABASE_URL the tests run on a PostgreSQL server, where transactions truly overlap.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Prisma } from '@/generated/prisma/client';
import type { Scope } from '@/shared/scope';
import {
  type ApiCaller,
  type ApiTestContext,
  createApiCaller,
  createScopeForTestTeam,
  makeProperty,
  makeReservation,
  makeSignedReservation,
  makeUniqueText,
  makeWebhookEndpoint,
  openApiTestContext,
  type ResponseBody,
  type TestResponse,
} from './test-context';

// The embedded database runs transactions one after another, so further rounds would all have the
// same result.
const ROUNDS = process.env.TEST_DATABASE_URL ? 6 : 2;

let world: ApiTestContext;
let live: ApiCaller;

beforeAll(async () => {
  world = await openApiTestContext();
  live = createApiCaller(world.api, world.team.live);
  const { systemDb } = await import('@/infra/db/client');
  await systemDb().team.updateMany({ data: { property_limit: 1_000 } });
});
afterAll(() => world.close());

const codeOf = (answer: TestResponse): string => (answer.status < 300 ? String(answer.status) : answer.body.error.code);
const rounds = Array.from({ length: ROUNDS }, (_, index) => index);

/**
 * Checks that every response is a success or has one of these error codes. A 500 or a deadlock
 * fails the test.
 */
function expectOnly(answers: TestResponse[], ...codes: string[]): string[] {
  const got = answers.map(codeOf);
  for (const code of got) expect(['200', '201', '204', ...codes]).toContain(code);
  return got;
}

describe('concurrent requests for reservations', () => {
  it('send and cancel: the responses and the final state match one of the two orders', async () => {
    const property = await makeProperty(live);
    for (const _ of rounds) {
      const { id } = await makeReservation(live, world.clock, property.id);
      const [send, cancel] = await Promise.all([
        live.post(`/reservations/${id}/send`),
        live.post(`/reservations/${id}/cancel`),
      ]);
      expectOnly([send, cancel], 'reservation_cancelled');
      const end = (await live.get(`/reservations/${id}`)).body;
      expect(cancel.status).toBe(200);
      expect(end.status).toBe('ignored');
      expect(end.sent_at === null).toBe(send.status !== 200);
    }
  });

  it('eight sends: all succeed, with one mail, one event and one link', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const property = await makeProperty(live);
    const { id } = await makeReservation(live, world.clock, property.id);
    const answers = await Promise.all(Array.from({ length: 8 }, () => live.post(`/reservations/${id}/send`)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map((answer) => answer.body.sent_at)).size).toBe(1);
    expect(await systemDb().mailMessage.count({ where: { reservation_id: id } })).toBe(1);
    expect(await systemDb().event.count({ where: { object_id: id, type: 'reservation.sent' } })).toBe(1);
  });

  it('two PATCHes with the same If-Match: exactly one succeeds', async () => {
    const property = await makeProperty(live);
    for (const _ of rounds) {
      const { id } = await makeReservation(live, world.clock, property.id);
      const tag = (await live.get(`/reservations/${id}`)).headers.get('etag') ?? '';
      const answers = await Promise.all(
        ['A', 'B', 'C'].map((guest_name) => live.patch(`/reservations/${id}`, { guest_name }, { 'If-Match': tag })),
      );
      const won = answers.filter((answer) => answer.status === 200);
      expectOnly(answers, 'etag_mismatch', 'concurrent_edit');
      expect(won).toHaveLength(1);
      expect((await live.get(`/reservations/${id}`)).body).toEqual(won[0]?.body);
    }
  });

  it('DELETE and send: the reservation is either deleted or sent', async () => {
    const property = await makeProperty(live);
    for (const _ of rounds) {
      const { id } = await makeReservation(live, world.clock, property.id);
      const [removed, sent] = await Promise.all([
        live.del(`/reservations/${id}`),
        live.post(`/reservations/${id}/send`),
      ]);
      expectOnly([removed, sent], 'reservation_not_deletable', 'resource_missing', 'concurrent_edit');
      expect([removed.status === 200, sent.status === 200].filter(Boolean)).toHaveLength(1);
      expect((await live.get(`/reservations/${id}`)).status).toBe(sent.status === 200 ? 200 : 404);
    }
  });

  it('the audit trail of a reservation with many concurrent changes is one unbroken chain', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const property = await makeProperty(live);
    const { id } = await makeReservation(live, world.clock, property.id);
    await live.post(`/reservations/${id}/send`);
    await Promise.all(Array.from({ length: 6 }, () => live.post(`/reservations/${id}/resend`)));
    await live.post(`/reservations/${id}/cancel`);
    const trail = await systemDb().trailEntry.findMany({ where: { reservation_id: id }, orderBy: { seq: 'asc' } });
    expect(trail.map((entry) => entry.seq)).toEqual(trail.map((_, index) => index + 1));
    for (const [index, entry] of trail.entries()) expect(entry.prev_hash).toBe(trail[index - 1]?.hash ?? null);
  });
});

describe('concurrent requests for properties', () => {
  it('PATCHes of the same fields without If-Match never mix; the losers get concurrent_edit', async () => {
    const { id } = await makeProperty(live);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        live.patch(`/properties/${id}`, { name: `N${index}`, city: `C${index}` }),
      ),
    );
    expectOnly(answers, 'concurrent_edit');
    const end = (await live.get(`/properties/${id}`)).body;
    expect(end.name.slice(1)).toBe(end.city.slice(1));
    const winners = answers.filter((answer) => answer.status === 200);
    expect(winners.map((answer) => answer.body.name)).toContain(end.name);
  });

  it('two creations with the same subdomain: exactly one succeeds', async () => {
    for (const _ of rounds) {
      const subdomain = makeUniqueText('race-');
      const answers = await Promise.all([1, 2, 3].map(() => live.post('/properties', { name: 'Race', subdomain })));
      expect(expectOnly(answers, 'subdomain_taken').filter((code) => code === '201')).toHaveLength(1);
    }
  });

  it('deleting a property while reservations are created for it leaves no reservation behind', async () => {
    const { systemDb } = await import('@/infra/db/client');
    for (const _ of rounds) {
      const property = await makeProperty(live);
      const make = () =>
        live.post('/reservations', {
          property_id: property.id,
          guest_name: 'Ada',
          guest_email: 'ada@example.com',
          checkin_date: '2030-01-01',
          checkout_date: '2030-01-03',
        });
      const answers = await Promise.all([
        make(),
        make(),
        live.del(`/properties/${property.id}?force=true`),
        make(),
        make(),
      ]);
      expectOnly(answers, 'resource_missing', 'concurrent_edit');
      expect(answers[2]?.status).toBe(200);
      expect(await systemDb().reservation.count({ where: { property_id: property.id } })).toBe(0);
    }
  });

  it('deleting a property while it is edited, sent from and given packets: no deadlock, no orphans', async () => {
    const { systemDb } = await import('@/infra/db/client');
    for (const _ of rounds) {
      const property = await makeProperty(live);
      const { id } = await makeReservation(live, world.clock, property.id);
      const answers = await Promise.all([
        live.post(`/reservations/${id}/send`),
        live.patch(`/properties/${property.id}`, { city: 'X' }),
        live.post(`/properties/${property.id}/packets`, { name: 'Late' }),
        live.patch(`/properties/${property.id}/packet`, { welcome_message: 'Hi' }),
        live.del(`/properties/${property.id}?force=true`),
      ]);
      expectOnly(answers, 'resource_missing', 'concurrent_edit', 'reservation_not_sendable');
      if (answers[4]?.status !== 200) continue;
      const where = { property_id: property.id };
      expect(await systemDb().packet.count({ where })).toBe(0);
      expect(await systemDb().reservation.count({ where })).toBe(0);
    }
  });
});

describe('concurrent requests for packets', () => {
  async function withVariants(count: number): Promise<{ property: ResponseBody; ids: string[] }> {
    const property = await makeProperty(live);
    const ids: string[] = [(await live.get(`/properties/${property.id}/packet`)).body.id];
    for (let index = 0; index < count; index++) {
      ids.push((await live.post(`/properties/${property.id}/packets`, { name: `V${index}` })).body.id);
    }
    return { property, ids };
  }

  it('set-default, archive and delete: exactly one default remains, and it is active', async () => {
    const { systemDb } = await import('@/infra/db/client');
    for (const _ of rounds) {
      const { property, ids } = await withVariants(3);
      const answers = await Promise.all([
        live.post(`/packets/${ids[1]}/set-default`),
        live.post(`/packets/${ids[2]}/set-default`),
        live.post(`/packets/${ids[1]}/archive`),
        live.post(`/packets/${ids[2]}/archive`),
        live.del(`/packets/${ids[3]}`),
        live.post(`/packets/${ids[0]}/archive`),
      ]);
      expectOnly(answers, 'default_packet', 'last_packet', 'packet_archived', 'concurrent_edit');
      const defaults = await systemDb().packet.findMany({ where: { property_id: property.id, is_default: true } });
      expect(defaults.map((packet) => packet.status)).toEqual(['active']);
    }
  });

  it('archiving the last two packets: one remains active', async () => {
    const { systemDb } = await import('@/infra/db/client');
    for (const _ of rounds) {
      const { property, ids } = await withVariants(1);
      await Promise.all([
        live.post(`/packets/${ids[1]}/set-default`),
        live.post(`/packets/${ids[0]}/archive`),
        live.del(`/packets/${ids[1]}`),
        live.del(`/packets/${ids[0]}`),
      ]);
      expect(await systemDb().packet.count({ where: { property_id: property.id, status: 'active' } })).toBeGreaterThan(
        0,
      );
    }
  });

  it('edits, set-default and archive never deadlock', async () => {
    for (const _ of rounds) {
      const { property, ids } = await withVariants(2);
      const answers = await Promise.all([
        live.patch(`/packets/${ids[0]}`, { welcome_message: 'A' }),
        live.post(`/packets/${ids[1]}/set-default`),
        live.patch(`/packets/${ids[1]}`, { welcome_message: 'B' }),
        live.put(`/properties/${property.id}/packet`, { rules: [{ text: 'C' }] }),
        live.post(`/packets/${ids[2]}/archive`),
        live.patch(`/packets/${ids[2]}`, { welcome_message: 'D' }),
      ]);
      expectOnly(answers, 'concurrent_edit', 'packet_archived', 'default_packet');
    }
  });

  it('deleting a packet while a reservation selects it: one of the two is refused', async () => {
    const { systemDb } = await import('@/infra/db/client');
    for (const _ of rounds) {
      const { property, ids } = await withVariants(1);
      const fields = {
        packet_id: ids[1],
        guest_name: 'A',
        guest_email: 'a@example.com',
        checkin_date: '2030-01-01',
        checkout_date: '2030-01-02',
      };
      const [made, removed] = await Promise.all([
        live.post('/reservations', { property_id: property.id, ...fields }),
        live.del(`/packets/${ids[1]}`),
      ]);
      expectOnly([made, removed], 'packet_in_use', 'resource_missing', 'concurrent_edit');
      const packet = await systemDb().packet.findFirst({ where: { id: ids[1] } });
      const references = await systemDb().reservation.count({ where: { packet_id: ids[1] } });
      expect(packet === null && references > 0, 'a reservation may not name a packet that is gone').toBe(false);
    }
  });
});

describe('concurrent requests for webhook endpoints', () => {
  it('rotations: every secret that was returned signs deliveries', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const { decryptSecret } = await import('@/infra/encryption');
    const { getAppSecret } = await import('@/config');
    const team = await world.api.createTeam();
    const own = createApiCaller(world.api, team.live);
    const endpoint = await makeWebhookEndpoint(own);
    const answers = await Promise.all([1, 2].map(() => own.post(`/webhook_endpoints/${endpoint.id}/rotate`)));
    expectOnly(answers, 'concurrent_edit');
    const row = await systemDb().webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } });
    const { SIGNING_SECRET_ENCRYPTION_PURPOSE } = await import('@/modules/webhooks/service');
    const { listActiveSigningSecrets } = await import('@/modules/webhooks/delivery/signature.rules');
    const signing = listActiveSigningSecrets(row, world.clock.now()).map((secret) =>
      decryptSecret(getAppSecret(), SIGNING_SECRET_ENCRYPTION_PURPOSE, secret),
    );
    for (const answer of answers.filter((one) => one.status === 200))
      expect(signing).toContain(answer.body.signing_secret);
  });
});

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/**
 * Runs a statement and keeps its locks until the returned function is called. Other transactions
 * that need the locks wait.
 */
async function holding(...statement: Parameters<typeof Prisma.sql>) {
  const { systemDb } = await import('@/infra/db/client');
  const [held, released] = [deferred(), deferred()];
  const ended = systemDb().$transaction(async (tx) => {
    await tx.$executeRaw(Prisma.sql(...statement));
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return async () => {
    released.resolve();
    await ended;
  };
}
/** Waits until running transactions have reached the lock. */
const comesToTheLock = () => sleep(700);

// Skipped on the embedded database, which runs transactions one after another.
describe.runIf(process.env.TEST_DATABASE_URL)('changes between a check and the write that depends on it', () => {
  it('setting a legal hold waits for a deletion of the property that has already checked for holds', async () => {
    const { setLegalHold } = await import('@/modules/certificates/privacy/service');
    const property = await makeProperty(live);
    const scope = createScopeForTestTeam(world.team, 'live');
    const { signature_id } = await makeSignedReservation(live, world.clock, scope, property.id);
    const { id: unsigned } = await makeReservation(live, world.clock, property.id);
    // Locks a row that the deletion removes after its check.
    const release = await holding`SELECT 1 FROM trail_entries WHERE reservation_id = ${unsigned} FOR UPDATE`;
    const done: string[] = [];
    const deleting = live.del(`/properties/${property.id}?force=true`).then(({ status }) => done.push(`${status}`));
    await comesToTheLock();
    const held = setLegalHold(scope, signature_id, true).then(() => done.push('held'));
    await comesToTheLock();
    expect(done).toEqual([]);
    await release();
    await Promise.all([deleting, held]);
    expect(done).toEqual(['200', 'held']);
  });

  it('dates that change between display and signature: the guest sees the new dates before signing', async () => {
    const { loadReservation, applyReservationTransition } = await import('@/modules/reservations/save-transition');
    const { decideReservationDateChangeFromCalendar } = await import('@/modules/reservations/rules/lifecycle');
    const { buildGuestPacketDisplay } = await import('@/modules/signing/display');
    const { signReservation } = await import('@/modules/signing/service');
    const property = await makeProperty(live);
    const { id } = await makeReservation(live, world.clock, property.id);
    await live.post(`/reservations/${id}/send`);
    const guest: Scope = { ...createScopeForTestTeam(world.team, 'live'), actor: { kind: 'guest' } };
    const shown = buildGuestPacketDisplay(await loadReservation(guest, id), 'en');
    // Locks a table that signing reads after its check.
    const release = await holding`LOCK TABLE guest_codes IN ACCESS EXCLUSIVE MODE`;
    const signing = signReservation(guest, id, {
      ...{ typed_name: 'Ada Lovelace', displayed_hash: shown?.hash ?? '', locale: 'en', origin: {} },
      ...{ drawn_signature: null, photo: null, otp_confirmed: true },
    });
    await comesToTheLock();
    const dates = { checkin_date: '2093-01-01', checkout_date: '2093-01-05' };
    await applyReservationTransition(guest, id, (facts, _context, now) =>
      decideReservationDateChangeFromCalendar(facts, dates, now),
    );
    await release();
    expect((await signing).kind).toBe('packet_changed');
    expect((await live.get(`/reservations/${id}`)).body).toMatchObject({ status: 'sent', ...dates });
  });
});

it('the sequence numbers of events have no gaps and follow the order of commits', async () => {
  const { systemDb } = await import('@/infra/db/client');
  const team = await world.api.createTeam();
  const own = createApiCaller(world.api, team.live);
  const property = await makeProperty(own);
  await Promise.all(Array.from({ length: 10 }, () => makeReservation(own, world.clock, property.id)));
  const events = await systemDb().event.findMany({
    where: { team_id: team.id, mode: 'live' },
    orderBy: { sequence: 'asc' },
  });
  expect(events.map((event) => Number(event.sequence))).toEqual(events.map((_, index) => index + 1));
  expect(createScopeForTestTeam(team, 'live').team_id).toBe(team.id);
});
