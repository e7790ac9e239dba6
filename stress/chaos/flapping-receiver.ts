/**
 * A webhook receiver that fails in many ways, records every request body and stops failing at the
 * end.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@/testing/random';
import { verifyWebhookSignature } from '@/testing/receiver';

export interface ReceivedWebhookDelivery {
  event_id: string;
  delivery_id: string;
  attempt: number;
  body: string;
  verified: boolean;
  /**
   * Whether the receiver answered with 2xx. The sender may have been killed before it read the
   * answer.
   */
  accepted: boolean;
}

export interface FlappingReceiver {
  readonly name: string;
  readonly url: string;
  readonly arrivals: readonly ReceivedWebhookDelivery[];
  secret: string;
  /** The value of performance.now() at the last request. */
  readonly last_at: number;
  /** Makes the receiver answer every further request with 200. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

export interface FlappingReceiverBehavior {
  /** The share of requests that fail outside of outages. */
  failing: number;
  /** Whether the receiver has outages, during which nothing listens on its port. */
  outages: boolean;
  /** The longest time in milliseconds for which a request stays unanswered. */
  hang_ms: number;
}

/** Starts a receiver. It fails in various ways until `recover` is called. */
export async function startFlappingReceiver(
  name: string,
  random: Random,
  temper: FlappingReceiverBehavior,
): Promise<FlappingReceiver> {
  const arrivals: ReceivedWebhookDelivery[] = [];
  const sockets = new Set<Socket>();
  let calm = temper.failing === 0 && !temper.outages;
  let last_at = performance.now();

  const server: Server = createServer(async (request, response) => {
    response.on('error', () => {});
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // The sender was killed during the request.
    }
    last_at = performance.now();
    const body = Buffer.concat(chunks).toString('utf8');
    const header = (field: string) => String(request.headers[field] ?? '');
    const failure = !calm && random.chance(temper.failing) ? random.pick(['500', 'hang', 'reset', '302']) : null;
    arrivals.push({
      event_id: header('service-event-id'),
      delivery_id: header('service-delivery-id'),
      attempt: Number(header('service-attempt')),
      body,
      verified: verifyWebhookSignature(header('service-signature'), body, receiver.secret, Date.now() / 1000),
      accepted: failure === null,
    });
    await sleep(random.between(0, 60));
    if (failure === 'hang') await sleep(random.between(temper.hang_ms / 2, temper.hang_ms));
    if (failure === 'hang' || failure === 'reset') request.socket.destroy();
    else if (failure === '302') response.writeHead(302, { Location: receiver.url }).end();
    else response.writeHead(failure === null ? 200 : 500).end(failure ?? 'thanks');
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The receiver has no port.');

  async function goAway(): Promise<void> {
    const closed = new Promise((done) => server.close(done));
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  async function comeBack(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  async function comeAndGo(port: number): Promise<void> {
    while (!calm) {
      await sleep(random.between(500, 2_500));
      if (calm) return;
      await goAway();
      await sleep(random.between(300, 1_500));
      await comeBack(port);
    }
  }

  const receiver: FlappingReceiver = {
    name,
    url: `http://127.0.0.1:${address.port}/${name}`,
    arrivals,
    secret: '',
    get last_at() {
      return last_at;
    },
    async recover() {
      calm = true;
      await coming_and_going;
    },
    async close() {
      calm = true;
      await coming_and_going;
      await goAway();
    },
  };
  const coming_and_going = temper.outages ? comeAndGo(address.port) : Promise.resolve();
  return receiver;
}
