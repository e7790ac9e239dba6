/** Chooses the server and the API key for the demonstration. */
import { runOperatorCommand, startTestServer, type TestServer } from '@/testing/server';

export interface DemoServer {
  /** The server's origin. The root of the API is the origin plus `/v1`. */
  readonly origin: string;
  readonly api_key: string;
  readonly description: string;
  /**
   * Kills the server with SIGKILL and restarts it. Null for a server that the demonstration did not
   * start.
   */
  readonly crash: (() => Promise<void>) | null;
  stop(): Promise<void>;
}

interface Status {
  app_url: string;
  outbound_allow_loopback: boolean;
}

type Operator = Pick<TestServer, 'admin' | 'createTeam'>;

const adminHere = <Result>(args: readonly string[], input?: string) =>
  runOperatorCommand<Result>('scripts/admin.mjs', process.env, args, input);

const operatorHere: Operator = {
  admin: (...args) => adminHere(args),
  createTeam: ({ name, email, password }) =>
    adminHere(['team', 'create', '--name', name, '--owner-email', email], password),
};

async function createTestKey({ admin, createTeam }: Operator): Promise<string> {
  const tag = Date.now().toString(36);
  const { team } = await createTeam({
    name: `Demonstration ${tag}`,
    email: `demo-${tag}@example.com`,
    password: `demonstration-${tag}`,
  });
  return (await admin<{ key: string }>('key', 'create', '--team', team.id, '--mode', 'test')).key;
}

/** Returns the server at BASE_URL, the server that runs on this data directory, or a new server. */
export async function findOrStartDemoServer(say: (line: string) => void): Promise<DemoServer> {
  const named = process.env.BASE_URL;
  if (named) {
    const origin = new URL(named).origin;
    return {
      origin,
      api_key: process.env.API_KEY || (await createTestKey(operatorHere)),
      description: `the server at ${origin}`,
      crash: null,
      stop: async () => {},
    };
  }
  const running = process.argv.includes('--kill') ? null : await adminHere<Status>(['status']).catch(() => null);
  if (running?.outbound_allow_loopback) {
    const origin = new URL(running.app_url).origin;
    const api_key = await createTestKey(operatorHere);
    return { origin, api_key, description: `the running server at ${origin}`, crash: null, stop: async () => {} };
  }
  if (running) {
    say('A server is running, but not with OUTBOUND_ALLOW_LOOPBACK=1: it would not send webhooks to this machine.');
  }
  return startOwn();
}

async function startOwn(): Promise<DemoServer> {
  const passed_on = ['DATABASE_URL', 'DATABASE_POOL_SIZE', 'APP_SECRET', 'REDIS_URL'];
  const given = passed_on.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const server = await startTestServer({ with_pages: true, env: Object.fromEntries(given) });
  try {
    const api_key = await createTestKey(server);
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
