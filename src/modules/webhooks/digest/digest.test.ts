import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { setClock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readOutboundMails } from '@/testing/mail';
import { clearDatabase, commitTestEvent, insertTeam } from '@/testing/team';
import { createEndpoint, setFailureDigestEnabled } from '../service';
import { sendUndeliveredEventsDigests } from './digest';

const HOUR = 3_600_000;
let scope: Scope;
let time: FakeClock;

beforeAll(openTestDatabase);
afterAll(async () => {
  setClock(null);
  await closeTestDatabase();
});
beforeEach(async () => {
  await clearDatabase();
  time = installFakeClock('2026-03-01T12:00:00.000Z');
  scope = await insertTeam();
});

const endpointOf = async (owner: Scope, url = 'https://hooks.example/in') =>
  (await createEndpoint(owner, { url, events: ['*'] })).row.id;
const digests = () => readOutboundMails({ template: 'endpoint_digest' });

/** Inserts a failed attempt that ends now, for the given event or a new one. */
async function attempt(owner: Scope, endpoint_id: string, fields: object = {}, event_id?: string): Promise<string> {
  const id = event_id ?? (await commitTestEvent(owner, 'property.created'));
  const at = time.now();
  const attempt_number = 1 + (await systemDb().webhookDelivery.count({ where: { endpoint_id, event_id: id } }));
  await systemDb().webhookDelivery.create({
    data: {
      id: newId('webhook_delivery'),
      ...{ team_id: owner.team_id, mode: owner.mode, event_id: id, endpoint_id, event_type: 'property.created' },
      ...{ attempt_number, delivery_began_at: at, due_at: at, created_at: at, attempted_at: at },
      ...{ status: 'failed', status_code: 500, ...fields },
    },
  });
  return id;
}

describe('the daily mail about failed deliveries', () => {
  it('lists the events that were not accepted, per endpoint, with the last response', async () => {
    const [first, second] = [await endpointOf(scope), await endpointOf(scope, 'https://other.example/in')];
    const event = await attempt(scope, first);
    await attempt(scope, first, { status_code: 503 }, event);
    await attempt(scope, second, { status_code: null, error_message: 'The name was not found.' });
    time.advance(2 * HOUR);
    expect(await sendUndeliveredEventsDigests()).toEqual({ teams: 1 });
    const [mail, ...others] = await digests();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: 'owner@example.com', mode: 'live' });
    expect(mail?.subject).toBe('Webhooks: 2 events not accepted by 2 endpoints');
    for (const said of ['https://hooks.example/in', 'HTTP 50', 'https://other.example/in', 'The name was not found.'])
      expect(mail?.text).toContain(said);
  });

  it('is sent once a day, while deliveries keep failing', async () => {
    const id = await endpointOf(scope);
    await attempt(scope, id);
    time.advance(2 * HOUR);
    await sendUndeliveredEventsDigests();
    for (let hour = 1; hour < 24; hour++) {
      time.advance(HOUR);
      await attempt(scope, id);
      expect(await sendUndeliveredEventsDigests()).toEqual({ teams: 0 });
    }
    time.advance(2 * HOUR);
    expect(await sendUndeliveredEventsDigests()).toEqual({ teams: 1 });
    expect(await digests()).toHaveLength(2);
    time.advance(30 * HOUR);
    expect(await sendUndeliveredEventsDigests()).toEqual({ teams: 0 });
  });

  it('is sent once when two processes run concurrently', async () => {
    await attempt(scope, await endpointOf(scope));
    time.advance(2 * HOUR);
    const sent = await Promise.all([sendUndeliveredEventsDigests(), sendUndeliveredEventsDigests()]);
    expect(sent.map(({ teams }) => teams).sort()).toEqual([0, 1]);
    expect(await digests()).toHaveLength(1);
  });

  it('omits events accepted since, failures of the last minutes, test events and test mode', async () => {
    const id = await endpointOf(scope);
    const event = await attempt(scope, id);
    await attempt(scope, id, { trigger: 'test' });
    const test = { ...scope, mode: 'test' as const };
    await attempt(test, await endpointOf(test));
    time.advance(2 * HOUR);
    await attempt(scope, id, { status: 'succeeded', status_code: 200 }, event);
    await attempt(scope, id);
    expect(await sendUndeliveredEventsDigests()).toEqual({ teams: 0 });
    expect(await digests()).toEqual([]);
  });

  it('omits endpoints whose owner turned it off, and reports to other teams only their own', async () => {
    const other = await insertTeam('live', 'other@example.com');
    const [quiet, theirs] = [await endpointOf(scope), await endpointOf(other, 'https://theirs.example/in')];
    await attempt(scope, quiet);
    await attempt(other, theirs);
    await setFailureDigestEnabled(scope, quiet, false);
    time.advance(2 * HOUR);
    expect(await sendUndeliveredEventsDigests()).toEqual({ teams: 1 });
    expect((await digests()).map(({ to }) => to)).toEqual(['other@example.com']);
    await setFailureDigestEnabled(scope, quiet, true);
    expect(await sendUndeliveredEventsDigests()).toEqual({ teams: 1 });
  });
});
