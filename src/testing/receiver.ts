/**
 * A local webhook receiver that behaves as documented for integrators: it first verifies
 * `Service-Signature` on the raw body. Its verification is independent of the product's code, so
 * that a mistake in either is detected.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const REPLAY_WINDOW_S = 300;

export interface ReceivedWebhookEvent {
  readonly id: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type of event has its own shape; tests look at what they assert.
  readonly data: any;
  readonly livemode: boolean;
  readonly sequence: number;
}

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly raw_body: string;
  readonly event: ReceivedWebhookEvent;
  /**
   * Whether the signature is valid for one of the receiver's secrets. Null while the receiver has
   * no secrets.
   */
  readonly verified: boolean | null;
  readonly received_at: Date;
}

export interface WebhookReceiver {
  readonly url: string;
  /** The received deliveries in order of arrival. */
  readonly received: readonly ReceivedWebhook[];
  /** The signing secrets for verification. */
  secrets: string[];
  /** The status to respond with. Default: 200. */
  answer: (received: ReceivedWebhook) => number;
  /** Returns the first matching request, including past requests. Rejects after `timeout_ms`. */
  waitFor(fits: (received: ReceivedWebhook) => boolean, what: string, timeout_ms?: number): Promise<ReceivedWebhook>;
  close(): Promise<void>;
}

/** Implements the specification's "Signature verification", for `now` in Unix seconds. */
export function verifyWebhookSignature(header: string, raw_body: string, secret: string, now_s: number): boolean {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d+$/.test(timestamp) || Math.abs(now_s - Number(timestamp)) > REPLAY_WINDOW_S) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.${raw_body}`).digest();
  return parts
    .filter(([name, value]) => name === 'v1' && /^[0-9a-f]{64}$/.test(value ?? ''))
    .some(([, value]) => timingSafeEqual(Buffer.from(value ?? '', 'hex'), expected));
}

/** Starts a receiver on a free port. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const listeners = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw_body = Buffer.concat(chunks).toString('utf8');
    const header = String(request.headers['service-signature'] ?? '');
    const now_s = Date.now() / 1000;
    const known = receiver.secrets.length > 0;
    const arrival: ReceivedWebhook = {
      headers: request.headers,
      raw_body,
      event: JSON.parse(raw_body),
      verified: known
        ? receiver.secrets.some((secret) => verifyWebhookSignature(header, raw_body, secret, now_s))
        : null,
      received_at: new Date(),
    };
    received.push(arrival);
    response.writeHead(receiver.answer(arrival)).end();
    for (const listener of listeners) listener();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The receiver has no port.');

  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${address.port}/webhooks`,
    received,
    secrets: [],
    answer: () => 200,
    waitFor(fits, what, timeout_ms = 30_000) {
      return new Promise((done, fail) => {
        const look = () => {
          const found = received.find(fits);
          if (!found) return;
          clearTimeout(timer);
          listeners.delete(look);
          done(found);
        };
        const timer = setTimeout(() => {
          listeners.delete(look);
          const seen = received.map(({ event }) => event.type).join(', ') || 'nothing';
          fail(new Error(`${what} did not arrive within ${timeout_ms / 1000} s; arrived: ${seen}`));
        }, timeout_ms);
        listeners.add(look);
        look();
      });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return receiver;
}
