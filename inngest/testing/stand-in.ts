/**
 * A fake Inngest server. It responds and signs like a real server, and can lose its state. If
 * `drives` is set, it also runs the functions with their triggers, event times, retries and steps,
 * and runs an event id only once in 24 hours. All times come from its own clock, which tests can
 * set wrong.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildInngestFunctionCallRequest, type MemoizedStep, readSdkResponse } from '../engine/protocol';
import { parseDateOrDuration } from '../engine/timing';
import type { EngineEvent } from '../engine/types';

/** Time after which a real server forgets event ids. */
const ID_MEMORY_MS = 24 * 3_600_000;
const MAX_ATTEMPTS = 9;
const BACKOFF_MS = 500;

interface Registered {
  id: string;
  triggers: { event?: string; cron?: string }[];
}

/** A request that the application sent. */
export interface RequestToFakeInngestServer {
  path: string;
  authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the SDK sends.
  body: any;
}

export class FakeInngestServer {
  readonly requests: RequestToFakeInngestServer[] = [];
  /** Number of further requests that get a 502. */
  failing = 0;
  /** Whether the server refuses registrations, like a server with another signing key. */
  refuses_registration = false;
  /** Whether the server accepts events. If false, it refuses them even with the configured key. */
  takes_events = true;
  /**
   * The address at which the application registered its functions. Null before the registration and
   * after the state was lost.
   */
  app_url: string | null = null;
  /** Whether the server runs the functions that its accepted events trigger. */
  drives = false;
  /** Milliseconds by which the server's clock is ahead. */
  skew_ms = 0;
  /** Whether the server's calls reach the application. */
  reaches = true;
  /** The server's calls in order, each with its function id and time. */
  readonly calls: { function_id: string; at: number }[] = [];
  #functions: Registered[] = [];
  readonly #ids = new Map<string, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #server: Server;

  private constructor(public signing_key: string) {
    this.#server = createServer((request, response) => {
      let text = '';
      request.on('data', (part) => {
        text += part;
      });
      request.on('end', () => {
        const [status, body] = this.#answer(request.url ?? '', request.headers.authorization, text);
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      });
    });
  }

  static async start(signing_key: string): Promise<FakeInngestServer> {
    const stand_in = new FakeInngestServer(signing_key);
    stand_in.#server.listen(0, '127.0.0.1');
    await once(stand_in.#server, 'listening');
    return stand_in;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #answer(path: string, authorization: string | undefined, text: string): [number, object] {
    const body = JSON.parse(text || 'null');
    this.requests.push({ path, authorization, body });
    const events = path.startsWith('/e/');
    if (events && !this.takes_events) return [401, { error: 'Event key not found', status: 401 }];
    if (this.failing > 0) {
      this.failing -= 1;
      // A gateway responds like this when its server is unavailable.
      return [502, { message: 'no healthy upstream' }];
    }
    if (events) {
      for (const event of body) this.#take(event);
      return [200, { ids: body.map(() => 'id'), status: 200 }];
    }
    if (this.refuses_registration) return [401, { error: 'Authentication failed', status: 401 }];
    const modified = this.app_url === null;
    this.app_url = body.url;
    this.#functions = body.functions;
    return [200, { ok: true, modified }];
  }

  /**
   * Forgets the application and its requests, like a server that lost its disk. It still accepts
   * events.
   */
  loseState(): void {
    this.app_url = null;
    this.#functions = [];
    this.#ids.clear();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Returns the time by the server's clock. */
  get now(): number {
    return Date.now() + this.skew_ms;
  }

  #take(given: Partial<EngineEvent> & { name: string }): void {
    if (!this.drives || !this.app_url) return;
    const { id } = given;
    const known_at = id ? this.#ids.get(id) : undefined;
    if (known_at !== undefined && this.now - known_at < ID_MEMORY_MS) return;
    if (id) this.#ids.set(id, this.now);
    const event = { id: id ?? randomUUID(), data: {}, ts: this.now, ...given } as EngineEvent;
    for (const { id: function_id, triggers } of this.#functions)
      if (triggers.some((trigger) => trigger.event === event.name))
        this.#later(event.ts - this.now, () => this.#drive(function_id, event, [], 0));
  }

  #later(wait_ms: number, work: () => Promise<void>): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        void work().catch(() => {});
      },
      Math.max(0, wait_ms),
    ).unref();
    this.#timers.add(timer);
  }

  /** Calls the function of a run repeatedly until the run ends, like a real server. */
  async #drive(function_id: string, event: EngineEvent, steps: MemoizedStep[], attempt: number): Promise<void> {
    const retry = (at: number | null) => {
      if (attempt + 1 >= MAX_ATTEMPTS) return;
      this.#later(at === null ? BACKOFF_MS : at - this.now, () => this.#drive(function_id, event, steps, attempt + 1));
    };
    if (!this.app_url || !this.reaches) return retry(null);
    const called = await this.#post(function_id, event, steps, attempt).catch(() => null);
    if (!called) return retry(null);
    const now = new Date(this.now);
    const answer = await readSdkResponse(called, now);
    if (answer.kind === 'completed' || (answer.kind === 'error' && answer.final)) return;
    if (answer.kind === 'error') return retry(answer.retry_at?.getTime() ?? null);
    const [op] = answer.ops;
    if (!op || op.op === 'StepError') return retry(answer.retry_at?.getTime() ?? null);
    const memo = op.op === 'Sleep' ? 'null' : JSON.stringify({ data: op.data ?? null });
    const wait_ms = op.op === 'Sleep' ? parseDateOrDuration(op.name ?? '', now).getTime() - this.now : 0;
    this.#later(wait_ms, () => this.#drive(function_id, event, [...steps, { id: op.id, memo }], 0));
  }

  registrations(): RequestToFakeInngestServer[] {
    return this.requests.filter(({ path }) => path.startsWith('/fn/register'));
  }

  /** Returns the accepted events, except heartbeats. */
  events(): RequestToFakeInngestServer['body'][] {
    const bodies = this.requests.filter(({ path }) => path.startsWith('/e/')).flatMap(({ body }) => body);
    return bodies.filter(({ name }) => name !== 'threshold/heartbeat');
  }

  /** Calls a function with a signature. Returns null when no application is registered. */
  async call(function_id: string, event_name: string, data = {}, serve_url = this.app_url): Promise<Response | null> {
    if (!serve_url) return null;
    return this.#post(function_id, { id: 'e', name: event_name, data, ts: Date.now() }, [], 0, serve_url);
  }

  async #post(
    function_id: string,
    event: EngineEvent,
    steps: readonly MemoizedStep[],
    attempt: number,
    serve_url = this.app_url as string,
  ): Promise<Response> {
    this.calls.push({ function_id, at: Date.now() });
    const signed = buildInngestFunctionCallRequest(
      { serve_url, signing_key: this.signing_key },
      { function_id, run_id: '01HTEST', event, steps, attempt, max_attempts: MAX_ATTEMPTS },
    );
    return fetch(serve_url + new URL(signed.url).search, {
      method: 'POST',
      headers: Object.fromEntries([...signed.headers].filter(([name]) => name !== 'host')),
      body: await signed.text(),
    });
  }

  close(): void {
    this.drives = false;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
