/**
 * Tests test clocks. Starts the durable work as the product does, with the embedded engine and a
 * webhook receiver that fails at first.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { createReservation } from '@/modules/reservations/service';
import { advanceTestClock, createTestClock, retrieveTestClock } from '@/modules/test-clocks/service';
import { createEndpoint } from '@/modules/webhooks/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { type RawHttpReceiver, startRawHttpReceiver } from '@/testing/raw-receiver';
import { clearDatabase, insertTeam } from '@/testing/team';
import { waitUntil } from './engine/testing/harness';
import { type DurableWorkRuntime, startDurableWorkRuntime } from './start';

let scope: Scope;
let receiver: RawHttpReceiver;
let work: DurableWorkRuntime;
let clock_id: string;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam('test');
  receiver = await startRawHttpReceiver();
  clock_id = (await createTestClock(scope, { frozen_time: '2030-06-01T10:00:00Z' })).id;
});
afterEach(async () => {
  await work.stop();
  await receiver.close();
});

const stand = async () => (await retrieveTestClock(scope, clock_id)).target_time === null;
const types = () => receiver.requests.map(({ body }) => JSON.parse(String(body)).type);

async function insertStay(): Promise<string> {
  const { id: property_id } = await createProperty(
    scope,
    PropertyCreate.parse({
      name: 'Casa Azul',
      timezone: 'Europe/Madrid',
      auto_send_packet: true,
      test_clock_id: clock_id,
    }),
  );
  const guest = { guest_name: 'Ana', guest_email: 'ana@example.com', source: 'direct' as const };
  const dates = { checkin_date: '2030-06-15', checkout_date: '2030-06-18' };
  return (await createReservation(scope, { property_id, ...guest, ...dates })).row.id;
}

it('an advance runs immediately, and its events are delivered', async () => {
  work = await startDurableWorkRuntime();
  const id = await insertStay();
  await createEndpoint(scope, { url: receiver.url, events: ['*'] });
  await advanceTestClock(scope, clock_id, '2030-07-01T00:00:00Z');
  await waitUntil(stand, 15_000);
  expect(await systemDb().reservation.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'expired' });
  await waitUntil(async () => types().includes('reservation.sent'), 15_000);
});

it('an advance requested while nothing was running is carried out by the next process', async () => {
  const id = await insertStay();
  await advanceTestClock(scope, clock_id, '2030-06-14T00:00:00Z');
  work = await startDurableWorkRuntime();
  await work.recover();
  await waitUntil(stand, 15_000);
  expect(await systemDb().reservation.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'sent' });
});

it('an advance brings pending retries forward by the same time, only for events of its properties', async () => {
  work = await startDurableWorkRuntime();
  receiver.answer(500);
  await createEndpoint(scope, { url: receiver.url, events: ['*'] });
  await insertStay();
  const elsewhere = await createProperty(scope, PropertyCreate.parse({ name: 'Elsewhere' }));
  await receiver.received(3, 15_000);
  const waiting = () =>
    systemDb().webhookDelivery.findMany({
      where: { status: 'pending', trigger: 'retry' },
      include: { event: { select: { object_id: true } } },
    });
  await waitUntil(async () => (await waiting()).length === 3, 15_000);
  const before = new Map((await waiting()).map((one) => [one.id, one.due_at.getTime()]));
  await advanceTestClock(scope, clock_id, '2030-06-01T10:00:20Z');
  await waitUntil(stand, 15_000);
  for (const one of await waiting()) {
    const nearer = (before.get(one.id) as number) - one.due_at.getTime();
    expect(nearer, one.event_type).toBe(one.event.object_id === elsewhere.id ? 0 : 20_000);
  }
  receiver.answer(200);
  const at = Date.now();
  await advanceTestClock(scope, clock_id, '2030-07-01T11:00:00Z');
  await receiver.received(5, 15_000);
  await waitUntil(async () => (await waiting()).length === 1, 15_000);
  const made = await systemDb().webhookDelivery.findMany({ where: { status: 'succeeded', trigger: 'retry' } });
  expect(made.length).toBeGreaterThan(1);
  for (const one of made) expect(one.due_at.getTime()).toBeGreaterThanOrEqual(at);
}, 60_000);
