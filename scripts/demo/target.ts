/** Which server the demonstration plays against, and with which key. */
import { execFile } from 'node:child_process';
import { startTestServer } from '@/testing/server';

export interface Target {
  /** The origin; the API root is this + `/v1`. */
  readonly origin: string;
  readonly api_key: string;
  readonly description: string;
  /** Kills the server the hard way and starts it again; only for one that the demonstration started. */
  readonly crash: (() => Promise<void>) | null;
  stop(): Promise<void>;
}

interface Status {
  app_url: string;
  outbound_allow_loopback: boolean;
}

type Admin = <Result>(...args: string[]) => Promise<Result>;

const adminHere: Admin = <Result>(...args: string[]) =>
  new Promise<Result>((done, fail) => {
    execFile(process.execPath, ['scripts/admin.mjs', ...args], (error, stdout, stderr) => {
      if (error) fail(new Error(stderr.trim() || error.message));
      else done(JSON.parse(stdout) as Result);
    });
  });

async function createTestKey(admin: Admin): Promise<string> {
  const tag = Date.now().toString(36);
  const { team } = await admin<{ team: { id: string } }>(
    ...['team', 'create', '--name', `Demonstration ${tag}`, '--plan', 'pro'],
    ...['--owner-email', `demo-${tag}@example.com`, '--owner-password', `demonstration-${tag}`],
  );
  return (await admin<{ key: string }>('key', 'create', '--team', team.id, '--mode', 'test')).key;
}

/** The server that BASE_URL names, else one that runs on this data directory, else one started for the occasion. */
export async function chooseTarget(say: (line: string) => void): Promise<Target> {
  const named = process.env.BASE_URL;
  if (named) {
    const origin = new URL(named).origin;
    return {
      origin,
      api_key: process.env.API_KEY || (await createTestKey(adminHere)),
      description: `the server at ${origin}`,
      crash: null,
      stop: async () => {},
    };
  }
  const running = process.argv.includes('--kill') ? null : await adminHere<Status>('status').catch(() => null);
  if (running?.outbound_allow_loopback) {
    const origin = new URL(running.app_url).origin;
    const api_key = await createTestKey(adminHere);
    return { origin, api_key, description: `the running server at ${origin}`, crash: null, stop: async () => {} };
  }
  if (running) {
    say('A server is running, but not with OUTBOUND_ALLOW_LOOPBACK=1: it would not send webhooks to this machine.');
  }
  return startOwn();
}

async function startOwn(): Promise<Target> {
  const passed_on = ['DATABASE_URL', 'DATABASE_POOL_SIZE', 'APP_SECRET', 'REDIS_URL'];
  const given = passed_on.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const server = await startTestServer({ with_pages: true, env: Object.fromEntries(given) });
  try {
    const api_key = await createTestKey(server.admin);
    return {
      origin: server.url,
      api_key,
      description: `a server started for it on ${process.env.DATABASE_URL ? 'DATABASE_URL' : 'an embedded database'}`,
      async crash() {
        await server.kill();
        await server.restart();
      },
      stop: async () => {
        const code = await server.stop();
        if (code !== 0) throw new Error(`The server did not shut down cleanly (${code}):\n${server.output()}`);
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
