/**
 * Keeps a real Inngest server informed of the functions and of where they are served, and finds out whether it does its
 * work: it takes the registration, takes events, and calls. What is wrong is logged, stored with the process and a warning
 * of /readyz: without the server all durable work stands still, and nothing else would show it.
 */
import { serve } from 'inngest/edge';
import { config } from '@/config';
import { setDurableProblem } from '@/infra/durable-runs';
import { logger } from '@/infra/logger';
import { readServerContact } from '@/infra/process/processes';
import { clock } from '@/shared/clock';
import { heartbeat, type InngestClient } from './client';
import type { createFunctions } from './functions/all';
import { contact } from './server-contact';

export const TIMES = {
  /** Between two looks. */
  look_ms: 5_000,
  /** The functions are registered again: the answer tells whether the server had forgotten them. */
  again_ms: 20_000,
  /** Without a call for this long the server is asked for one. */
  ask_ms: 10_000,
  /** Without a call for this long durable work stands still. */
  silence_ms: 22_000,
  remind_ms: 60_000,
};

/** Inngest Cloud bills by the run: its crons, one a minute, are the only sign of life that is waited for. */
const CLOUD_TIMES = { ...TIMES, again_ms: 3 * 60_000, ask_ms: 75_000, silence_ms: 130_000 };

const ownTimes = () => (config().inngest?.base_url || config().inngest?.dev ? TIMES : CLOUD_TIMES);

/** Where the server finds the functions. */
export const servedAt = () => ({
  serveOrigin: config().inngest?.serve_origin ?? config().app_url,
  servePath: '/api/inngest',
});

const serveUrl = () => new URL(`${servedAt().serveOrigin}${servedAt().servePath}`);

export interface RegistrationOptions {
  client: InngestClient;
  functions: ReturnType<typeof createFunctions>;
  /** Asks again for everything that waits: the server did not know the functions, so it has none of what it was asked. */
  askAnew(): Promise<void>;
  times?: typeof TIMES;
}

export function keepRegistered({ client, functions, askAnew, times = ownTimes() }: RegistrationOptions): {
  stop(): Promise<void>;
} {
  // Within the process: from outside nobody without the key can make the handler register.
  const register = serve({ client, functions, ...servedAt(), enableUnauthedSync: true });
  let registered_at: number | null = null;
  let asked_at = Number.NEGATIVE_INFINITY;
  let ask_anew = false;
  let newest: number | null = null;
  let heard_at = performance.now();
  let problem: string | null = null;
  let logged_at = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const since = (moment: number) => performance.now() - moment;

  /** Logs what is wrong once, and then each minute. */
  function report(now_wrong: string | null): void {
    setDurableProblem(now_wrong);
    const due = now_wrong !== problem || since(logged_at) >= times.remind_ms;
    if (now_wrong && due) {
      logged_at = performance.now();
      logger().error({ reason: now_wrong }, 'durable work stands still');
    }
    if (!now_wrong && problem) logger().info('the Inngest server calls this application again');
    problem = now_wrong;
  }

  async function tryToRegister(): Promise<string | null> {
    const url = serveUrl();
    // A request that came over a socket would have the header, and the SDK reads it.
    const response = await register(new Request(url, { method: 'PUT', headers: { host: url.host } })).catch(String);
    const text = typeof response === 'string' ? response : await response.text();
    if (typeof response === 'string' || !response.ok)
      return `The Inngest server did not register the functions: ${text.slice(0, 300)} ${hint(text)}`;
    if (registered_at === null) logger().info({ serve_url: url.href }, 'registered with the Inngest server');
    if (isNews(text)) ask_anew = true;
    registered_at = performance.now();
    return null;
  }

  /** Asks the server for a call: a refused event key shows in the sending, an address it cannot reach in its silence. */
  async function askForCall(): Promise<void> {
    asked_at = performance.now();
    await client.send({ name: heartbeat.name, data: {} }).catch(() => {});
  }

  async function silence(): Promise<number> {
    const { called_at } = await readServerContact();
    const call = called_at?.getTime() ?? null;
    // A change is a call, whatever the clocks of the processes say.
    if (call !== newest) heard_at = performance.now();
    newest = call;
    return since(heard_at);
  }

  async function look(): Promise<string | null> {
    await contact.save(problem);
    const silent_ms = await silence();
    const is_silent = silent_ms >= times.silence_ms;
    const due = registered_at === null || problem !== null || since(registered_at) >= times.again_ms;
    const refused = due ? await tryToRegister() : null;
    if (refused) {
      registered_at = null;
      return refused;
    }
    const never_asked = asked_at === Number.NEGATIVE_INFINITY;
    if (never_asked || contact.sendError || (silent_ms >= times.ask_ms && since(asked_at) >= times.ask_ms))
      await askForCall();
    if (contact.sendError)
      return `The Inngest server takes no events: ${contact.sendError}. INNGEST_EVENT_KEY has to be one of its event keys.`;
    if (ask_anew) {
      await askAnew();
      ask_anew = false;
    }
    return is_silent ? silentSentence(silent_ms) : null;
  }

  function silentSentence(silent_ms: number): string {
    const told = `The Inngest server has not called for ${Math.round(silent_ms / 1_000)} s.`;
    const refused_at = contact.callRefusedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
    if (clock().now().getTime() - refused_at < silent_ms)
      return `${told} Calls were refused because of their signature: INNGEST_SIGNING_KEY has to be the server’s signing key.`;
    return `${told} It took the registration, so it may not reach ${serveUrl().href}: INNGEST_SERVE_ORIGIN has to be an address at which it does.`;
  }

  async function go(): Promise<void> {
    const wrong = await look().catch((error) => `Durable work could not be examined: ${error}`);
    report(wrong);
    await contact.save(wrong).catch(() => {});
    if (!stopped) timer = setTimeout(() => (going = go()), times.look_ms).unref();
  }

  contact.reset();
  setDurableProblem('The Inngest server has not been told of the functions yet.');
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

/** Whether the answer to a registration says that the server did not know the functions as they are. */
function isNews(answer: string): boolean {
  try {
    return (JSON.parse(answer) as { modified?: boolean }).modified === true;
  } catch {
    return false;
  }
}

/** Which setting such an answer points at. */
function hint(text: string): string {
  if (/\b40[13]\b|signing|unauthori[sz]ed|authentication/i.test(text))
    return 'INNGEST_SIGNING_KEY has to be the server’s signing key.';
  return 'Is INNGEST_BASE_URL the server’s address, and does it run?';
}
