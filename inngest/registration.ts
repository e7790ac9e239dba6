/**
 * Keeps the functions registered with a real Inngest server, and checks that the server works: that
 * it accepts the registration, accepts events, and calls the functions. Problems are logged, stored
 * with the process and reported by /readyz. Without the server all durable work stops, and no other
 * check would detect that.
 */
import { serve } from 'inngest/edge';
import { config } from '@/config';
import { setDurableProblem } from '@/infra/durable-runs';
import { logger } from '@/infra/logger';
import { readServerContact } from '@/infra/process/processes';
import { clock } from '@/shared/clock';
import { heartbeatEvent, type InngestClient } from './client';
import type { createFunctions } from './functions/all';
import { serverContact } from './server-contact';

export const REGISTRATION_TIMES = {
  /** Interval of the checks. */
  look_ms: 5_000,
  /**
   * Interval of repeated registrations. The response shows whether the server has lost the
   * functions.
   */
  again_ms: 20_000,
  /** After this time without a call, a call is requested from the server. */
  ask_ms: 10_000,
  /** After this time without a call, durable work counts as stopped. */
  silence_ms: 22_000,
  remind_ms: 60_000,
};

/**
 * Inngest Cloud bills by run, so with these times the calls of its crons, one a minute, are
 * normally enough to show that it works.
 */
const CLOUD_TIMES = { ...REGISTRATION_TIMES, again_ms: 3 * 60_000, ask_ms: 75_000, silence_ms: 130_000 };

const ownTimes = () => (config().inngest?.base_url || config().inngest?.dev ? REGISTRATION_TIMES : CLOUD_TIMES);

/** Returns the URL at which the server reaches the functions. */
export const getServeUrl = () => ({
  serveOrigin: config().inngest?.serve_origin ?? config().app_url,
  servePath: '/api/inngest',
});

const serveUrl = () => new URL(`${getServeUrl().serveOrigin}${getServeUrl().servePath}`);

export interface RegistrationOptions {
  client: InngestClient;
  functions: ReturnType<typeof createFunctions>;
  /**
   * Requests all pending work again. Called when the server did not know the functions, because it
   * has then lost all requests.
   */
  requestAllAgain(): Promise<void>;
  times?: typeof REGISTRATION_TIMES;
}

export function keepFunctionsRegistered({
  client,
  functions,
  requestAllAgain,
  times = ownTimes(),
}: RegistrationOptions): {
  stop(): Promise<void>;
} {
  // Registers within the process. Callers from outside cannot make the handler register without the
  // key.
  const register = serve({ client, functions, ...getServeUrl(), enableUnauthedSync: true });
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

  /** Logs a problem once, and then each minute. */
  function report(now_wrong: string | null): void {
    setDurableProblem(now_wrong);
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
    // The SDK reads this header, which requests over a socket have automatically.
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
   * Requests a call from the server. If the event key is refused, the send fails. If the address is
   * unreachable, no call arrives.
   */
  async function requestCall(): Promise<void> {
    asked_at = performance.now();
    await client.send({ name: heartbeatEvent.name, data: {} }).catch(() => {});
  }

  async function silence(): Promise<number> {
    const { called_at } = await readServerContact();
    const call = called_at?.getTime() ?? null;
    // Any change shows that a call arrived, regardless of the processes' clocks.
    if (call !== newest) heard_at = performance.now();
    newest = call;
    return since(heard_at);
  }

  async function checkServer(): Promise<string | null> {
    await serverContact.save(problem);
    const silent_ms = await silence();
    const is_silent = silent_ms >= times.silence_ms;
    const due = registered_at === null || problem !== null || since(registered_at) >= times.again_ms;
    const refused = due ? await tryToRegister() : null;
    if (refused) {
      registered_at = null;
      return refused;
    }
    const never_asked = asked_at === Number.NEGATIVE_INFINITY;
    if (never_asked || serverContact.sendError || (silent_ms >= times.ask_ms && since(asked_at) >= times.ask_ms))
      await requestCall();
    if (serverContact.sendError)
      return `The Inngest server refuses events: ${serverContact.sendError}. INNGEST_EVENT_KEY has to be one of its event keys.`;
    if (must_request_again) {
      await requestAllAgain();
      must_request_again = false;
    }
    return is_silent ? silentSentence(silent_ms) : null;
  }

  function silentSentence(silent_ms: number): string {
    const told = `The Inngest server has not called for ${Math.round(silent_ms / 1_000)} s.`;
    const refused_at = serverContact.callRefusedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
    if (clock().now().getTime() - refused_at < silent_ms)
      return `${told} Calls were refused because of their signature: INNGEST_SIGNING_KEY has to be the server’s signing key.`;
    return `${told} It took the registration, so it may not reach ${serveUrl().href}: INNGEST_SERVE_ORIGIN has to be an address at which it does.`;
  }

  async function go(): Promise<void> {
    const wrong = await checkServer().catch((error) => `Durable work could not be examined: ${error}`);
    report(wrong);
    await serverContact.save(wrong).catch(() => {});
    if (!stopped) timer = setTimeout(() => (going = go()), times.look_ms).unref();
  }

  serverContact.reset();
  setDurableProblem('The functions are not registered with the Inngest server yet.');
  let going = go();
  return {
    async stop() {
      stopped = true;
      await going;
      clearTimeout(timer);
      setDurableProblem(null);
    },
  };
}

/**
 * Returns whether the response to a registration shows that the server did not know these
 * functions.
 */
function wasUnknown(answer: string): boolean {
  try {
    return (JSON.parse(answer) as { modified?: boolean }).modified === true;
  } catch {
    return false;
  }
}

/** Returns the setting that is probably wrong, according to such a response. */
function hint(text: string): string {
  if (/\b40[13]\b|signing|unauthori[sz]ed|authentication/i.test(text))
    return 'INNGEST_SIGNING_KEY has to be the server’s signing key.';
  return 'Is INNGEST_BASE_URL the server’s address, and does it run?';
}
