import { afterAll, beforeAll, expect, it } from 'vitest';
import { trpcBuilder } from '@/api/trpc/init';
import { recordEvent } from '@/events/record';
import { relayEventBatch } from '@/events/relay';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import type { Mode, Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { commitTestEvent, insertTeams } from '@/testing/team';
import { createEndpoint } from '../service';
import { sendTestEvent } from '../test-events';
import { recordedEventsRouter } from './router';
import { listEvents } from './service';

beforeAll(async () => {
  await openTestDatabase();
  await insertTeams('team_a', 'team_b');
});
afterAll(closeTestDatabase);

const scopeOf = (mode: Mode, team_id = 'team_a'): Scope => ({
  team_id,
  mode,
  actor: { kind: 'user', id: 'user_1', name: 'Olga', role: 'manager' },
});
const scope = scopeOf('test');
const callerOf = (as: Scope) =>
  trpcBuilder.createCallerFactory(recordedEventsRouter)({
    request_id: 'req_test',
    surface: 'dashboard',
    scope: as,
    user: { id: 'user_1', name: 'Olga', email: 'olga@example.com', role: 'manager', session_id: 's' },
    ip: null,
    user_agent: null,
    if_match: null,
    reply: { headers: {} },
  });

const make = (object_id: string, type: 'property.created' | 'packet.updated' = 'property.created') =>
  inTransaction(scope, () => recordEvent(scope, { type, object_id, data: { object: { id: object_id } } }));

it('events are filtered by type and object, and shown with their body and deliveries', async () => {
  const endpoint = (
    await createEndpoint(
      { ...scope, actor: { kind: 'system', name: 'test' } },
      { url: 'https://example.com/hook', events: ['packet.updated'] },
    )
  ).row.id;
  const first = await make('prop_1');
  const second = await make('pkt_1', 'packet.updated');
  await relayEventBatch(async () => {});
  const tested = (await sendTestEvent(scope, endpoint, 'property.created')).event_id;

  const list = async (query: object) => (await callerOf(scope).list(query)).data;
  expect((await list({})).map(({ id, sequence, test }) => ({ id, sequence, test }))).toEqual([
    { id: tested, sequence: 3, test: true },
    { id: second, sequence: 2, test: false },
    { id: first, sequence: 1, test: false },
  ]);
  expect((await list({ type: 'packet.updated' })).map((row) => row.id)).toEqual([second]);
  expect((await list({ object_id: 'prop_1' })).map((row) => row.id)).toEqual([first]);
  expect((await list({ starting_after: second })).map((row) => row.id)).toEqual([first]);

  const detail = await callerOf(scope).retrieve({ id: second });
  expect(JSON.parse(detail.body)).toMatchObject({
    id: second,
    type: 'packet.updated',
    data: { object: { id: 'pkt_1' } },
  });
  expect(detail.deliveries).toMatchObject([
    { endpoint_id: endpoint, url: 'https://example.com/hook', status: 'pending', attempt_number: 1 },
  ]);
  expect((await callerOf(scope).retrieve({ id: first })).deliveries).toEqual([]);

  for (const other of [scopeOf('live'), scopeOf('test', 'team_b')]) {
    expect((await callerOf(other).list({})).data).toEqual([]);
    await expect(callerOf(other).retrieve({ id: first })).rejects.toMatchObject({
      cause: { code: 'resource_missing' },
    });
  }
});

it('partners get events by sequence, so that a cursor never skips an event with an earlier time', async () => {
  const first = await commitTestEvent(scope);
  await commitTestEvent(scope);
  const late = await commitTestEvent(scope);
  await systemDb().event.update({ where: { id: late }, data: { created_at: new Date('2020-01-01') } });
  const newer = await listEvents(scope, { limit: 1, ending_before: first });
  expect(newer.has_more).toBe(true);
  const [next] = newer.data;
  const last = await listEvents(scope, { limit: 10, ending_before: next?.id });
  expect(last.data.map(({ id }) => id)).toEqual([late]);
  expect((await listEvents(scope, { limit: 10 })).data[0]?.id).toBe(late);
  await expect(listEvents(scope, { limit: 10, starting_after: 'evt_nobodyhasit' })).rejects.toMatchObject({
    code: 'invalid_cursor',
  });
});
