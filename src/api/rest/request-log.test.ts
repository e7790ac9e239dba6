/**
 * Tests the request log: the stored fields of a request, and the link from an event to its request.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { startTestApiServer, type TestApiServer, type TestTeam } from '@/testing/api';
import { flushRequestLog, logRequest } from './request-log';

let api: TestApiServer;
let team: TestTeam;
let property_id: string;

beforeAll(async () => {
  api = await startTestApiServer();
  team = await api.createTeam();
  const made = await api.request<{ id: string }>('POST', '/properties', { key: team.live, body: { name: 'Loft' } });
  property_id = made.body.id;
});
afterAll(() => api.close());

async function logged(answer: { headers: Headers }) {
  await flushRequestLog();
  const id = answer.headers.get('x-request-id') ?? '';
  return systemDb().requestLog.findFirstOrThrow({ where: { id } });
}

const reservation = () => ({
  property_id,
  guest_name: 'Grace Hopper',
  guest_email: 'grace@example.com',
  checkin_date: '2027-12-24',
  checkout_date: '2027-12-27',
  source: 'direct',
});

it('stores the request without guest data, its object, and the request id in its events', async () => {
  const answer = await api.request<{ id: string }>('POST', '/reservations', { key: team.live, body: reservation() });
  const row = await logged(answer);
  expect(JSON.parse(row.request_body ?? '')).toMatchObject({ property_id, checkin_date: '2027-12-24' });
  expect(JSON.stringify(row)).not.toMatch(/grace/i);
  expect(row).toMatchObject({ object_id: answer.body.id, query: null });
  const events = await systemDb().event.findMany({ where: { request_id: row.id } });
  expect(events.map(({ type, object_id }) => [type, object_id])).toEqual([['reservation.created', answer.body.id]]);
  // The event of the next request has a different request id.
  await api.request('POST', `/reservations/${answer.body.id}/cancel`, { key: team.live });
  expect(await systemDb().event.count({ where: { request_id: row.id } })).toBe(1);
});

it('stores the repeated request of an idempotency key separately, without an event', async () => {
  const call = () =>
    api.request<{ id: string }>('POST', '/reservations', {
      key: team.live,
      body: reservation(),
      headers: { 'Idempotency-Key': 'once' },
    });
  const [first, second] = [await call(), await call()];
  expect(second.body.id).toBe(first.body.id);
  await flushRequestLog();
  const rows = await systemDb().requestLog.findMany({ where: { idempotency_key: 'once' }, orderBy: { id: 'asc' } });
  const object_id = first.body.id;
  expect(rows).toMatchObject([{ object_id }, { object_id }]);
  expect(rows[1]?.request_body).toBe(rows[0]?.request_body);
  expect(await systemDb().event.count({ where: { request_id: rows[0]?.id ?? '' } })).toBe(1);
  expect(await systemDb().event.count({ where: { request_id: rows[1]?.id ?? '' } })).toBe(0);
});

it('stores filters of a query, and redacts free text', async () => {
  const row = await logged(
    await api.request('GET', '/reservations?status=sent&x=grace%40example.com', { key: team.live }),
  );
  expect(row.query).toBe('status=sent&x=%5Bredacted%5D');
  expect(row.request_body).toBeNull();
});

it('stores no content of an invalid JSON body or of an unauthenticated request', async () => {
  const broken = await api.request('POST', '/reservations', {
    key: team.live,
    headers: { 'Content-Type': 'application/json' },
    raw: '{"guest_name": "Grace Hopper',
  });
  expect(await logged(broken)).toMatchObject({ status: 400, request_body: null });
  const stranger = await api.request('POST', '/reservations?status=sent', {
    key: 'service_live_sk_x',
    body: reservation(),
  });
  expect(await logged(stranger)).toMatchObject({ status: 401, query: null, request_body: null, object_id: null });
});

it('stores all other entries when one cannot be written', async () => {
  const entry = {
    owner: null,
    principal: null,
    method: 'GET',
    url: '/v1/properties',
    body: null,
    answer: { status: 200, headers: {}, body: '{}' },
    duration_ms: 1,
    ip: null,
    user_agent: null,
    idempotency_key: null,
  };
  const lines = { req_one: '/v1/a', req_two: '/v1/\u0000', req_three: '/v1/\ud800', req_four: '/v1/b' };
  for (const [id, path] of Object.entries(lines)) logRequest({ ...entry, id, path });
  await flushRequestLog();
  const rows = await systemDb().requestLog.findMany({
    where: { id: { in: Object.keys(lines) } },
    select: { id: true },
  });
  expect(rows.map(({ id }) => id).sort()).toEqual(['req_four', 'req_one']);
});
