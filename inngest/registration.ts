/**
 * Keeps the functions registered with a real Inngest server. Checks that the server accepts the
 * registration, accepts events, and calls the functions. Problems are logged, stored in the
 * process's row and reported by /readyz. No other check would detect that durable work has stopped.
 */
import { serve } from 'inngest/edge';
import { config } from '@/config';
import { setDurableRunsStoppedReason } from '@/infra/durable-runs';
import { logger } from '@/infra/logger';
import { readInngestConnectionStatus } from '@/infra/process/processes';
import { clock } from '@/shared/clock';
import { type InngestClient, inngestHeartbeatEvent } from './client';
import type { createInngestFunctions } from './functions/all';
import { inngestServerCallCounter } from './server-contact';

export const INNGEST_REGISTRATION_INTERVALS_MS = {
  /** Interval at which this process checks its connection to the Inngest server. */
  look_ms: 5_000,
  /**
   * Interval of repeated registrations. The response shows whether the server has forgotten the
   * functions.
   */
  again_ms: 20_000,
  /**
   * After this time without a call from the Inngest server, this process sends an event that makes
   * the server call it.
   */
  ask_ms: 10_000,
  /**
   * After this time without a call from the Inngest server, durable work is reported as stopped.
   */
  silence_ms: 22_000,
  remind_ms: 60_000,
};

/**
 * Intervals for Inngest Cloud, which bills per run. Its crons call this application every minute,
 * so extra calls are rarely needed.
 */
const CLOUD_TIMES = { ...INNGEST_REGISTRATION_INTERVALS_MS, again_ms: 3 * 60_000, ask_ms: 75_000, silence_ms: 130_000 };

const ownTimes = () =>
  config().inngest?.base_url || config().inngest?.dev ? INNGEST_REGISTRATION_INTERVALS_MS : CLOUD_TIMES;

/** Returns the URL at which the Inngest server reaches the functions. */
export const getInngestServeOptions = () => ({
  serveOrigin: config().inngest?.serve_origin ?? config().app_url,
  servePath: '/api/inngest',
});

const serveUrl = () => new URL(`${getInngestServeOptions().serveOrigin}${getInngestServeOptions().servePath}`);

export interface InngestRegistrationOptions {
  client: InngestClient;
  functions: ReturnType<typeof createInngestFunctions>;
  /**
   * Requests all pending work again. Called when the server no longer knows the functions, because
   * it has then lost all requested runs too.
   */
  requestAllAgain(): Promise<void>;
  times?: typeof INNGEST_REGISTRATION_INTERVALS_MS;
}

export function keepInngestFunctionsRegistered({
  client,
  functions,
  requestAllAgain,
  times = ownTimes(),
}: InngestRegistrationOptions): {
  stop(): Promise<void>;
} {
  // Registers by calling the handler in this process. Requests from outside need the key.
  const register = serve({ client, functions, ...getInngestServeOptions(), enableUnauthedSync: true });
  let registered_at: number | null = null;
  let asked_at = Number.NEGATIVE_INFINITY;
  let must_request_again = false;
  let newest: number | null = null;
  let heard_at = performance.now();
  let problem: string | null = null;
  let logged_at = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const since = (moment: number) => performance.now() - moment;

  /** Logs a new problem at once, and then repeats it each minute. */
  function report(now_wrong: string | null): void {
    setDurableRunsStoppedReason(now_wrong);
    const due = now_wrong !== problem || since(logged_at) >= times.remind_ms;
    if (now_wrong && due) {
      logged_at = performance.now();
      logger().error({ reason: now_wrong }, 'durable work has stopped');
    }
    if (!now_wrong && problem) logger().info('the Inngest server calls this application again');
    problem = now_wrong;
  }

  async function tryToRegister(): Promise<string | null> {
    const url = serveUrl();
    // The SDK reads the Host header, which only requests over a network get automatically.
    const response = await register(new Request(url, { method: 'PUT', headers: { host: url.host } })).catch(String);
    const text = typeof response === 'string' ? response : await response.text();
    if (typeof response === 'string' || !response.ok)
      return `The Inngest server did not register the functions: ${text.slice(0, 300)} ${hint(text)}`;
    if (registered_at === null) logger().info({ serve_url: url.href }, 'registered with the Inngest server');
    if (wasUnknown(text)) must_request_again = true;
    registered_at = performance.now();
    return null;
  }

  /**
   * Requests a call from the server by sending an event. Sending fails if the event key is refused.
   * The call does not arrive if this process cannot be reached.
   */
  async function requestCall(): Promise<void> {
    asked_at = performance.now();
    await client.send({ name: inngestHeartbeatEvent.name, data: {} }).catch(() => {});
  }

  async function silence(): Promise<number> {
    const { called_at } = await readInngestConnectionStatus();
    const call = called_at?.getTime() ?? null;
    // A changed time means that a call arrived. The time itself is not compared with the current
    // time, because the two may come from different machines' clocks.
    if (call !== newest) heard_at = performance.now();
    newest = call;
    return since(heard_at);
  }

  async function checkServer(): Promise<string | null> {
    await inngestServerCallCounter.save(problem);
    const silent_ms = await silence();
    const is_silent = silent_ms >= times.silence_ms;
    const due = registered_at === null || problem !== null || since(registered_at) >= times.again_ms;
    const refused = due ? await tryToRegister() : null;
    if (refused) {
      registered_at = null;
      return refused;
    }
    const never_asked = asked_at === Number.NEGATIVE_INFINITY;
    if (
      never_asked ||
      inngestServerCallCounter.sendError ||
      (silent_ms >= times.ask_ms && since(asked_at) >= times.ask_ms)
    )
      await requestCall();
    if (inngestServerCallCounter.sendError)
      return `The Inngest server refuses events: ${inngestServerCallCounter.sendError}. INNGEST_EVENT_KEY has to be one of its event keys.`;
    if (must_request_again) {
      await requestAllAgain();
      must_request_again = false;
    }
    return is_silent ? silentSentence(silent_ms) : null;
  }

  function silentSentence(silent_ms: number): string {
    const told = `The Inngest server has not called for ${Math.round(silent_ms / 1_000)} s.`;
    const refused_at = inngestServerCallCounter.callRefusedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
    if (clock().now().getTime() - refused_at < silent_ms)
      return `${told} Calls were refused because of their signature: INNGEST_SIGNING_KEY has to be the server’s signing key.`;
    return `${told} It took the registration, so it may not reach ${serveUrl().href}: INNGEST_SERVE_ORIGIN has to be an address at which it does.`;
  }

  async function go(): Promise<void> {
    const wrong = await checkServer().catch((error) => `Durable work could not be examined: ${error}`);
    report(wrong);
    await inngestServerCallCounter.save(wrong).catch(() => {});
    if (!stopped) timer = setTimeout(() => (going = go()), times.look_ms).unref();
  }

  inngestServerCallCounter.reset();
  setDurableRunsStoppedReason('The functions are not registered with the Inngest server yet.');
  let going = go();
  return {
    async stop() {
      stopped = true;
      await going;
      clearTimeout(timer);
      setDurableRunsStoppedReason(null);
    },
  };
}

/**
 * Returns whether the server's response to a registration shows that it did not know these
 * functions.
 */
function wasUnknown(answer: string): boolean {
  try {
    return (JSON.parse(answer) as { modified?: boolean }).modified === true;
  } catch {
    return false;
  }
}

/** Returns the name of the setting that is probably wrong, according to an error response. */
function hint(text: string): string {
  if (/\b40[13]\b|signing|unauthori[sz]ed|authentication/i.test(text))
    return 'INNGEST_SIGNING_KEY has to be the server’s signing key.';
  return 'Is INNGEST_BASE_URL the server’s address, and does it run?';
}
