/** Stands in for an Inngest server: answers and signs as a real one does, and can lose its state. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callRequest } from '../engine/protocol';

/** What the application asked for. */
export interface Heard {
  path: string;
  authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the SDK sends.
  body: any;
}

export class InngestStandIn {
  readonly heard: Heard[] = [];
  /** Answers with 502 this many times before it works. */
  failing = 0;
  /** Whether events of the configured key are taken. */
  takes_events = true;
  /** The address at which the application said its functions are; null before it did, and when that was forgotten. */
  app_url: string | null = null;
  readonly #server: Server;

  private constructor(readonly signing_key: string) {
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

  static async start(signing_key: string): Promise<InngestStandIn> {
    const stand_in = new InngestStandIn(signing_key);
    stand_in.#server.listen(0, '127.0.0.1');
    await once(stand_in.#server, 'listening');
    return stand_in;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #answer(path: string, authorization: string | undefined, text: string): [number, object] {
    const body = JSON.parse(text || 'null');
    this.heard.push({ path, authorization, body });
    const events = path.startsWith('/e/');
    if (events && !this.takes_events) return [401, { error: 'Event key not found', status: 401 }];
    if (this.failing > 0) {
      this.failing -= 1;
      // As a gateway says it whose server is away.
      return [502, { message: 'no healthy upstream' }];
    }
    if (events) return [200, { ids: body.map(() => 'id'), status: 200 }];
    this.app_url = body.url;
    return [200, { ok: true, modified: true }];
  }

  /** Forgets the application, as a server does whose disk was lost. Events it takes all the same. */
  loseState(): void {
    this.app_url = null;
  }

  registrations(): Heard[] {
    return this.heard.filter(({ path }) => path.startsWith('/fn/register'));
  }

  /** The events it took, but for the one that proves the key. */
  events(): Heard['body'][] {
    const bodies = this.heard.filter(({ path }) => path.startsWith('/e/')).flatMap(({ body }) => body);
    return bodies.filter(({ name }) => name !== 'threshold/registered');
  }

  /** Calls a function, signed; what it does not know it cannot call. */
  async call(function_id: string, event_name: string, data = {}, serve_url = this.app_url): Promise<Response | null> {
    if (!serve_url) return null;
    const event = { id: 'e', name: event_name, data, ts: Date.now() };
    const signed = callRequest(
      { serve_url, signing_key: this.signing_key },
      { function_id, run_id: '01HTEST', event, steps: [], attempt: 0, max_attempts: 4 },
    );
    return fetch(serve_url + new URL(signed.url).search, {
      method: 'POST',
      headers: Object.fromEntries([...signed.headers].filter(([name]) => name !== 'host')),
      body: await signed.text(),
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
