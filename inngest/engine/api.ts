/** Implements the part of an Inngest server's API with which the SDK's client sends events. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { generateUlid } from './ids';
import { areSecretsEqual } from './protocol';
import type { EngineEvent, EngineEventInput, EngineLogger } from './types';

const eventSchema = z.looseObject({
  id: z.string().min(1).max(256).nullish(),
  name: z
    .string()
    .min(1)
    .max(256)
    .refine((name) => !name.startsWith('inngest/'), 'names that begin with inngest/ are reserved'),
  data: z.record(z.string(), z.unknown()).nullish(),
  ts: z.number().int().nonnegative().max(8.64e15).nullish(),
});

const eventsSchema = z.union([z.array(eventSchema), eventSchema.transform((event) => [event])]);

export interface EngineApiDeps {
  event_key: string;
  clock: { now(): Date };
  logger: EngineLogger;
  ingest: (events: EngineEvent[]) => Promise<void>;
}

export class EngineApi {
  readonly #deps: EngineApiDeps;

  constructor(deps: EngineApiDeps) {
    this.#deps = deps;
  }

  /**
   * Stores events. A repeated request has the same `seed` and therefore the same ids. Throws a
   * TypeError for malformed events.
   */
  async send(input: EngineEventInput | readonly EngineEventInput[], seed: string | null = null): Promise<string[]> {
    const parsed = eventsSchema.safeParse(input);
    if (!parsed.success) {
      const issue = parsed.error.issues[0]!;
      throw new TypeError(`Not an event: ${[issue.path.join('.'), issue.message].filter(Boolean).join(': ')}`);
    }
    const now = this.#deps.clock.now();
    const events = parsed.data.map(
      (event, index): EngineEvent => ({
        ...event,
        id: event.id ?? (seed ? seededId(seed, index) : generateUlid(now)),
        data: event.data ?? {},
        ts: event.ts || now.getTime(),
      }),
    );
    if (events.length > 0) await this.#deps.ingest(events);
    return events.map((event) => event.id);
  }

  /** Handles `POST /e/{key}`. Responds with 404 to other requests. */
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const event_key = /\/e\/([^/]+)$/.exec(pathname)?.[1];
    try {
      if (request.method === 'POST' && event_key !== undefined) {
        if (!areSecretsEqual(decodeURIComponent(event_key), this.#deps.event_key))
          return answer(401, { error: 'Event key not found' });
        const ids = await this.send(
          (await request.json()) as EngineEventInput[],
          request.headers.get('x-inngest-event-id-seed'),
        );
        return answer(200, { ids });
      }
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return answer(400, { error: error.message });
      this.#deps.logger.error({ err: error }, 'engine: a request failed');
      return answer(500, { error: 'Internal error' });
    }
    return answer(404, { error: 'Not found' });
  }
}

function answer(status: number, body: object): Response {
  return Response.json({ ...body, status }, { status });
}

function seededId(seed: string, index: number): string {
  return `seed_${createHash('sha256').update(`${seed},${index}`).digest('hex').slice(0, 32)}`;
}
