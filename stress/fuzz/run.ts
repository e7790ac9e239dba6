/**
 * Sends generated requests to the real server over HTTP. No input may cause a 5xx, delay other
 * requests or end the server. Polls `/healthz` at the same time.
 */
import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createRandom } from '@/testing/random';
import { startTestServer } from '@/testing/server';
import { buildSignFormFields } from '../../e2e/support/sign-form';
import { createRequestGenerator, type FuzzCredentials, type GeneratedRequest } from './targets';
import { KnownResourceIds } from './values';

export interface FuzzOptions {
  seed: number;
  requests: number;
  /** Number of concurrent requests. */
  lanes: number;
  /** Maximum time of an answer in milliseconds. A slower answer is a violation. */
  max_answer_ms: number;
  max_health_ms: number;
  say?: (line: string) => void;
}

export interface FuzzReport {
  requests: number;
  by_status: Record<string, number>;
  slowest_ms: number;
  slowest: string;
  health_worst_ms: number;
  violations: string[];
}

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  ms: number;
}

const ANSWER_MS = 30_000;
const WARM_UP_MS = 5_000;

export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const inbound_secret = 'inbound-secret-of-the-fuzz-run';
  const server = await startTestServer({
    with_pages: true,
    built: true,
    env: { INBOUND_SECRET: inbound_secret, INBOUND_DOMAIN: 'inbound.example', LOG_LEVEL: 'error' },
  });
  const origin = server.url;
  const agent = new Agent({ keepAlive: true, maxSockets: options.lanes + 2 });
  const fire = (shot: Omit<GeneratedRequest, 'name'>): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const { method, path, headers, body } = shot;
      const call = send(`${origin}`, { method, path, headers, agent, timeout: ANSWER_MS }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
            ms: performance.now() - began,
          }),
        );
      });
      call.on('timeout', () => call.destroy(new Error(`no answer within ${ANSWER_MS / 1000} s`)));
      call.on('error', reject);
      call.end(body);
    });

  const report: FuzzReport = {
    requests: 0,
    by_status: {},
    slowest_ms: 0,
    slowest: '',
    health_worst_ms: 0,
    violations: [],
  };
  try {
    const known = await prepare(server, fire, inbound_secret);
    // The server loads code right after its start (src/warm-up.ts). Requests do not cause the
    // delays during that time.
    await sleep(WARM_UP_MS);
    const next = createRequestGenerator();
    const random = createRandom(options.seed);
    let left = options.requests;
    /** Slow requests. They are reported if `/healthz` was slow at the same time. */
    const slow: { name: string; ms: number; from: number; to: number }[] = [];
    const health = watchHealth(origin);
    // Lowers this thread's priority, so that generating requests does not slow the measured server.
    setPriority(10);

    const lane = async (own: typeof random) => {
      while (left-- > 0) {
        const shot = next(own, known);
        const told = `${shot.method} ${shot.path.slice(0, 200)} ${JSON.stringify(shot.headers).slice(0, 300)} ${String(shot.body ?? '').slice(0, 400)}`;
        let reply: Reply;
        try {
          reply = await fire(shot);
        } catch (error) {
          // The server may close a connection without reading the whole body, but must answer the
          // next request.
          const { code, message } = error as Error & { code?: string };
          if (code === 'ERR_INVALID_CHAR' || code === 'ERR_UNESCAPED_CHARACTERS') continue;
          if (code === 'ECONNRESET' || code === 'EPIPE') {
            report.by_status.closed = (report.by_status.closed ?? 0) + 1;
            continue;
          }
          report.violations.push(`${shot.name}: ${message}: ${told}`);
          continue;
        }
        report.requests += 1;
        report.by_status[reply.status] = (report.by_status[reply.status] ?? 0) + 1;
        known.ids.learn(reply.text.slice(0, 20_000));
        if (reply.ms > 30)
          slow.push({
            name: `${shot.name} ${shot.path.slice(0, 60)}`,
            ms: Math.round(reply.ms),
            from: Date.now() - reply.ms,
            to: Date.now(),
          });
        if (reply.ms > report.slowest_ms) Object.assign(report, { slowest_ms: reply.ms, slowest: shot.name });
        if (reply.status >= 500)
          report.violations.push(`${shot.name}: ${reply.status} ${reply.text.slice(0, 200)}: ${told}`);
        if (reply.ms > options.max_answer_ms)
          report.violations.push(`${shot.name}: ${Math.round(reply.ms)} ms: ${told}`);
        if (/\bat .{1,200}:\d+:\d+\)|node_modules|SELECT .{1,100} FROM/.test(reply.text) && reply.status >= 400)
          report.violations.push(`${shot.name}: the answer tells of the inside: ${reply.text.slice(0, 300)}: ${told}`);
        if (report.requests % 1000 === 0)
          options.say?.(`${report.requests} requests, slowest ${Math.round(report.slowest_ms)} ms (${report.slowest})`);
      }
    };
    await Promise.all(Array.from({ length: options.lanes }, () => lane(random.fork())));
    const { worst, bad } = await health.stop();
    report.health_worst_ms = worst.ms;
    if (bad.length > 0) report.violations.push(`/healthz answered ${[...new Set(bad)].join(', ')}`);
    if (worst.ms > options.max_health_ms) {
      const meanwhile = [...slow].filter(({ from, to }) => from <= worst.at && to >= worst.at - worst.ms);
      const told = meanwhile.map(({ name, ms }) => `${name} (${ms} ms)`).join(', ');
      report.violations.push(`/healthz took ${Math.round(worst.ms)} ms, during ${told}`);
    }
    // Log entries of level 50 and above report errors of the server itself.
    for (const line of server
      .output()
      .split('\n')
      .filter((text) => /"level":(50|60)|unhandled|uncaught/i.test(text) && !text.includes('"from":"auth"')))
      report.violations.push(`log: ${line.slice(0, 500)}`);
  } finally {
    agent.destroy();
    await server.stop();
  }
  return report;
}

interface Health {
  worst: { ms: number; at: number };
  /** The statuses of answers that are not 200. */
  bad: number[];
}

function watchHealth(origin: string): { stop(): Promise<Health> } {
  const thread = new Worker(new URL('./health-watch.mjs', import.meta.url), { workerData: origin });
  return {
    stop: async () => {
      thread.postMessage('stop');
      const [health] = await once(thread, 'message');
      return health;
    },
  };
}

type Server = Awaited<ReturnType<typeof startTestServer>>;

/** Creates an account with objects of every kind. */
async function prepare(
  server: Server,
  fire: (shot: Omit<GeneratedRequest, 'name'>) => Promise<Reply>,
  inbound_secret: string,
): Promise<FuzzCredentials> {
  const [email, password] = ['fuzz@example.com', 'correct horse battery staple'];
  const { team } = await server.createTeam({ name: 'Fuzz', email, password });
  const key = async (mode: string) =>
    (await server.admin<{ key: string }>('key', 'create', '--team', team.id, '--mode', mode)).key;
  const [live, test] = [await key('live'), await key('test')];
  const origin = server.url;
  const ids = new KnownResourceIds();
  const signed_in = await fire({
    method: 'POST',
    path: '/api/auth/sign-in/email',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email, password }),
  });
  if (signed_in.status !== 200) throw new Error(`Signing in was answered ${signed_in.status}: ${signed_in.text}`);
  const cookie = [signed_in.headers['set-cookie'] ?? []]
    .flat()
    .map((text) => text.split(';', 1)[0])
    .join('; ');
  const tokens: string[] = [];
  for (const bearer of [live, test]) {
    const call = async (method: string, path: string, body?: object) => {
      const reply = await fire({
        method,
        path: `/v1${path}`,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
      if (reply.status >= 400) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
      ids.learn(reply.text);
      return JSON.parse(reply.text);
    };
    const property = await call('POST', '/properties', { name: 'Harbour Loft', otp_required: false });
    await call('PATCH', `/properties/${property.id}/packet`, {
      rules: [{ text: 'No smoking.' }],
      arrival_details: { door_code: '1' },
    });
    await call('POST', '/webhook_endpoints', { url: 'http://127.0.0.1:1099/hook' });
    await server
      .admin('sync-source', 'create', '--property', property.id, '--kind', 'forward_email')
      .then((source) => ids.learn(JSON.stringify(source)));
    for (const state of ['draft', 'sent', 'signed']) {
      const made = await call('POST', '/reservations', {
        property_id: property.id,
        guest_name: 'Ada Lovelace',
        guest_email: 'ada@example.com',
        checkin_date: '2030-05-01',
        checkout_date: '2030-05-05',
      });
      if (state === 'draft') continue;
      await call('POST', `/reservations/${made.id}/send`);
      const { signingUrl } = await call('GET', `/reservations/${made.id}/copy-link`);
      const path = new URL(signingUrl).pathname;
      tokens.push(path.split('/')[2] ?? '');
      if (state === 'sent') continue;
      const form = buildSignFormFields((await fire({ method: 'GET', path, headers: {} })).text, 'Ada Lovelace');
      const answer = await fire({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
        body: new URLSearchParams(form ?? {}).toString(),
      });
      if (answer.status !== 303) throw new Error(`Signing was answered ${answer.status}`);
      const { copyUrl } = await call('GET', `/reservations/${made.id}/copy-link`);
      if (copyUrl) tokens.push(new URL(copyUrl).pathname.split('/')[2] ?? '');
      const [certificate] = (await call('GET', '/certificates')).data;
      if (certificate?.verify_token) tokens.push(certificate.verify_token);
    }
  }
  const [first, ...rest] = tokens;
  if (!first) throw new Error('No link was made.');
  return { keys: [live, test], cookie, origin, tokens: [first, ...rest], inbound_secret, ids };
}
