/**
 * The embedded Inngest engine: claims due jobs, keeps their leases, ticks the crons, takes in events.
 * What it covers of the protocol is in README.md.
 */

import { together } from '@/infra/db/together';
import { EngineApi } from './api';
import { EngineConfigError, parseFunctions, type RegisteredFunction } from './config';
import { executeJob } from './executor';
import { syncRequest } from './protocol';
import { type ClaimedJob, claimJobs, endLeases, isAnythingDue, renewLeases } from './store/claim';
import { type CronState, ingestEvents, tickCrons } from './store/ingest';
import { listRuns, prune, retryRun, saveFunctions } from './store/operations';
import { type DoneStep, type EndedRun, finishRuns, recordSteps, releaseJob } from './store/progress';
import { cancelRuns } from './store/runs';
import { backoffMs } from './timing';
import type { EngineEvent, EngineOptions, EventInput, ListRunsInput, RunView } from './types';

const MAX_KNOWN_TIMES = 1_000;
/** How long a free slot may stay free so that several are filled by one claim. */
const REFILL_MS = 5;

export class Engine {
  readonly #options: Required<EngineOptions>;
  readonly #api: EngineApi;
  #functions = new Map<string, RegisteredFunction>();
  #crons: CronState[] = [];
  readonly #in_flight = new Map<ClaimedJob, Promise<void>>();
  #state: 'new' | 'running' | 'stopping' | 'stopped' = 'new';
  #pumping: Promise<void> | null = null;
  #again = false;
  readonly #record = together((done: DoneStep[]) => recordSteps(this.#options.db, done, this.#options.clock.now()));
  readonly #finish = together((ended: EndedRun[]) => finishRuns(this.#options.db, ended, this.#options.clock.now()));
  /** Woken by the poll alone: most of the time it finds nothing, and a claim costs more than a look. */
  #polled = false;
  #timer: NodeJS.Timeout | undefined;
  #refill: NodeJS.Timeout | undefined;
  /** How many jobs were in flight after the last claim. */
  #filled = 0;
  #renewal: NodeJS.Timeout | undefined;
  /** Future times at which this process knows something to be due, ascending: saves waiting for the next poll. */
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
      backoff: (failed_attempts) => backoffMs(failed_attempts, Math.random()),
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
   * Registers the functions of the handler and begins to work. Throws EngineConfigError when a function asks for
   * something the engine does not support, and an Error when the handler does not accept the signing key.
   */
  async start(): Promise<void> {
    if (this.#state !== 'new') throw new Error('An engine is started once');
    const response = await this.#options.handler(syncRequest(this.#options));
    const body = (await response.json()) as { functions?: unknown[]; message?: string };
    if (response.status !== 200 || !Array.isArray(body.functions)) {
      throw new Error(`The functions could not be registered: ${response.status} ${body.message ?? ''}`.trim());
    }
    await this.#register(body.functions);
    if (this.#options.exclusive) await endLeases(this.#options.db, null, this.#options.clock.now());
    this.#state = 'running';
    this.#renewal = setInterval(() => void this.#renew(), this.#options.lease_ms / 3);
    this.#renewal.unref();
    this.wake();
  }

  /** Stops taking work and waits, at most `drain_ms`, for what is in flight. What is cut off is done again, by another process or at the next start. */
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
    // What is cut off is another's, or the next start's, at once; what it still comes to is not ours to write any more.
    await Promise.allSettled([...this.#in_flight.keys()].map((job) => releaseJob(this.#options.db, job)));
    this.#state = 'stopped';
  }

  /** Takes what processes had in hand that have died (options.holder). */
  async endLeasesOf(holders: readonly string[]): Promise<void> {
    await endLeases(this.#options.db, holders, this.#options.clock.now());
    this.wake();
  }

  /** Looks for work at once. Cheap to call often; does nothing while the engine is not running. */
  wake(): void {
    if (this.#state !== 'running') return;
    this.#again = true;
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = null;
      // What was asked for between the last look and this line.
      if (this.#again) this.wake();
    });
  }

  /**
   * Takes in events and returns their ids. They are stored, and what they trigger is queued, when this resolves; an
   * event whose id is known causes nothing. Throws a TypeError for what is not an event, and then takes in none.
   */
  send(events: EventInput | readonly EventInput[]): Promise<string[]> {
    return this.#api.send(events);
  }

  /** Answers the SDK's requests to an Inngest server: `POST /e/{key}`. For the client's `fetch`. */
  fetch = (request: Request): Promise<Response> => this.#api.fetch(request);

  /** Runs with their steps, those that have ended well last; page with `before` = the last id, or back with `after` = the first. */
  listRuns(input: ListRunsInput): Promise<RunView[]> {
    return listRuns(this.#options.db, input, this.#options.clock.now());
  }

  /** One run with its steps; null when there is none of that id. */
  async retrieveRun(run_id: string): Promise<RunView | null> {
    const [run] = await listRuns(this.#options.db, { run_id, limit: 1 }, this.#options.clock.now());
    return run ?? null;
  }

  /** Sets a failed run going again, keeping the steps that were done. False when there is no failed run of that id. */
  async retryRun(run_id: string): Promise<boolean> {
    const revived = await this.#options.db.transaction((tx) => retryRun(tx, run_id, this.#options.clock.now()));
    this.wake();
    return revived;
  }

  /** Cancels an unfinished run. False when there is none of that id. */
  async cancelRun(run_id: string): Promise<boolean> {
    const cancelled = await this.#options.db.transaction((tx) => cancelRuns(tx, [run_id], this.#options.clock.now()));
    this.wake();
    return cancelled > 0;
  }

  /** Removes finished runs and events from before a moment. Event ids are forgotten with them. */
  prune(older_than: Date): Promise<{ runs: number; events: number }> {
    return prune(this.#options.db, older_than);
  }

  /** The functions as registered. */
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
    const functions = parseFunctions(configs);
    if (functions.length === 0) throw new EngineConfigError('No functions were registered');
    const { db, clock } = this.#options;
    const after = await saveFunctions(
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
        await tickCrons(db, this.#crons, now);
        const slots = concurrency - this.#in_flight.size;
        // Every job that ends wakes the engine again.
        if (slots <= 0) break;
        if (polled && !(await isAnythingDue(db, this.#functions, now))) continue;
        const jobs = await claimJobs(db, this.#functions, slots, lease_ms, now, holder);
        for (const job of jobs) {
          this.#work(job);
          // What the throttle holds back may begin then.
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

  /** Claims again once half of what was claimed is done, or soon: a claim for each single slot would cost the most. */
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
    // Later ones are found by polling.
    this.#known_times.length = Math.min(this.#known_times.length, MAX_KNOWN_TIMES);
  }

  /** Counted from the last look: what fell due while the database was being asked has not been looked at. */
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
      await renewLeases(db, [...this.#in_flight.keys()], lease_ms, clock.now());
    } catch (error) {
      logger.error({ err: error }, 'engine: leases could not be renewed');
    }
  }
}
