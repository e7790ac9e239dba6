import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { logger } from '@/infra/logger';
import { createEndpoint, updateEndpoint } from '@/modules/webhooks/service';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { commitEvent, emptyDatabase, insertTeam } from '@/testing/team';
import { nudgeRelay } from './nudge';
import { recordEvent } from './record';
import { type PublishedEvent, relayBatch, startRelay } from './relay';

const URL = 'https://example.com/hook';
let scope: Scope;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await emptyDatabase();
  scope = await insertTeam();
});

const endpointFor = async (owner: Scope, events = ['*']) => (await createEndpoint(owner, { url: URL, events })).row.id;
const deliveries = () => systemDb().webhookDelivery.findMany({ orderBy: { endpoint_id: 'asc' } });
const unrelayed = () => systemDb().event.count({ where: { relayed_at: null } });
const ignore = async () => {};
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Events of the team, without a nudge for each. */
async function commitMany(count: number): Promise<void> {
  const first = await commitEvent(scope);
  const { id: _id, sequence, ...row } = await systemDb().event.findUniqueOrThrow({ where: { id: first } });
  const others = Array.from({ length: count - 1 }, (_, index) => ({
    ...row,
    id: `${first}${index}`,
    sequence: sequence + BigInt(index + 1),
  }));
  await systemDb().event.createMany({ data: others });
}

describe('the relay', () => {
  it('queues one delivery for each endpoint of the event’s team and mode that wants the type', async () => {
    const all = await endpointFor(scope);
    const some = await endpointFor(scope, ['property.created', 'packet.updated']);
    await endpointFor(scope, ['reservation.signed']);
    await endpointFor({ ...scope, mode: 'test' });
    await endpointFor(await insertTeam('live', 'other@example.com'));
    const event_id = await commitEvent(scope);
    expect(await relayBatch(ignore)).toBe(1);
    expect(await deliveries()).toMatchObject(
      [all, some]
        .sort()
        .map((endpoint_id) => ({ endpoint_id, event_id, attempt_number: 1, status: 'pending', mode: 'live' })),
    );
    expect(await unrelayed()).toBe(0);
    expect(await relayBatch(ignore)).toBe(0);
  });

  it('takes another team’s event along although very many of one team are older', async () => {
    await endpointFor(scope);
    const other = await insertTeam('live', 'other@example.com');
    const theirs = await endpointFor(other);
    await commitMany(1_201);
    const event_id = await commitEvent(other);
    expect(await relayBatch(ignore)).toBe(501);
    expect(await systemDb().webhookDelivery.findMany({ where: { endpoint_id: theirs } })).toMatchObject([{ event_id }]);
    expect(await relayBatch(ignore)).toBe(500);
    expect(await relayBatch(ignore)).toBe(201);
    expect(await unrelayed()).toBe(0);
    expect(await systemDb().webhookDelivery.count()).toBe(1_202);
  });

  it('relays all that waits in one pass, also when another team’s events came along with the first batch', async () => {
    await commitMany(700);
    await commitEvent(await insertTeam('live', 'other@example.com'));
    const relay = startRelay(ignore, ignore);
    await relay.run();
    await relay.stop();
    expect(await unrelayed()).toBe(0);
  });

  it('queues nothing for endpoints that are disabled, or did not exist when the event occurred', async () => {
    const disabled = await endpointFor(scope);
    await updateEndpoint(scope, disabled, { status: 'disabled' }, null);
    const given_up = await endpointFor(scope);
    await systemDb().webhookEndpoint.update({ where: { id: given_up }, data: { status: 'auto_disabled' } });
    const time = installFakeClock('2026-03-01T12:00:00Z');
    await commitEvent(scope);
    time.advance(10_000);
    await endpointFor(scope);
    await relayBatch(ignore);
    setClock(null);
    expect(await deliveries()).toEqual([]);
    expect(await unrelayed()).toBe(0);
  });

  it('hands the events that functions listen to over with the event’s id but without the resource, and others not at all', async () => {
    const published: PublishedEvent[] = [];
    await commitEvent(scope, 'property.created');
    const data = { object: { id: 'res_1', guest_name: 'Ada' }, certificate_id: 'sig_1' };
    const signed = await inTransaction(scope, () =>
      recordEvent(scope, { type: 'reservation.signed', object_id: 'prop_1', data }),
    );
    await relayBatch(async (events) => void published.push(...events));
    expect(published).toEqual([
      {
        id: signed,
        name: 'reservation.signed',
        data: {
          event_id: signed,
          team_id: scope.team_id,
          mode: 'live',
          object_id: 'prop_1',
          data: { certificate_id: 'sig_1' },
        },
      },
    ]);
  });

  it.each([
    ['before the event is handed over', false],
    ['after the event is handed over', true],
  ])('loses and doubles nothing when it dies %s', async (_name, handed_over) => {
    const endpoint_id = await endpointFor(scope);
    const signed = await commitEvent(scope, 'reservation.signed');
    const ids: string[] = [];
    const crash = relayBatch(async (events) => {
      if (handed_over) ids.push(...events.map(({ id }) => id));
      throw new Error('killed');
    });
    await expect(crash).rejects.toThrow('killed');
    const [queued] = await deliveries();
    expect(queued).toMatchObject({ endpoint_id, event_id: signed });
    expect(await unrelayed()).toBe(1);
    await relayBatch(async (events) => void ids.push(...events.map(({ id }) => id)));
    // Inngest drops the second of the same id.
    expect(new Set(ids)).toEqual(new Set([signed]));
    expect(await deliveries()).toEqual([queued]);
    expect(await unrelayed()).toBe(0);
  });

  it('does not queue a delivery again that was already made when it repeats itself', async () => {
    await endpointFor(scope);
    await commitEvent(scope, 'reservation.signed');
    await relayBatch(() => Promise.reject(new Error('killed'))).catch(() => {});
    await systemDb().webhookDelivery.updateMany({ data: { status: 'succeeded' } });
    await relayBatch(ignore);
    expect(await deliveries()).toMatchObject([{ status: 'succeeded' }]);
  });

  it('run by two processes at once queues each delivery once', async () => {
    await endpointFor(scope);
    for (let index = 0; index < 20; index++) await commitEvent(scope);
    await Promise.all([relayBatch(ignore), relayBatch(ignore), relayBatch(ignore)]);
    expect(await deliveries()).toHaveLength(20);
    expect(await unrelayed()).toBe(0);
  });

  it('follows commits by itself, in one pass for many, and wakes the workers after each', async () => {
    let wakes = 0;
    const relay = startRelay(ignore, async () => {
      wakes += 1;
    });
    await Promise.all(Array.from({ length: 10 }, () => commitEvent(scope)));
    while ((await unrelayed()) > 0) await wait(5);
    await relay.run();
    expect(wakes).toBeGreaterThanOrEqual(1);
    expect(wakes).toBeLessThanOrEqual(11);
    await relay.stop();
    await commitEvent(scope);
    nudgeRelay();
    await wait(30);
    expect(await unrelayed()).toBe(1);
  });

  it('tries again by itself while Inngest is away, without a commit, and says so once', async () => {
    const lines: string[] = [];
    const error = vi
      .spyOn(logger(), 'error')
      .mockImplementation((...line: unknown[]) => void lines.push(String(line[1])));
    let tries = 0;
    const relay = startRelay(
      async () => {
        if (++tries < 4) throw new Error('Inngest is away');
      },
      ignore,
      20,
    );
    await commitEvent(scope, 'reservation.signed');
    const deadline = Date.now() + 5_000;
    while ((await unrelayed()) > 0 && Date.now() < deadline) await wait(5);
    expect(await unrelayed()).toBe(0);
    expect(tries).toBe(4);
    expect(lines).toHaveLength(1);
    await relay.stop();
    error.mockRestore();
  });

  it('leaves a failed pass to its timer, however many commits follow', async () => {
    let tries = 0;
    const relay = startRelay(
      async () => {
        tries += 1;
        throw new Error('Inngest is away');
      },
      ignore,
      60_000,
    );
    for (let index = 0; index < 20; index++) {
      await commitEvent(scope, 'reservation.signed');
      await wait(10);
    }
    expect(tries).toBe(1);
    await relay.stop();
  });

  it('goes on after a pass that failed', async () => {
    let broken = true;
    const relay = startRelay(async () => {
      if (broken) throw new Error('Inngest is away');
    }, ignore);
    await commitEvent(scope, 'reservation.signed');
    await relay.run().catch(() => {});
    expect(await unrelayed()).toBe(1);
    broken = false;
    await relay.run();
    expect(await unrelayed()).toBe(0);
    await relay.stop();
  });
});
