/**
 * Starts the durable work of a process: the relay, which runs after commits, and the functions.
 * They run on the embedded engine or, with the `INNGEST_*` variables, on a real Inngest server.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve as serveFetch } from 'inngest/edge';
import { serve as serveNode } from 'inngest/node';
import { config } from '@/config';
import { notifyEventRelay, setEndpointStoppedListener, setTestClockListener } from '@/events/process-listeners';
import { type EventPublisher, type EventRelay, startEventRelay } from '@/events/relay';
import { settleAllOrThrowFirstError } from '@/events/retried-task';
import { database, systemDb } from '@/infra/db/client';
import { setDurableRunController } from '@/infra/durable-runs';
import { logger } from '@/infra/logger';
import { closeOutboundConnections } from '@/infra/outbound/client';
import { getRegisteredProcessId, registerThisProcess } from '@/infra/process/processes';
import { recoverUnfinishedMailAttempts, rescheduleMailsDatedByFastClock } from '@/modules/mail/delivery';
import { releaseHeldSources } from '@/modules/sync-sources/run/due';
import {
  releaseDeliveryLeasesOfDeadProcesses,
  stopDeliveryAttemptsOfProcess,
} from '@/modules/webhooks/delivery/delivery';
import { rescheduleDeliveriesDatedByFastClock } from '@/modules/webhooks/delivery/request-runs';
import { clock } from '@/shared/clock';
import {
  createEmbeddedEngineClient,
  createInngestServerClient,
  deriveEmbeddedEngineKeys,
  type InngestClient,
} from './client';
import { Engine } from './engine/engine';
import { createSqlDbFromPrismaClient } from './engine/prisma-db';
import { createInngestFunctions } from './functions/all';
import {
  getInngestServeOptions,
  type INNGEST_REGISTRATION_INTERVALS_MS,
  keepInngestFunctionsRegistered,
} from './registration';
import { createDurableRunRequester, type DurableRunRequestEvent, type DurableRunRequester } from './run-requester';
import { addInngestCallToCounterAfterResponse } from './server-contact';

type Functions = ReturnType<typeof createInngestFunctions>;

export interface DurableWorkRuntime {
  /** Handles requests to /api/inngest. */
  handler(request: IncomingMessage, response: ServerResponse): void | Promise<void>;
  stop(): Promise<void>;
  /** The embedded engine, for the operator's page. Null when a real Inngest server is used. */
  readonly engine: Engine | null;
  /** Relays pending events and requests due runs at once. For tests. */
  readonly relay: EventRelay;
  /** Does the work of the function `recover`. For tests. */
  recover(): Promise<object>;
}

export interface DurableWorkOptions {
  onProcessDeath?(): Promise<unknown>;
  /** Intervals of the checks of a real Inngest server. Default: as configured. */
  times?: typeof INNGEST_REGISTRATION_INTERVALS_MS;
}

/**
 * Starts the durable work. The database must be open and the secret must be known. `onProcessDeath`
 * is called at the start, and after each death of another process. It releases those leases
 * of the dead process that are outside the durable work.
 */
export async function startDurableWorkRuntime({
  onProcessDeath = async () => {},
  times,
}: DurableWorkOptions = {}): Promise<DurableWorkRuntime> {
  const exclusive = database().pglite !== null;
  let work: DurableWorkRuntime | null = null;
  const processes = await registerThisProcess({
    exclusive,
    async free(dead) {
      await Promise.all([releaseDeliveryLeasesOfDeadProcesses(), releaseHeldSources(), onProcessDeath()]);
      await work?.engine?.endLeasesOf(dead);
      notifyEventRelay();
    },
  });
  if (exclusive) await recoverUnfinishedMailAttempts();
  const started = config().inngest ? startWithServer(times) : await startEmbedded(processes.deadAtStart);
  work = started;
  return {
    ...started,
    async stop() {
      await started.stop();
      await processes.leave();
    },
  };
}

async function startEmbedded(dead: readonly string[]): Promise<DurableWorkRuntime> {
  const keys = deriveEmbeddedEngineKeys();
  let engine: Engine | null = null;
  const client = createEmbeddedEngineClient(keys, ((input, init) => {
    if (!engine) throw new Error('The engine is not running.');
    return engine.fetch(new Request(input, init));
  }) as typeof fetch);
  const send = async (events: DurableRunRequestEvent[]) => void (await engine?.send(events));
  const relay = relayTo(send);
  const functions = createInngestFunctions(client, {
    requestRun: relay.waker.requestRun,
    recoverAll: relay.recoverAll,
    pruneEngine: (before) => (engine as Engine).prune(before),
  });
  engine = new Engine({
    db: createSqlDbFromPrismaClient(systemDb()),
    handler: serveFetch({ client, functions }),
    serve_url: `${config().app_url}/api/inngest`,
    ...keys,
    clock: { now: () => clock().now() },
    logger: logger(),
    exclusive: database().pglite !== null,
    holder: getRegisteredProcessId(),
    // High enough that hanging endpoints, each of which occupies one slot, leave slots for others.
    concurrency: 256,
  });
  await engine.endLeasesOf(dead);
  await engine.start();
  setDurableRunController(engine);
  void relay.run().catch(() => {});
  const running = engine;
  return {
    engine,
    relay,
    recover: relay.recoverAll,
    handler: nodeHandler(client, functions),
    async stop() {
      setDurableRunController(null);
      await relay.stop();
      await Promise.all([running.stop(), stopDeliveryAttemptsOfProcess()]);
      await closeOutboundConnections();
    },
  };
}

function startWithServer(times: typeof INNGEST_REGISTRATION_INTERVALS_MS | undefined): DurableWorkRuntime {
  const client = createInngestServerClient();
  const relay = relayTo(async (events) => void (await client.send(events)));
  const functions = createInngestFunctions(client, {
    requestRun: relay.waker.requestRun,
    recoverAll: relay.recoverAll,
    pruneEngine: null,
  });
  const registration = keepInngestFunctionsRegistered({
    client,
    functions,
    requestAllAgain: relay.waker.requestAllAgain,
    ...(times && { times }),
  });
  const handler = nodeHandler(client, functions);
  void relay.run().catch(() => {});
  return {
    engine: null,
    relay,
    recover: relay.recoverAll,
    handler(request, response) {
      addInngestCallToCounterAfterResponse(request, response);
      return handler(request, response);
    },
    async stop() {
      await registration.stop();
      await relay.stop();
      await stopDeliveryAttemptsOfProcess();
      await closeOutboundConnections();
    },
  };
}

interface Running extends EventRelay {
  waker: DurableRunRequester;
  /**
   * Recovers missed work: relays events that were not relayed, and requests runs for due work. The
   * function `recover` calls this each minute.
   */
  recoverAll(): Promise<object>;
}

function relayTo(send: (events: DurableRunRequestEvent[]) => Promise<void>): Running {
  const publish: EventPublisher = (events) =>
    send(events.map(({ id, name, data }) => ({ id, name, data: { ...data } })));
  const waker = createDurableRunRequester(send);
  const relay = startEventRelay(publish, waker.wakes);
  setEndpointStoppedListener((endpoint_id) => void waker.stop(endpoint_id).catch(() => {}));
  setTestClockListener(() => void waker.requestClockRuns().catch(() => {}));
  return {
    ...relay,
    waker,
    async stop() {
      setEndpointStoppedListener(null);
      setTestClockListener(null);
      await relay.stop();
    },
    async recoverAll() {
      // All parts run, even if one of them fails.
      const corrections = [rescheduleDeliveriesDatedByFastClock(), rescheduleMailsDatedByFastClock()] as const;
      await Promise.allSettled(corrections);
      const [counts] = await settleAllOrThrowFirstError([waker.requestOtherRuns(), relay.run(), ...corrections]);
      return counts;
    },
  };
}

/**
 * Returns the handler for Node's requests. In cloud mode the SDK refuses calls and registrations
 * without a valid signature.
 */
function nodeHandler(client: InngestClient, functions: Functions) {
  return serveNode({ client, functions, ...getInngestServeOptions(), enableUnauthedSync: false });
}
