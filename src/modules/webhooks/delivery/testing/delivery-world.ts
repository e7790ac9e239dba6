import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { setConfig } from '@/config';
import { relayBatch } from '@/events/relay';
import { systemDb } from '@/infra/db/client';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readMails } from '@/testing/mail';
import { type RawReceiver, startRawReceiver } from '@/testing/raw-receiver';
import { commitEvent, emptyDatabase, insertTeam } from '@/testing/team';
import { createEndpoint } from '../../service';
import { deliverTo, stopDeliveries } from '../delivery';

export const MINUTE = 60_000;
export const NO_LINGER = { attempts: 1_000, ms: 5_000, linger_ms: 0 };
export let scope: Scope;
export let time: FakeClock;
export let receiver: RawReceiver;

/** Creates a team and a receiver before each test of the file. */
export function openDeliveryWorld(): void {
  beforeAll(openTestDatabase);
  afterAll(closeTestDatabase);
  beforeEach(async () => {
    await emptyDatabase();
    time = installFakeClock('2026-03-01T12:00:00.000Z');
    setConfig({ webhook_retry_delays_ms: undefined });
    scope = await insertTeam();
    receiver = await startRawReceiver();
  });
  afterEach(async () => {
    await stopDeliveries();
    await receiver.close();
    setClock(null);
  });
}

export const endpointFor = async (url: string) => (await createEndpoint(scope, { url, events: ['*'] })).row.id;
export const endpoint = (id: string) => systemDb().webhookEndpoint.findUniqueOrThrow({ where: { id } });
export const attempts = (endpoint_id: string) =>
  systemDb().webhookDelivery.findMany({
    where: { endpoint_id },
    orderBy: [{ created_at: 'asc' }, { attempt_number: 'asc' }],
  });
/** Returns a URL with a port on which no server listens. */
export async function closedUrl(): Promise<string> {
  const closed = await startRawReceiver();
  await closed.close();
  return closed.url;
}
/** Runs the deliveries of every endpoint once. */
export async function deliver() {
  const endpoints = await systemDb().webhookEndpoint.findMany({ select: { id: true } });
  return Promise.all(endpoints.map((one) => deliverTo(one.id, NO_LINGER)));
}
export const mails = () => readMails();

/** Records and relays an event, and delivers everything that is due. */
export async function send(object: object = {}): Promise<string> {
  const id = await commitEvent(scope, 'property.created', object);
  await relayBatch(async () => {});
  await deliver();
  return id;
}

/** Advances the clock to the next pending attempt and makes the attempt. */
export async function nextAttempt(endpoint_id: string) {
  const pending = (await attempts(endpoint_id)).find((one) => one.status === 'pending');
  if (!pending) throw new Error('Nothing is pending.');
  time.set(pending.due_at);
  await deliver();
  return pending;
}
