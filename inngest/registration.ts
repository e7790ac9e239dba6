/**
 * Keeps a real Inngest server told of the functions and of where they are served: until it has heard, every few minutes
 * from then, and at once when it calls no cron any more, as a server does that has lost its state. What is wrong is
 * logged, counted and part of /readyz: without the server all durable work stands still, and nothing else would show it.
 */
import { serve } from 'inngest/edge';
import { config } from '@/config';
import { setDurableProblem } from '@/infra/durable-runs';
import { logger } from '@/infra/logger';
import { newestCronCall } from '@/infra/process/processes';
import type { InngestClient } from './client';
import type { createFunctions } from './functions/all';

export const TIMES = {
  /** Until the server has heard. */
  retry_ms: 5_000,
  /** Once it has. */
  again_ms: 3 * 60_000,
  /** A cron falls due each minute: two missed are no accident. */
  silence_ms: 130_000,
  look_ms: 15_000,
  remind_ms: 60_000,
};

/** Where the server finds the functions. */
export const servedAt = () => ({
  serveOrigin: config().inngest?.serve_origin ?? config().app_url,
  servePath: '/api/inngest',
});

export function keepRegistered(
  client: InngestClient,
  functions: ReturnType<typeof createFunctions>,
  times = TIMES,
): { stop(): Promise<void> } {
  // Within the process: from outside nobody without the key can make the handler register.
  const register = serve({ client, functions, ...servedAt(), enableUnauthedSync: true });
  let registered_at: number | null = null;
  let key_proved = false;
  let newest: number | null = null;
  let heard_at = performance.now();
  let problem: string | null = null;
  let said_at = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  /** Says what is wrong once, and then each minute. */
  function tell(now_wrong: string | null): void {
    setDurableProblem(now_wrong);
    const due = now_wrong !== problem || performance.now() - said_at >= times.remind_ms;
    if (now_wrong && due) {
      said_at = performance.now();
      logger().error({ reason: now_wrong }, 'durable work stands still');
    }
    if (!now_wrong && problem) logger().info('the Inngest server calls this application again');
    problem = now_wrong;
  }

  async function tryToRegister(): Promise<string | null> {
    const url = new URL(`${servedAt().serveOrigin}${servedAt().servePath}`);
    // A request that came over a socket would have the header, and the SDK reads it.
    const response = await register(new Request(url, { method: 'PUT', headers: { host: url.host } })).catch(String);
    if (typeof response === 'string' || !response.ok) {
      const text = typeof response === 'string' ? response : await response.text();
      return `The Inngest server did not register the functions: ${text.slice(0, 300)} ${hint(text)}`;
    }
    if (registered_at === null) logger().info({ serve_url: url.href }, 'registered with the Inngest server');
    registered_at = performance.now();
    return null;
  }

  /** A wrong event key shows only when it is used. */
  async function proveEventKey(): Promise<string | null> {
    try {
      await client.send({ name: 'threshold/registered', data: {} });
      key_proved = true;
      return null;
    } catch (error) {
      return `The Inngest server takes no events: ${(error as Error).message}. INNGEST_EVENT_KEY has to be one of its event keys.`;
    }
  }

  async function silent(): Promise<boolean> {
    const call = await newestCronCall();
    // A change is a call, whatever the clocks of the processes say.
    if (call !== newest) heard_at = performance.now();
    newest = call;
    return performance.now() - heard_at >= times.silence_ms;
  }

  async function look(): Promise<void> {
    const is_silent = await silent();
    const due = registered_at === null || is_silent || performance.now() - registered_at >= times.again_ms;
    let wrong = due ? await tryToRegister() : null;
    if (!wrong && (!key_proved || (is_silent && due))) wrong = await proveEventKey();
    if (!wrong && is_silent)
      wrong = `The Inngest server has called no cron for ${Math.round(times.silence_ms / 1_000)} s; registered again.`;
    tell(wrong);
  }

  async function go(): Promise<void> {
    await look().catch((error) => tell(`Registering with the Inngest server failed: ${error}`));
    const wait = registered_at === null || !key_proved ? times.retry_ms : times.look_ms;
    if (!stopped) timer = setTimeout(() => (going = go()), wait).unref();
  }

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

/** Which setting such an answer points at. */
function hint(text: string): string {
  if (/\b40[13]\b|signing|unauthori[sz]ed/i.test(text))
    return 'INNGEST_SIGNING_KEY has to be the server’s signing key.';
  return 'Is INNGEST_BASE_URL the server’s address, and does it run?';
}
