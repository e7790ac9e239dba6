import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { recordRequestMetric, recordWebhookAttemptMetric } from '@/infra/metrics';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { setClock } from '@/shared/clock';
import { installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertOneRowPerTable } from '@/testing/one-row-per-table';
import { clearDatabase, insertSyncSource, insertTeam } from '@/testing/team';
import { handleMetricsRequest } from './metrics';

let server: Server;
let url: string;

beforeAll(async () => {
  await openTestDatabase();
  await clearDatabase();
  server = createServer((request, response) => void handleMetricsRequest(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/metrics`;
});
afterEach(() => setClock(null));
afterAll(async () => {
  setConfig({ metrics_token: undefined });
  server.close();
  await closeTestDatabase();
});

const get = (token?: string) => fetch(url, { headers: token ? { authorization: `Bearer ${token}` } : {} });
const sample = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find((one) => one.startsWith(`${line} `))
      ?.slice(line.length + 1),
  );

it('returns 404 without a configured token, and then requires the token', async () => {
  expect((await get('anything')).status).toBe(404);
  setConfig({ metrics_token: 'let me see' });
  expect((await get()).status).toBe(401);
  expect((await get('let me se')).status).toBe(401);
  expect((await get('let me see')).status).toBe(200);
});

it('reports the length and age of each queue', async () => {
  setConfig({ metrics_token: 'let me see' });
  const time = installFakeClock('2026-05-01T10:00:00Z');
  const scope = await insertTeam();
  await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }));
  const id = await insertSyncSource(scope);
  await systemDb().syncSource.update({
    where: { id },
    data: { kind: 'channel_a_ical', feed_url: 'sealed', inbound_token: null, next_run_at: time.now() },
  });
  const job = { run_id: 'run_1', function_id: 'threshold-send-mail', created_at: time.now() };
  const later = new Date(time.now().getTime() + 3_600_000);
  await systemDb().engineJob.createMany({
    data: [
      { id: 'due', ...job, run_at: time.now() },
      { id: 'held', ...job, run_at: time.now(), lease_token: 'me:1', lease_until: later },
      { id: 'sleeping', ...job, run_at: later },
    ],
  });
  time.advance(90_000);
  const text = await (await get('let me see')).text();
  expect(sample(text, 'threshold_queue_waiting{queue="events"}')).toBe(await systemDb().event.count());
  expect(sample(text, 'threshold_queue_oldest_seconds{queue="events"}')).toBe(90);
  expect(sample(text, 'threshold_queue_waiting{queue="deliveries"}')).toBe(0);
  expect(sample(text, 'threshold_queue_oldest_seconds{queue="mails"}')).toBe(0);
  for (const queue of ['calendars', 'runs']) {
    expect(sample(text, `threshold_queue_waiting{queue="${queue}"}`)).toBe(1);
    expect(sample(text, `threshold_queue_oldest_seconds{queue="${queue}"}`)).toBe(90);
  }
  expect(sample(text, 'threshold_durable_work_up')).toBe(1);
});

it('counts requests by operation and attempts by outcome, and names no team', async () => {
  setConfig({ metrics_token: 'let me see' });
  recordRequestMetric('reservations.list', 200, 12);
  recordRequestMetric(null, 404, 1);
  recordWebhookAttemptMetric({ accepted: true, error_kind: null });
  recordWebhookAttemptMetric({ accepted: false, error_kind: 'timeout' });
  recordWebhookAttemptMetric({ accepted: false, error_kind: null });
  const text = await (await get('let me see')).text();
  const count = 'threshold_api_request_duration_seconds_count';
  expect(sample(text, `${count}{operation="reservations.list",status="200"}`)).toBe(1);
  expect(sample(text, `${count}{operation="none",status="404"}`)).toBe(1);
  for (const outcome of ['accepted', 'timeout', 'refused']) {
    expect(sample(text, `threshold_webhook_attempts_total{outcome="${outcome}"}`)).toBe(1);
  }
  expect(text).not.toMatch(/team_|service_(live|test)_/);
});

it('reports the waiting runs of each durable function, and when cron last called it', async () => {
  setConfig({ metrics_token: 'let me see' });
  await clearDatabase();
  const time = installFakeClock('2026-05-01T10:00:00Z');
  const at = time.now();
  await systemDb().engineFunction.createMany({
    data: ['threshold-send-mail', 'threshold-recover'].map((id) => ({
      id,
      config: '{}',
      created_at: at,
      updated_at: at,
    })),
  });
  await systemDb().engineCronTick.create({ data: { function_id: 'threshold-recover', minute: at, run_id: 'r' } });
  const job = { run_id: 'run_1', function_id: 'threshold-send-mail', created_at: at };
  await systemDb().engineJob.create({ data: { id: 'due', ...job, run_at: at } });
  time.advance(120_000);
  const text = await (await get('let me see')).text();
  expect(sample(text, 'threshold_runs_waiting{function="threshold-send-mail"}')).toBe(1);
  expect(sample(text, 'threshold_runs_oldest_seconds{function="threshold-send-mail"}')).toBe(120);
  expect(sample(text, 'threshold_runs_waiting{function="threshold-recover"}')).toBe(0);
  expect(sample(text, 'threshold_cron_last_seconds{function="threshold-recover"}')).toBe(120);
  expect(text).not.toContain('threshold_cron_last_seconds{function="threshold-send-mail"}');
});

it('reports files to move and to delete, bookings to compare and accounts to delete', async () => {
  setConfig({ metrics_token: 'let me see', storage_write: true });
  await clearDatabase();
  const time = installFakeClock('2026-05-01T10:00:00Z');
  const at = time.now();
  const scope = await insertTeam();
  await insertOneRowPerTable(scope.team_id, 'live');
  await systemDb().signature.updateMany({ data: { pdf: new Uint8Array([1]), pdf_sha256: 'x', sealed_at: at } });
  await systemDb().reservation.updateMany({ data: { nights_changed: true, updated_at: at } });
  await systemDb().storedObject.createMany({
    data: (['removing', 'kept', 'writing'] as const).map((state) => ({ key: state, state, created_at: at })),
  });
  await systemDb().team.create({ data: { id: 'gone', name: 'x', slug: 'gone', plan: 'deleted' } });
  time.advance(60_000);
  const waits = async () => {
    const text = await (await get('let me see')).text();
    return ['nights', 'files', 'removals', 'accounts'].map((queue) => [
      sample(text, `threshold_queue_waiting{queue="${queue}"}`),
      sample(text, `threshold_queue_oldest_seconds{queue="${queue}"}`),
    ]);
  };
  expect(await waits()).toEqual([
    [1, 60],
    [1, 60],
    [1, 60],
    [1, 0],
  ]);
  // Without a storage, no file has to be moved.
  setConfig({ storage_write: false });
  expect((await waits())[1]).toEqual([0, 0]);
});
