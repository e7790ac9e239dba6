/**
 * The embedded Inngest engine. It claims due jobs, renews their leases, starts cron runs and stores
 * events. README.md lists the supported parts of the protocol.
 */

import { batchCalls } from '@/infra/db/batch-calls';
import type { DurableRun, DurableRunQuery } from '@/infra/durable-runs';
import { EngineApi } from './api';
import { EngineConfigError, parseFunctionConfigs, type RegisteredFunction } from './config';
import { executeJob } from './executor';
import { buildInngestFunctionConfigRequest } from './protocol';
import { type ClaimedJob, claimJobs, expireJobLeases, hasDueJobs, renewJobLeases } from './store/claim';
import { type CronTickProgress, enqueueDueCronRuns, ingestEvents } from './store/ingest';
import { listRuns, pruneEndedRuns, retryRun, saveRegisteredFunctions } from './store/operations';
import { type CompletedStep, type EndedRun, finishRuns, recordCompletedSteps, releaseJobLease } from './store/progress';
import { cancelUnfinishedRuns } from './store/runs';
import { computeBackoffMs } from './timing';
import type { EngineEvent, EngineEventInput, EngineOptions } from './types';

const MAX_KNOWN_TIMES = 1_000;
/** Delay after which a single claim fills all slots that became free in the meantime. */
const REFILL_MS = 5;

export class Engine {
  readonly #options: Required<EngineOptions>;
  readonly #api: EngineApi;
  #functions = new Map<string, RegisteredFunction>();
  #crons: CronTickProgress[] = [];
  readonly #in_flight = new Map<ClaimedJob, Promise<void>>();
  #state: 'new' | 'running' | 'stopping' | 'stopped' = 'new';
  #pumping: Promise<void> | null = null;
  #again = false;
  readonly #record = batchCalls((done: CompletedStep[]) =>
    recordCompletedSteps(this.#options.db, done, this.#options.clock.now()),
  );
  readonly #finish = batchCalls((ended: EndedRun[]) => finishRuns(this.#options.db, ended, this.#options.clock.now()));
  /**
   * True when only the poll woke the engine. A poll rarely finds work, so the engine first checks
   * whether any is due. This check is cheaper than a claim.
   */
  #polled = false;
  #timer: NodeJS.Timeout | undefined;
  #refill: NodeJS.Timeout | undefined;
  /** Number of running jobs after the last claim. */
  #filled = 0;
  #renewal: NodeJS.Timeout | undefined;
  /**
   * Times at which work becomes due, as far as this process knows, in ascending order. The engine
   * wakes at these times without waiting for the next poll.
   */
  #known_times: number[] = [];

  constructor(options: EngineOptions) {
    this.#options = {
      concurrency: 16,
      poll_ms: 1_000,
      lease_ms: 30_000,
      call_timeout_ms: 900_000,
      drain_ms: 10_000,
      exclusive: false,
      holder: '',
      backoff: (failed_attempts) => computeBackoffMs(failed_attempts, Math.random()),
      ...options,
    };
    this.#api = new EngineApi({
      event_key: options.event_key,
      clock: options.clock,
      logger: options.logger,
      ingest: (events) => this.#ingest(events),
    });
  }

  /**
   * Registers the handler's functions and starts working. Throws EngineConfigError when a function
   * uses an unsupported setting. Throws an Error when the handler rejects the signing key.
   */
  async start(): Promise<void> {
    if (this.#state !== 'new') throw new Error('An engine is started once');
    const response = await this.#options.handler(buildInngestFunctionConfigRequest(this.#options));
    const body = (await response.json()) as { functions?: unknown[]; message?: string };
    if (response.status !== 200 || !Array.isArray(body.functions)) {
      throw new Error(`The functions could not be registered: ${response.status} ${body.message ?? ''}`.trim());
    }
    await this.#register(body.functions);
    if (this.#options.exclusive) await expireJobLeases(this.#options.db, null, this.#options.clock.now());
    this.#state = 'running';
    this.#renewal = setInterval(() => void this.#renew(), this.#options.lease_ms / 3);
    this.#renewal.unref();
    this.wake();
  }

  /**
   * Stops claiming jobs and waits at most `drain_ms` for running ones. Another process, or the next
   * start, repeats interrupted jobs.
   */
  async stop(): Promise<void> {
    if (this.#state !== 'running') {
      this.#state = 'stopped';
      return;
    }
    this.#state = 'stopping';
    clearTimeout(this.#timer);
    clearTimeout(this.#refill);
    await this.#pumping;
    let limit: NodeJS.Timeout | undefined;
    await Promise.race([
      Promise.allSettled(this.#in_flight.values()),
      new Promise<void>((resolve) => {
        limit = setTimeout(resolve, this.#options.drain_ms);
      }),
    ]);
    clearTimeout(limit);
    clearInterval(this.#renewal);
    // Releases interrupted jobs at once. Results that they report later are ignored.
    await Promise.allSettled([...this.#in_flight.keys()].map((job) => releaseJobLease(this.#options.db, job)));
    this.#state = 'stopped';
  }

  /** Releases the jobs of dead processes, which are identified by `options.holder`. */
  async endLeasesOf(holders: readonly string[]): Promise<void> {
    await expireJobLeases(this.#options.db, holders, this.#options.clock.now());
    this.wake();
  }

  /**
   * Checks for work at once. Frequent calls are cheap. Does nothing while the engine is not
   * running.
   */
  wake(): void {
    if (this.#state !== 'running') return;
    this.#again = true;
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = null;
      // Handles calls of wake() that arrived after the last check began.
      if (this.#again) this.wake();
    });
  }

  /**
   * Stores events and returns their ids. Once this resolves, the events are stored and the
   * functions that they trigger are queued. An event with a known id has no effect. If an event is
   * malformed, throws a TypeError and stores none.
   */
  send(events: EngineEventInput | readonly EngineEventInput[]): Promise<string[]> {
    return this.#api.send(events);
  }

  /**
   * Handles requests that the SDK sends to an Inngest server: `POST /e/{key}`. Used as the client's
   * `fetch`.
   */
  fetch = (request: Request): Promise<Response> => this.#api.fetch(request);

  /**
   * Lists runs with their steps, successful ones last. For the next page, pass the last id as
   * `before`. For the previous page, pass the first id as `after`.
   */
  listRuns(input: DurableRunQuery): Promise<DurableRun[]> {
    return listRuns(this.#options.db, input, this.#options.clock.now());
  }

  /** Returns a run with its steps. Returns null when no run has the id. */
  async retrieveRun(run_id: string): Promise<DurableRun | null> {
    const [run] = await listRuns(this.#options.db, { run_id, limit: 1 }, this.#options.clock.now());
    return run ?? null;
  }

  /**
   * Restarts a failed run and keeps its completed steps. Returns false when no failed run has the
   * id.
   */
  async retryRun(run_id: string): Promise<boolean> {
    const revived = await this.#options.db.transaction((tx) => retryRun(tx, run_id, this.#options.clock.now()));
    this.wake();
    return revived;
  }

  /** Cancels an unfinished run. Returns false when no unfinished run has the id. */
  async cancelRun(run_id: string): Promise<boolean> {
    const cancelled = await this.#options.db.transaction((tx) =>
      cancelUnfinishedRuns(tx, [run_id], this.#options.clock.now()),
    );
    this.wake();
    return cancelled > 0;
  }

  /**
   * Removes runs that finished, and events that arrived, before a moment. The removed event ids can
   * then be used again.
   */
  prune(older_than: Date): Promise<{ runs: number; events: number }> {
    return pruneEndedRuns(this.#options.db, older_than);
  }

  functions(): readonly RegisteredFunction[] {
    return [...this.#functions.values()];
  }

  async #ingest(events: EngineEvent[]): Promise<void> {
    const { db, clock } = this.#options;
    await db.transaction((tx) => ingestEvents(tx, this.#functions, events, clock.now()));
    const now = clock.now().getTime();
    for (const event of events) if (event.ts > now) this.#due(new Date(event.ts));
    this.wake();
  }

  async #register(configs: readonly unknown[]): Promise<void> {
    const functions = parseFunctionConfigs(configs);
    if (functions.length === 0) throw new EngineConfigError('No functions were registered');
    const { db, clock } = this.#options;
    const after = await saveRegisteredFunctions(
      db,
      functions.map((fn, index) => ({ fn, config: configs[index] })),
      clock.now(),
    );
    this.#functions = new Map(functions.map((fn) => [fn.id, fn]));
    this.#crons = functions
      .filter((fn) => fn.crons.length > 0)
      .map((fn) => ({ fn, after: after.get(fn.id) ?? clock.now() }));
    this.#options.logger.debug({ functions: functions.map((fn) => fn.id) }, 'engine: functions registered');
  }

  async #pump(): Promise<void> {
    const { db, clock, logger, concurrency, lease_ms, poll_ms, holder } = this.#options;
    clearTimeout(this.#timer);
    let wait_ms = poll_ms;
    let looked_at = 0;
    try {
      while (this.#again && this.#state === 'running') {
        this.#again = false;
        const polled = this.#polled;
        this.#polled = false;
        const now = clock.now();
        looked_at = now.getTime();
        await enqueueDueCronRuns(db, this.#crons, now);
        const slots = concurrency - this.#in_flight.size;
        // When a running job ends, it wakes the engine again.
        if (slots <= 0) break;
        if (polled && !(await hasDueJobs(db, this.#functions, now))) continue;
        const jobs = await claimJobs(db, this.#functions, slots, lease_ms, now, holder);
        for (const job of jobs) {
          this.#work(job);
          // Schedules a check for the time at which runs that the throttle delayed may start.
          const throttle = this.#functions.get(job.function_id)?.throttle;
          if (throttle) this.#due(new Date(now.getTime() + throttle.period_ms));
        }
        this.#filled = this.#in_flight.size;
      }
      wait_ms = Math.min(poll_ms, this.#untilNextKnownTime(looked_at));
    } catch (error) {
      logger.error({ err: error }, 'engine: looking for work failed');
    }
    if (this.#state === 'running') {
      this.#timer = setTimeout(() => {
        this.#polled = true;
        this.wake();
      }, wait_ms);
      this.#timer.unref();
    }
  }

  #work(job: ClaimedJob): void {
    const work = executeJob(
      {
        ...this.#options,
        functions: this.#functions,
        record: this.#record,
        finish: this.#finish,
        due: (run_at) => this.#due(run_at),
        stopping: () => this.#state !== 'running',
      },
      job,
    ).finally(() => {
      this.#in_flight.delete(job);
      this.#slotFreed();
    });
    this.#in_flight.set(job, work);
  }

  /**
   * Claims again once half of the claimed jobs have ended, or after a short delay. A claim for each
   * free slot would be too expensive.
   */
  #slotFreed(): void {
    if (this.#in_flight.size <= this.#filled / 2) {
      this.wake();
      return;
    }
    this.#refill ??= setTimeout(() => {
      this.#refill = undefined;
      this.wake();
    }, REFILL_MS);
  }

  #due(run_at: Date): void {
    const time = run_at.getTime();
    if (time <= this.#options.clock.now().getTime()) {
      this.wake();
      return;
    }
    const index = this.#known_times.findIndex((known) => known >= time);
    if (index >= 0 && this.#known_times[index] === time) return;
    this.#known_times.splice(index < 0 ? this.#known_times.length : index, 0, time);
    // The regular poll finds work at the times that are dropped here.
    this.#known_times.length = Math.min(this.#known_times.length, MAX_KNOWN_TIMES);
  }

  /**
   * Returns the delay until the next known time. Measures it from the start of the last check,
   * because that check may have missed work that became due while its queries ran.
   */
  #untilNextKnownTime(looked_at: number): number {
    while (this.#known_times.length > 0 && this.#known_times[0]! <= looked_at) this.#known_times.shift();
    const next_minute = this.#crons.length > 0 ? looked_at - (looked_at % 60_000) + 60_000 : Number.POSITIVE_INFINITY;
    const next = Math.min(this.#known_times[0] ?? Number.POSITIVE_INFINITY, next_minute);
    return Math.max(0, next - this.#options.clock.now().getTime());
  }

  async #renew(): Promise<void> {
    if (this.#in_flight.size === 0) return;
    const { db, lease_ms, clock, logger } = this.#options;
    try {
      await renewJobLeases(db, [...this.#in_flight.keys()], lease_ms, clock.now());
    } catch (error) {
      logger.error({ err: error }, 'engine: leases could not be renewed');
    }
  }
}
