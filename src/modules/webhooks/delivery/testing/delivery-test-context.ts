import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { setConfig } from '@/config';
import { relayEventBatch } from '@/events/relay';
import { systemDb } from '@/infra/db/client';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readOutboundMails } from '@/testing/mail';
import { type RawHttpReceiver, startRawHttpReceiver } from '@/testing/raw-receiver';
import { clearDatabase, commitTestEvent, insertTeam } from '@/testing/team';
import { createEndpoint } from '../../service';
import { deliverDueEventsToEndpoint, stopDeliveryAttemptsOfProcess } from '../delivery';

export const MINUTE_MS = 60_000;
export const TEST_ENDPOINT_DELIVERY_RUN_LIMITS = { attempts: 1_000, ms: 5_000, linger_ms: 0 };
export let scope: Scope;
export let fakeClock: FakeClock;
export let webhookReceiver: RawHttpReceiver;

/** Creates a team and a receiver before each test of the file. */
export function setUpDeliveryTests(): void {
  beforeAll(openTestDatabase);
  afterAll(closeTestDatabase);
  beforeEach(async () => {
    await clearDatabase();
    fakeClock = installFakeClock('2026-03-01T12:00:00.000Z');
    setConfig({ webhook_retry_delays_ms: undefined });
    scope = await insertTeam();
    webhookReceiver = await startRawHttpReceiver();
  });
  afterEach(async () => {
    await stopDeliveryAttemptsOfProcess();
    await webhookReceiver.close();
    setClock(null);
  });
}

export const createEndpointForUrl = async (url: string) => (await createEndpoint(scope, { url, events: ['*'] })).row.id;
export const findEndpoint = (id: string) => systemDb().webhookEndpoint.findUniqueOrThrow({ where: { id } });
export const listStoredDeliveryAttempts = (endpoint_id: string) =>
  systemDb().webhookDelivery.findMany({
    where: { endpoint_id },
    orderBy: [{ created_at: 'asc' }, { attempt_number: 'asc' }],
  });
/** Returns a URL with a port on which no server listens. */
export async function getUnreachableUrl(): Promise<string> {
  const closed = await startRawHttpReceiver();
  await closed.close();
  return closed.url;
}
/** Runs the deliveries of every endpoint once. */
export async function deliverDueAttempts() {
  const endpoints = await systemDb().webhookEndpoint.findMany({ select: { id: true } });
  return Promise.all(endpoints.map((one) => deliverDueEventsToEndpoint(one.id, TEST_ENDPOINT_DELIVERY_RUN_LIMITS)));
}
export const readSentMails = () => readOutboundMails();

/** Records and relays an event, and delivers everything that is due. */
export async function sendEvent(object: object = {}): Promise<string> {
  const id = await commitTestEvent(scope, 'property.created', object);
  await relayEventBatch(async () => {});
  await deliverDueAttempts();
  return id;
}

/** Advances the clock to the next pending attempt and makes the attempt. */
export async function runNextDeliveryAttempt(endpoint_id: string) {
  const pending = (await listStoredDeliveryAttempts(endpoint_id)).find((one) => one.status === 'pending');
  if (!pending) throw new Error('Nothing is pending.');
  fakeClock.set(pending.due_at);
  await deliverDueAttempts();
  return pending;
}
