import { describe, expect, it } from 'vitest';
import { createInterruptibleConnection, FakeClock, waitForDurableRun, waitUntil } from './testing/harness';
import { setUpEngineSuite } from './testing/suite';

const suite = setUpEngineSuite();
const settle = (ms = 100) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a process that dies', () => {
  it('hands its run to another process, which repeats only the interrupted step', async () => {
    const calls: string[] = [];
    let hang = true;
    const fn = suite.client.createFunction({ id: 'f', retries: 0, triggers: [{ event: 'go' }] }, async ({ step }) => {
      await step.run('one', () => calls.push('one'));
      await step.run('two', async () => {
        calls.push('two');
        if (hang) await new Promise(() => {});
      });
      return 'done';
    });
    const dying = createInterruptibleConnection(suite.db);
    const first = await suite.start([fn], { db: dying.db, lease_ms: 1_000, drain_ms: 0 });
    await first.send({ name: 'go' });
    await waitUntil(() => calls.length === 2);
    dying.cut();
    hang = false;
    const second = await suite.start([fn]);
    const run = await waitForDurableRun(second, 'app-f', 'completed');
    expect(run.output).toBe('done');
    expect(calls).toEqual(['one', 'two', 'two']);
  });

  it('is replaced immediately when the new process has exclusive use', async () => {
    let hang = true;
    const calls: number[] = [];
    const fn = suite.client.createFunction({ id: 'f', retries: 0, triggers: [{ event: 'go' }] }, async () => {
      calls.push(1);
      if (hang) await new Promise(() => {});
    });
    const dying = createInterruptibleConnection(suite.db);
    const first = await suite.start([fn], { db: dying.db, drain_ms: 0 });
    await first.send({ name: 'go' });
    await waitUntil(() => calls.length === 1);
    dying.cut();
    hang = false;
    const second = await suite.start([fn], { exclusive: true });
    await waitForDurableRun(second, 'app-f', 'completed');
    expect(calls).toHaveLength(2);
  });

  it('cannot overwrite the result of its successor if it turns out to be alive', async () => {
    const releases: (() => void)[] = [];
    const results: number[] = [];
    const fn = suite.client.createFunction({ id: 'f', retries: 0, triggers: [{ event: 'go' }] }, async ({ step }) => {
      const which = await step.run('slow', async () => {
        const mine = releases.length;
        await new Promise<void>((resolve) => releases.push(resolve));
        return mine;
      });
      results.push(which);
      return which;
    });
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    // The first engine's clock stands still, so its renewals do not extend the lease. The lease
    // expires while the engine works.
    await suite.start([fn], { clock, lease_ms: 60_000 }).then((engine) => engine.send({ name: 'go' }));
    await waitUntil(() => releases.length === 1);
    const later = new FakeClock('2030-01-01T00:02:00Z');
    const second = await suite.start([fn], { clock: later, lease_ms: 60_000 });
    await waitUntil(() => releases.length === 2);
    releases[1]!();
    const run = await waitForDurableRun(second, 'app-f', 'completed');
    releases[0]!();
    await settle();
    expect(run.output).toBe(1);
    expect((await waitForDurableRun(second, 'app-f', 'completed')).output).toBe(1);
    expect(results).toEqual([1]);
  });

  it('fails a run that keeps crashing it', async () => {
    const fn = suite.client.createFunction({ id: 'f', retries: 3, triggers: [{ event: 'go' }] }, () => 'never reached');
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const engine = await suite.start([fn], { clock });
    await engine.send({ name: 'go', ts: clock.now().getTime() + 1_000 });
    await suite.db.execute(
      `UPDATE engine_jobs SET crashes = 20, lease_token = 'dead', lease_until = '2030-01-01T00:00:01Z'`,
      [],
    );
    clock.advance(2_000);
    engine.wake();
    expect((await waitForDurableRun(engine, 'app-f', 'failed')).error?.message).toBe(
      'The process stopped 21 times while this was running',
    );
  });
});

describe('a live process', () => {
  it('renews its lease for as long as a step takes', async () => {
    let calls = 0;
    const fn = suite.client.createFunction({ id: 'f', retries: 0, triggers: [{ event: 'go' }] }, async ({ step }) => {
      await step.run('long', async () => {
        calls++;
        await settle(2_500);
      });
    });
    const options = { lease_ms: 1_000, poll_ms: 20 };
    await suite.start([fn], options);
    const engine = await suite.start([fn], options);
    await engine.send({ name: 'go' });
    await waitForDurableRun(engine, 'app-f', 'completed');
    expect(calls).toBe(1);
  });

  it('finishes the current step on shutdown, and leaves the rest to the next process', async () => {
    const calls: string[] = [];
    const fn = suite.client.createFunction({ id: 'f', retries: 0, triggers: [{ event: 'go' }] }, async ({ step }) => {
      await step.run('one', async () => {
        calls.push('one');
        await settle();
      });
      await step.run('two', () => calls.push('two'));
    });
    const first = await suite.start([fn]);
    await first.send({ name: 'go' });
    await waitUntil(() => calls.length === 1);
    await first.stop();
    expect(calls).toEqual(['one']);
    const second = await suite.start([fn]);
    const run = await waitForDurableRun(second, 'app-f', 'completed');
    expect(calls).toEqual(['one', 'two']);
    expect(run.steps.map((step) => step.status)).toEqual(['done', 'done']);
  });

  it('survives a temporary database outage', async () => {
    let away = false;
    const flaky = {
      ...suite.db,
      query: <T>(sql: string, params: unknown[]) =>
        away ? Promise.reject(new Error('away')) : suite.db.query<T>(sql, params),
    };
    const fn = suite.client.createFunction({ id: 'f', retries: 0, triggers: [{ event: 'go' }] }, () => 'done');
    const engine = await suite.start([fn], { db: flaky, poll_ms: 20 });
    away = true;
    await settle();
    away = false;
    await engine.send({ name: 'go' });
    await waitForDurableRun(engine, 'app-f', 'completed');
  });
});

describe('two processes', () => {
  it('run each job once', async () => {
    const calls = new Map<string, number>();
    const fn = suite.client.createFunction(
      { id: 'f', retries: 0, triggers: [{ event: 'go' }] },
      async ({ event, step }) => {
        const once = (name: string) =>
          step.run(name, () => {
            const key = `${event.data.n} ${name}`;
            calls.set(key, (calls.get(key) ?? 0) + 1);
          });
        for (const name of ['first', 'second', 'third']) await once(name);
      },
    );
    const options = { poll_ms: 5, concurrency: 4 };
    const first = await suite.start([fn], options);
    const second = await suite.start([fn], options);
    const events = Array.from({ length: 30 }, (_, n) => ({ name: 'go', data: { n } }));
    await Promise.all([first.send(events.slice(0, 15)), second.send(events.slice(15))]);
    await waitUntil(async () => (await first.listRuns({ status: 'completed', limit: 50 })).length === 30);
    expect(calls.size).toBe(90);
    expect([...calls.values()].every((count) => count === 1)).toBe(true);
  });

  it.each(['goes on', 'was started again'])(
    'tick a cron on time after the clock was an hour ahead, when the process %s',
    async (process) => {
      const clock = new FakeClock('2030-01-01T00:00:30Z');
      const ticks: string[] = [];
      const fn = suite.client.createFunction(
        { id: 'f', retries: 0, triggers: [{ cron: '* * * * *' }] },
        ({ event }) => {
          ticks.push(new Date(event.ts!).toISOString().slice(11, 16));
        },
      );
      let engine = await suite.start([fn], { clock });
      const minute = async (time: string) => {
        clock.set(`2030-01-01T${time}:30Z`);
        const before = ticks.length;
        engine.wake();
        // A tick for 00:02 may or may not occur, so the test does not wait for one.
        if (time === '00:02') await settle();
        else await waitUntil(() => ticks.length > before);
        // All runs must end before the clock changes by an hour. Otherwise their leases would
        // expire and they would be repeated.
        await waitUntil(async () => {
          const [row] = await suite.db.query<{ open: number }>(
            `SELECT count(*)::int AS open FROM engine_runs WHERE status NOT IN ('completed', 'failed', 'cancelled')`,
            [],
          );
          return row?.open === 0;
        });
      };
      await minute('00:01');
      await minute('01:01');
      await minute('01:02');
      if (process === 'was started again') {
        await engine.stop();
        clock.set('2030-01-01T00:02:10Z');
        engine = await suite.start([fn], { clock });
      }
      await minute('00:02');
      await minute('00:03');
      await minute('00:04');
      await minute('01:02');
      await waitUntil(() => ticks.length >= 6);
      expect(ticks.slice(0, 3)).toEqual(['00:01', '01:01', '01:02']);
      expect(ticks.slice(3).filter((tick) => tick !== '00:02')).toEqual(['00:03', '00:04', '01:02']);
    },
  );

  it('one takes over a dead process’s job immediately, but not a live one’s', async () => {
    const calls: string[] = [];
    const started = new Map<string, () => void>();
    const fn = suite.client.createFunction({ id: 'f', retries: 0, triggers: [{ event: 'go' }] }, async ({ event }) => {
      const name = String(event.data.name);
      calls.push(name);
      if (!started.has(name)) await new Promise<void>((resolve) => started.set(name, resolve));
    });
    const dying = createInterruptibleConnection(suite.db);
    const first = await suite.start([fn], { db: dying.db, holder: 'first', drain_ms: 0 });
    await first.send({ name: 'go', data: { name: 'of the first' } });
    await waitUntil(() => calls.length === 1);
    dying.cut();
    const third = await suite.start([fn], { holder: 'third', drain_ms: 0 });
    await third.send({ name: 'go', data: { name: 'of the third' } });
    await waitUntil(() => calls.length === 2);
    const second = await suite.start([fn], { holder: 'second' });
    await second.endLeasesOf(['first']);
    await waitUntil(() => calls.length === 3);
    await settle();
    expect(calls).toEqual(['of the first', 'of the third', 'of the first']);
    for (const end of started.values()) end();
  });

  it('one immediately takes over a job that the other was executing when it stopped', async () => {
    const calls: string[] = [];
    const ends: (() => void)[] = [];
    const fn = suite.client.createFunction({ id: 'f', retries: 0, triggers: [{ event: 'go' }] }, async () => {
      calls.push('begun');
      if (calls.length === 1) await new Promise<void>((end) => ends.push(end));
      return calls.length;
    });
    const first = await suite.start([fn], { drain_ms: 20, lease_ms: 600_000 });
    const second = await suite.start([fn], { lease_ms: 600_000 });
    await first.send({ name: 'go' });
    await waitUntil(() => calls.length === 1);
    // Either of the two engines may hold the job.
    await Promise.all([first.stop(), suite.start([fn], { drain_ms: 20 }), second.stop()]);
    await waitUntil(() => calls.length === 2);
    for (const end of ends) end();
    const [run] = await waitUntil(async () => {
      const runs = await second.listRuns({ limit: 1 });
      return runs[0]?.status === 'completed' && runs;
    });
    expect(run).toMatchObject({ output: 2 });
  });

  it('tick a cron once a minute, and catch up with one tick after a downtime', async () => {
    const clock = new FakeClock('2030-01-01T00:00:30Z');
    const ticks: string[] = [];
    const fn = suite.client.createFunction(
      { id: 'f', retries: 0, triggers: [{ cron: '*/2 * * * *' }] },
      ({ event }) => {
        ticks.push(new Date(event.ts!).toISOString());
      },
    );
    const engines = [await suite.start([fn], { clock }), await suite.start([fn], { clock })];
    const wake = async () => {
      for (const engine of engines) engine.wake();
      await settle();
    };
    await wake();
    expect(ticks).toEqual([]);
    for (let i = 0; i < 16; i++) {
      clock.advance(15_000);
      await wake();
    }
    await waitUntil(() => ticks.length === 2);
    expect(ticks).toEqual(['2030-01-01T00:02:00.000Z', '2030-01-01T00:04:00.000Z']);
    await Promise.all(engines.splice(0).map((engine) => engine.stop()));
    clock.advance(3_600_000);
    engines.push(await suite.start([fn], { clock }));
    await waitUntil(() => ticks.length === 3);
    await wake();
    expect(ticks.slice(2)).toEqual(['2030-01-01T01:04:00.000Z']);
  });

  it('together respect a concurrency limit, also per key', async () => {
    let busy = 0;
    let most = 0;
    const busy_keys: unknown[] = [];
    let clash = false;
    const fn = suite.client.createFunction(
      {
        id: 'f',
        retries: 0,
        triggers: [{ event: 'go' }],
        concurrency: [{ limit: 3 }, { limit: 1, key: 'event.data.endpoint' }],
      },
      async ({ event }) => {
        clash ||= busy_keys.includes(event.data.endpoint);
        busy_keys.push(event.data.endpoint);
        most = Math.max(most, ++busy);
        await settle(10);
        busy--;
        busy_keys.splice(busy_keys.indexOf(event.data.endpoint), 1);
      },
    );
    const first = await suite.start([fn]);
    await suite.start([fn]);
    await first.send(Array.from({ length: 40 }, (_, n) => ({ name: 'go', data: { endpoint: n % 8 } })));
    await waitUntil(async () => (await first.listRuns({ status: 'completed', limit: 50 })).length === 40, 25_000);
    expect([most, clash]).toEqual([3, false]);
  });

  it('a key with a long queue does not delay another key', async () => {
    const order: unknown[] = [];
    const fn = suite.client.createFunction(
      { id: 'f', retries: 0, triggers: [{ event: 'go' }], concurrency: { limit: 1, key: 'event.data.endpoint' } },
      async ({ event }) => {
        await settle(event.data.endpoint === 'dead' ? 600 : 0);
        order.push(event.data.endpoint);
      },
    );
    const engine = await suite.start([fn], { concurrency: 4 });
    await engine.send([
      ...Array.from({ length: 6 }, () => ({ name: 'go', data: { endpoint: 'dead' } })),
      { name: 'go', data: { endpoint: 'well' } },
    ]);
    await waitUntil(() => order.length > 0);
    expect(order[0]).toBe('well');
  });
});

describe('retention', () => {
  it('deletes runs that ended long ago and keeps unfinished ones', async () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const fn = suite.client.createFunction(
      { id: 'f', retries: 0, triggers: [{ event: 'go' }, { cron: '0 0 * * *' }] },
      async ({ event, step }) => {
        if (event.name === 'go' && event.data.sleep) await step.sleep('long', '400d');
        return step.run('a', () => 1);
      },
    );
    const engine = await suite.start([fn], { clock });
    await engine.send([{ name: 'go' }, { name: 'go', data: { sleep: true } }]);
    await waitUntil(async () => (await engine.listRuns({ status: 'completed', limit: 9 })).length === 1);
    for (let day = 0; day < 2; day++) {
      clock.advance(86_400_000);
      engine.wake();
      await waitUntil(async () => (await engine.listRuns({ status: 'completed', limit: 9 })).length === 2 + day);
    }
    expect(await engine.prune(new Date('2030-01-02T12:00:00Z'))).toEqual({ runs: 2, events: 2 });
    const left = await engine.listRuns({ limit: 9 });
    expect(left.map((run) => run.status)).toEqual(['running', 'completed']);
    const count = async (table: string) =>
      (await suite.db.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`, []))[0]?.n;
    expect(await Promise.all(['engine_steps', 'engine_cron_ticks', 'engine_jobs'].map(count))).toEqual([2, 1, 1]);
  });
});
