import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { logger } from '@/infra/logger';
import { createEndpoint, updateEndpoint } from '@/modules/webhooks/service';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, commitTestEvent, insertTeam } from '@/testing/team';
import { recordTeamWithRecentEvent } from './active-teams';
import { listDeadLetters, retryDeadLetter } from './outbox';
import { notifyEventRelay } from './process-listeners';
import { recordEvent } from './record';
import { type PublishedEvent, relayEventBatch, startEventRelay } from './relay';

const URL = 'https://example.com/hook';
let scope: Scope;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam();
});

const endpointFor = async (owner: Scope, events = ['*']) => (await createEndpoint(owner, { url: URL, events })).row.id;
const deliveries = () => systemDb().webhookDelivery.findMany({ orderBy: { endpoint_id: 'asc' } });
const unrelayed = () => systemDb().event.count({ where: { relayed_at: null } });
const ignore = async () => {};
const wake = (run: () => Promise<void>) => ({ name: 'a wake', run });
/** Waits until the teams of earlier tests are no longer active. */
const untilNoTeamIsActive = () => wait(2_050);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Commits many events of the team and wakes the relay only for the first event. */
async function commitMany(count: number): Promise<void> {
  const first = await commitTestEvent(scope);
  const { id: _id, sequence, ...row } = await systemDb().event.findUniqueOrThrow({ where: { id: first } });
  const others = Array.from({ length: count - 1 }, (_, index) => ({
    ...row,
    id: `${first}${index}`,
    sequence: sequence + BigInt(index + 1),
  }));
  await systemDb().event.createMany({ data: others });
}

describe('the relay', () => {
  it('queues one delivery for each endpoint in the event’s team and mode that subscribes to its type', async () => {
    const all = await endpointFor(scope);
    const some = await endpointFor(scope, ['property.created', 'packet.updated']);
    await endpointFor(scope, ['reservation.signed']);
    await endpointFor({ ...scope, mode: 'test' });
    await endpointFor(await insertTeam('live', 'other@example.com'));
    const event_id = await commitTestEvent(scope);
    expect(await relayEventBatch(ignore)).toBe(1);
    expect(await deliveries()).toMatchObject(
      [all, some]
        .sort()
        .map((endpoint_id) => ({ endpoint_id, event_id, attempt_number: 1, status: 'pending', mode: 'live' })),
    );
    expect(await unrelayed()).toBe(0);
    expect(await relayEventBatch(ignore)).toBe(0);
  });

  it('alternates between teams, so that a team’s events wait only for its own backlog', async () => {
    await endpointFor(scope);
    await commitMany(1_201);
    const others: string[] = [];
    for (let index = 0; index < 30; index++) {
      const other = await insertTeam('live', `other${index}@example.com`);
      await endpointFor(other);
      others.push(await commitTestEvent(other), await commitTestEvent(other));
    }
    expect(await relayEventBatch(ignore)).toBeLessThanOrEqual(100);
    const queued = await systemDb().webhookDelivery.findMany({ where: { team_id: { not: scope.team_id } } });
    expect(queued.map(({ event_id }) => event_id).sort()).toEqual(others.sort());
    while ((await relayEventBatch(ignore)) > 0);
    expect(await unrelayed()).toBe(0);
    expect(await systemDb().webhookDelivery.count()).toBe(1_261);
  });

  it('relays a backlog in small batches while other teams are active, and continues at once on a commit', async () => {
    await endpointFor(scope);
    await commitMany(300);
    const other = await insertTeam('live', 'other@example.com');
    await endpointFor(other);
    const relay = startEventRelay(ignore, []);
    recordTeamWithRecentEvent(other.team_id);
    const passing = relay.run();
    await wait(20);
    const began = performance.now();
    const fresh = await commitTestEvent(other);
    while ((await systemDb().webhookDelivery.count({ where: { event_id: fresh } })) === 0) await wait(1);
    expect(performance.now() - began).toBeLessThan(2_000);
    const queued = await systemDb().webhookDelivery.count({ where: { team_id: scope.team_id } });
    expect(queued).toBeLessThan(200);
    await passing;
    await relay.stop();
    expect(await unrelayed()).toBe(0);
  });

  it('does not pause after a batch during which an event was committed', async () => {
    for (let count = 0; count < 25; count++) await commitTestEvent(scope, 'reservation.signed', { id: 'res_1' });
    const other = await insertTeam('live', 'other@example.com');
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const pauses = () => timers.mock.calls.filter(([, ms]) => ms === 50).length;
    const relay = startEventRelay(async () => notifyEventRelay(), []);
    for (const { team_id } of [scope, other]) recordTeamWithRecentEvent(team_id);
    await relay.run();
    await relay.stop();
    expect(await unrelayed()).toBe(0);
    expect(pauses()).toBe(0);
    timers.mockRestore();
  });

  it('relays the events of more teams than fit in a batch', async () => {
    const { id: _id, ...team } = await systemDb().team.findUniqueOrThrow({ where: { id: scope.team_id } });
    const ids = Array.from({ length: 250 }, (_, index) => `team_${index}`);
    await systemDb().team.createMany({ data: ids.map((id) => ({ ...team, id, slug: id })) as never });
    const event = await systemDb().event.findUniqueOrThrow({ where: { id: await commitTestEvent(scope) } });
    await systemDb().event.createMany({
      data: ids.flatMap((team_id) =>
        [1n, 2n].map((n) => ({ ...event, id: `evt_${team_id}_${n}`, team_id, sequence: n })),
      ),
    });
    const relay = startEventRelay(ignore, []);
    await relay.run();
    await relay.stop();
    expect(await unrelayed()).toBe(0);
  });

  it('wakes the workers after each batch, not only when everything is relayed', async () => {
    await commitMany(1_000);
    const left: number[] = [];
    const relay = startEventRelay(ignore, [wake(async () => void left.push(await unrelayed()))]);
    await relay.run();
    await relay.stop();
    expect(left.filter((count) => count > 0).length).toBeGreaterThanOrEqual(3);
    expect(left.at(-1)).toBe(0);
  });

  it('wakes each worker even if relaying or waking another worker fails', async () => {
    let woken = 0;
    const relay = startEventRelay(
      () => Promise.reject(new Error('Inngest is away')),
      [
        wake(() => Promise.reject(new Error('the statement timed out'))),
        wake(async () => {
          woken += 1;
        }),
      ],
      60_000,
    );
    await commitTestEvent(scope, 'reservation.signed');
    await commitTestEvent(scope, 'reservation.signed');
    await relay.run().catch(() => {});
    const before = woken;
    expect(before).toBeGreaterThan(0);
    // The relay and the first worker still fail, and the second worker runs anyway.
    await commitTestEvent(scope);
    await relay.run().catch(() => {});
    expect(woken).toBeGreaterThan(before);
    await relay.stop();
  });

  it('retries a failed batch in smaller batches', async () => {
    await untilNoTeamIsActive();
    await commitMany(400);
    await systemDb().event.updateMany({ data: { type: 'reservation.signed' } });
    const sizes: number[] = [];
    const relay = startEventRelay(async (events) => {
      sizes.push(events.length);
      if (events.length > 10) throw new Error('statement timeout');
    }, []);
    await relay.run();
    await relay.stop();
    expect(sizes.slice(0, 3)).toEqual([100, 25, 7]);
    expect(await unrelayed()).toBe(0);
    expect(await listDeadLetters()).toEqual([]);
  });

  it('skips an event that keeps failing, relays the others, and finally moves it to the dead letters', async () => {
    await untilNoTeamIsActive();
    await endpointFor(scope);
    const bad = await commitTestEvent(scope, 'reservation.signed');
    let broken = true;
    const relay = startEventRelay(
      async (events) => {
        if (broken && events.some(({ id }) => id === bad)) throw new Error('Payload too large');
      },
      [],
      1,
    );
    await relay.run();
    for (let index = 0; index < 100 && (await listDeadLetters()).length === 0; index++) {
      const good = await commitTestEvent(scope, 'reservation.signed');
      await relay.run().catch(() => {});
      expect(await systemDb().event.findUnique({ where: { id: good } })).toMatchObject({
        relayed_at: expect.any(Date),
      });
    }
    expect(await listDeadLetters()).toMatchObject([{ id: bad, relay_error: 'Payload too large' }]);
    broken = false;
    await relay.run();
    expect(await unrelayed()).toBe(1);
    expect(await retryDeadLetter(bad)).toBe(true);
    await relay.run();
    expect(await unrelayed()).toBe(0);
    expect(await retryDeadLetter(bad)).toBe(false);
    await relay.stop();
  });

  it('never gives up an event while Inngest is unreachable, however many attempts fail', async () => {
    let away = true;
    const relay = startEventRelay(
      async () => {
        if (away) throw new Error('Inngest is away');
      },
      [],
      60_000,
    );
    for (let index = 0; index < 5; index++) await commitTestEvent(scope, 'reservation.signed');
    await commitTestEvent(scope);
    for (let index = 0; index < 15; index++) await relay.run().catch(() => {});
    expect(await systemDb().event.count({ where: { relay_failures: { gt: 0 } } })).toBe(0);
    // Events that need no Inngest server are relayed in the meantime.
    expect(await unrelayed()).toBe(5);
    away = false;
    await relay.run();
    expect(await unrelayed()).toBe(0);
    await relay.stop();
  });

  it('relays the whole backlog in one pass, even if the first batch contains another team’s events', async () => {
    await commitMany(700);
    await commitTestEvent(await insertTeam('live', 'other@example.com'));
    const relay = startEventRelay(ignore, []);
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
    await commitTestEvent(scope);
    await endpointFor(scope);
    time.advance(10_000);
    await endpointFor(scope);
    await relayEventBatch(ignore);
    setClock(null);
    expect(await deliveries()).toEqual([]);
    expect(await unrelayed()).toBe(0);
  });

  it('publishes only events that functions subscribe to, with their id and without the resource', async () => {
    const published: PublishedEvent[] = [];
    await commitTestEvent(scope, 'property.created');
    const data = { object: { id: 'res_1', guest_name: 'Ada' }, certificate_id: 'sig_1' };
    const signed = await inTransaction(scope, () =>
      recordEvent(scope, { type: 'reservation.signed', object_id: 'prop_1', data }),
    );
    await relayEventBatch(async (events) => void published.push(...events));
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
    ['before an event is published', false],
    ['after an event is published', true],
  ])('neither loses nor duplicates events when it dies %s', async (_name, handed_over) => {
    const endpoint_id = await endpointFor(scope);
    const signed = await commitTestEvent(scope, 'reservation.signed');
    const ids: string[] = [];
    const crash = relayEventBatch(async (events) => {
      if (handed_over) ids.push(...events.map(({ id }) => id));
      throw new Error('killed');
    });
    await expect(crash).rejects.toThrow('killed');
    const [queued] = await deliveries();
    expect(queued).toMatchObject({ endpoint_id, event_id: signed });
    expect(await unrelayed()).toBe(1);
    await relayEventBatch(async (events) => void ids.push(...events.map(({ id }) => id)));
    // Inngest drops the second event with the same id.
    expect(new Set(ids)).toEqual(new Set([signed]));
    expect(await deliveries()).toEqual([queued]);
    expect(await unrelayed()).toBe(0);
  });

  it('does not queue a completed delivery again when it repeats a batch', async () => {
    await endpointFor(scope);
    await commitTestEvent(scope, 'reservation.signed');
    await relayEventBatch(() => Promise.reject(new Error('killed'))).catch(() => {});
    await systemDb().webhookDelivery.updateMany({ data: { status: 'succeeded' } });
    await relayEventBatch(ignore);
    expect(await deliveries()).toMatchObject([{ status: 'succeeded' }]);
  });

  it('queues each delivery once when it runs concurrently', async () => {
    await endpointFor(scope);
    for (let index = 0; index < 20; index++) await commitTestEvent(scope);
    await Promise.all([relayEventBatch(ignore), relayEventBatch(ignore), relayEventBatch(ignore)]);
    expect(await deliveries()).toHaveLength(20);
    expect(await unrelayed()).toBe(0);
  });

  it('runs on its own after commits, in one pass for many commits, and wakes the workers after each pass', async () => {
    let wakes = 0;
    const relay = startEventRelay(ignore, [
      wake(async () => {
        wakes += 1;
      }),
    ]);
    await Promise.all(Array.from({ length: 10 }, () => commitTestEvent(scope)));
    while ((await unrelayed()) > 0) await wait(5);
    await relay.run();
    expect(wakes).toBeGreaterThanOrEqual(1);
    expect(wakes).toBeLessThanOrEqual(11);
    await relay.stop();
    await commitTestEvent(scope);
    notifyEventRelay();
    await wait(30);
    expect(await unrelayed()).toBe(1);
  });

  it('retries on a timer while Inngest is unreachable, and logs the failure once', async () => {
    const lines: string[] = [];
    const error = vi
      .spyOn(logger(), 'error')
      .mockImplementation((...line: unknown[]) => void lines.push(String(line[1])));
    let tries = 0;
    const relay = startEventRelay(
      async () => {
        if (++tries < 4) throw new Error('Inngest is away');
      },
      [],
      20,
    );
    await commitTestEvent(scope, 'reservation.signed');
    const deadline = Date.now() + 5_000;
    while ((await unrelayed()) > 0 && Date.now() < deadline) await wait(5);
    expect(await unrelayed()).toBe(0);
    expect(tries).toBe(4);
    expect(lines).toHaveLength(1);
    await relay.stop();
    error.mockRestore();
  });

  it('retries a failed pass on its timer, not on each further commit', async () => {
    let tries = 0;
    const relay = startEventRelay(
      async () => {
        tries += 1;
        throw new Error('Inngest is away');
      },
      [],
      60_000,
    );
    for (let index = 0; index < 20; index++) {
      await commitTestEvent(scope, 'reservation.signed');
      await wait(10);
    }
    // When a second event fails too, the relay assumes an outage and makes no further attempts.
    expect(tries).toBeLessThanOrEqual(3);
    await relay.stop();
  });

  it('relays pending events in the next pass after a failed one', async () => {
    let broken = true;
    const relay = startEventRelay(async () => {
      if (broken) throw new Error('Inngest is away');
    }, []);
    await commitTestEvent(scope, 'reservation.signed');
    await relay.run().catch(() => {});
    expect(await unrelayed()).toBe(1);
    broken = false;
    await relay.run();
    expect(await unrelayed()).toBe(0);
    await relay.stop();
  });
});
