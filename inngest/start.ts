/**
 * Starts the durable work of a process: the relay that follows commits, and either the embedded engine or, with the
 * `INNGEST_*` variables set, the functions served to a real Inngest server.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve as serveFetch } from 'inngest/edge';
import { serve as serveNode } from 'inngest/node';
import { config } from '@/config';
import { type Publish, type Relay, startRelay } from '@/events/relay';
import { database, systemDb } from '@/infra/db/client';
import { setRunControl } from '@/infra/durable-runs';
import { logger } from '@/infra/logger';
import { closeOutboundConnections } from '@/infra/outbound/client';
import { freeHeldMail } from '@/modules/mail/delivery';
import { freeHeldSources } from '@/modules/sync-sources/run/sweep';
import { freeHeldDeliveries, stopDeliveryWorker } from '@/modules/webhooks/delivery/delivery';
import { clock } from '@/shared/clock';
import { embeddedClient, embeddedKeys, type InngestClient, serverClient } from './client';
import { Engine } from './engine/engine';
import { prismaDb } from './engine/prisma-db';
import { createFunctions } from './functions/all';
import { createWaker, type WakeEvent, type Waker } from './wake';

const REGISTER_AGAIN_MS = 5_000;

type Functions = ReturnType<typeof createFunctions>;

export interface DurableWork {
  /** Answers /api/inngest. */
  handler(request: IncomingMessage, response: ServerResponse): void | Promise<void>;
  stop(): Promise<void>;
  /** The embedded engine, for the operator's page; null with a real Inngest server. */
  readonly engine: Engine | null;
  /** Relays what waits and wakes the workers at once; for tests. */
  readonly relay: Relay;
}

/** Starts it. The database must be open and the secret known. */
export async function startDurableWork(): Promise<DurableWork> {
  if (database().pglite) {
    // Nobody else can be alive on an embedded database: what a predecessor held is free at once.
    await freeHeldDeliveries();
    await freeHeldMail();
    await freeHeldSources();
  }
  return config().inngest ? startWithServer() : startEmbedded();
}

async function startEmbedded(): Promise<DurableWork> {
  const keys = embeddedKeys();
  let engine: Engine | null = null;
  const client = embeddedClient(keys, ((input, init) => {
    if (!engine) throw new Error('The engine is not running.');
    return engine.fetch(new Request(input, init));
  }) as typeof fetch);
  const send = async (events: WakeEvent[]) => void (await engine?.send(events));
  const relay = relayTo(send);
  const functions = createFunctions(client, {
    relay,
    planNext: relay.planNext,
    pruneEngine: (before) => (engine as Engine).prune(before),
  });
  engine = new Engine({
    db: prismaDb(systemDb()),
    handler: serveFetch({ client, functions }),
    serve_url: `${config().app_url}/api/inngest`,
    ...keys,
    clock: { now: () => clock().now() },
    logger: logger(),
    exclusive: database().pglite !== null,
  });
  await engine.start();
  setRunControl(engine);
  void relay.run().catch((error) => logger().error({ err: error }, 'the relay failed'));
  const running = engine;
  return {
    engine,
    relay,
    handler: nodeHandler(client, functions),
    async stop() {
      setRunControl(null);
      await relay.stop();
      await Promise.all([running.stop(), stopDeliveryWorker()]);
      await closeOutboundConnections();
    },
  };
}

function startWithServer(): DurableWork {
  const client = serverClient();
  const relay = relayTo(async (events) => void (await client.send(events)));
  const functions = createFunctions(client, { relay, planNext: relay.planNext, pruneEngine: null });
  const registration = keepRegistering(client, functions);
  void relay.run().catch((error) => logger().error({ err: error }, 'the relay failed'));
  return {
    engine: null,
    relay,
    handler: nodeHandler(client, functions),
    async stop() {
      registration.stop();
      await relay.stop();
      await stopDeliveryWorker();
      await closeOutboundConnections();
    },
  };
}

/**
 * Tells the Inngest server of the functions and where they are served, until it has heard. Within the process: from
 * outside nobody without the key can make the handler register.
 */
function keepRegistering(client: InngestClient, functions: Functions): { stop(): void } {
  const register = serveFetch({ client, functions, ...servedAt(), enableUnauthedSync: true });
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const attempt = async (): Promise<void> => {
    const url = new URL('/api/inngest', config().app_url);
    // A request that came over a socket would have the header, and the SDK reads it.
    const request = new Request(url, { method: 'PUT', headers: { host: url.host } });
    const response = await register(request).catch(String);
    if (typeof response !== 'string' && response.ok) {
      logger().info('registered with the Inngest server');
      return;
    }
    const reason = typeof response === 'string' ? response : await response.text();
    logger().warn({ reason: reason.slice(0, 500) }, 'not registered with the Inngest server yet');
    if (!stopped) timer = setTimeout(() => void attempt(), REGISTER_AGAIN_MS).unref();
  };
  void attempt();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function relayTo(send: (events: WakeEvent[]) => Promise<void>): Relay & Pick<Waker, 'planNext'> {
  const publish: Publish = (events) => send(events.map(({ id, name, data }) => ({ id, name, data: { ...data } })));
  const waker = createWaker(send);
  const relay = startRelay(publish, waker.wake);
  return {
    run: relay.run,
    planNext: waker.planNext,
    async stop() {
      waker.stop();
      await relay.stop();
    },
  };
}

const servedAt = () => ({ serveOrigin: config().app_url, servePath: '/api/inngest' });

/** In cloud mode the SDK refuses calls, and requests to register, that are not signed with the key. */
function nodeHandler(client: InngestClient, functions: Functions) {
  return serveNode({ client, functions, ...servedAt(), enableUnauthedSync: false });
}
