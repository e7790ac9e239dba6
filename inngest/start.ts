/**
 * Starts the durable work of a process: the relay that follows commits, and either the embedded engine or, with the
 * `INNGEST_*` variables set, the functions served to a real Inngest server.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve as serveFetch } from 'inngest/edge';
import { serve as serveNode } from 'inngest/node';
import { config } from '@/config';
import { nudgeRelay, onClocks, onEndpointStopped } from '@/events/nudge';
import { type Publish, type Relay, startRelay } from '@/events/relay';
import { allSettledOrThrow } from '@/events/retried-task';
import { database, systemDb } from '@/infra/db/client';
import { setRunControl } from '@/infra/durable-runs';
import { logger } from '@/infra/logger';
import { closeOutboundConnections } from '@/infra/outbound/client';
import { joinProcesses, processId } from '@/infra/process/processes';
import { freeHeldMail, pullBackMail } from '@/modules/mail/delivery';
import { freeHeldSources } from '@/modules/sync-sources/run/due';
import { pullBackDeliveries } from '@/modules/webhooks/delivery/ask';
import { freeHeldDeliveries, stopDeliveries } from '@/modules/webhooks/delivery/delivery';
import { clock } from '@/shared/clock';
import { embeddedClient, embeddedKeys, type InngestClient, serverClient } from './client';
import { Engine } from './engine/engine';
import { prismaDb } from './engine/prisma-db';
import { createFunctions } from './functions/all';
import { keepRegistered, servedAt, type TIMES } from './registration';
import { countCalls } from './server-contact';
import { createWaker, type WakeEvent, type Waker } from './wake';

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

export interface StartOptions {
  freeAlso?(): Promise<unknown>;
  /** With a real Inngest server; by default as it is configured. */
  times?: typeof TIMES;
}

/**
 * Starts it. The database must be open and the secret known. `freeAlso` frees what else dead processes held, now and
 * whenever one is found dead.
 */
export async function startDurableWork({ freeAlso = async () => {}, times }: StartOptions = {}): Promise<DurableWork> {
  const exclusive = database().pglite !== null;
  let work: DurableWork | null = null;
  const processes = await joinProcesses({
    exclusive,
    async free(dead) {
      await Promise.all([freeHeldDeliveries(), freeHeldMail(), freeHeldSources(), freeAlso()]);
      await work?.engine?.endLeasesOf(dead);
      nudgeRelay();
    },
  });
  const started = config().inngest ? startWithServer(times) : await startEmbedded(processes.buried);
  work = started;
  return {
    ...started,
    async stop() {
      await started.stop();
      await processes.leave();
    },
  };
}

async function startEmbedded(dead: readonly string[]): Promise<DurableWork> {
  const keys = embeddedKeys();
  let engine: Engine | null = null;
  const client = embeddedClient(keys, ((input, init) => {
    if (!engine) throw new Error('The engine is not running.');
    return engine.fetch(new Request(input, init));
  }) as typeof fetch);
  const send = async (events: WakeEvent[]) => void (await engine?.send(events));
  const relay = relayTo(send);
  const functions = createFunctions(client, {
    askFor: relay.waker.askFor,
    everything: relay.everything,
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
    holder: processId(),
    // An endpoint that hangs keeps its own run waiting and takes a place from no other's.
    concurrency: 256,
  });
  await engine.endLeasesOf(dead);
  await engine.start();
  setRunControl(engine);
  void relay.run().catch(() => {});
  const running = engine;
  return {
    engine,
    relay,
    handler: nodeHandler(client, functions),
    async stop() {
      setRunControl(null);
      await relay.stop();
      await Promise.all([running.stop(), stopDeliveries()]);
      await closeOutboundConnections();
    },
  };
}

function startWithServer(times: typeof TIMES | undefined): DurableWork {
  const client = serverClient();
  const relay = relayTo(async (events) => void (await client.send(events)));
  const functions = createFunctions(client, {
    askFor: relay.waker.askFor,
    everything: relay.everything,
    pruneEngine: null,
  });
  const registration = keepRegistered({
    client,
    functions,
    askAnew: relay.waker.askAnew,
    ...(times && { times }),
  });
  const handler = nodeHandler(client, functions);
  void relay.run().catch(() => {});
  return {
    engine: null,
    relay,
    handler(request, response) {
      countCalls(request, response);
      return handler(request, response);
    },
    async stop() {
      await registration.stop();
      await relay.stop();
      await stopDeliveries();
      await closeOutboundConnections();
    },
  };
}

interface Running extends Relay {
  waker: Waker;
  /** What `recover` does each minute. */
  everything(): Promise<object>;
}

function relayTo(send: (events: WakeEvent[]) => Promise<void>): Running {
  const publish: Publish = (events) => send(events.map(({ id, name, data }) => ({ id, name, data: { ...data } })));
  const waker = createWaker(send);
  const relay = startRelay(publish, waker.wakes);
  onEndpointStopped((endpoint_id) => void waker.stop(endpoint_id).catch(() => {}));
  onClocks(() => void waker.askForClocks().catch(() => {}));
  return {
    ...relay,
    waker,
    async stop() {
      onEndpointStopped(null);
      onClocks(null);
      await relay.stop();
    },
    async everything() {
      // Each is worth doing when another fails.
      const corrections = [pullBackDeliveries(), pullBackMail()] as const;
      await Promise.allSettled(corrections);
      const [counts] = await allSettledOrThrow([waker.wakeTheRest(), relay.run(), ...corrections]);
      return counts;
    },
  };
}

/** In cloud mode the SDK refuses calls, and requests to register, that are not signed with the key. */
function nodeHandler(client: InngestClient, functions: Functions) {
  return serveNode({ client, functions, ...servedAt(), enableUnauthedSync: false });
}
