/**
 * `npm run test:upgrade -- [--from=HEAD~1] [--minutes=10]`: performs a rolling upgrade under load.
 * First a server of an earlier commit runs alone. Then a server of this commit starts next to it,
 * with a migration that adds a column. Both run for a while, and then the earlier one stops. No
 * acknowledged write may be lost, every reservation's event has to arrive, and no response may be a
 * 5xx other than 503. Needs TEST_DATABASE_URL, with a PostgreSQL role that may create databases.
 * Exits with 1 when a promise was broken.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { Client } from 'pg';
import { findFreePort } from '../../src/testing/server';

const run = promisify(execFile);
const { values } = parseArgs({
  options: { from: { type: 'string', default: 'HEAD~1' }, minutes: { type: 'string', default: '10' } },
});
const admin_url = process.env.TEST_DATABASE_URL;
if (!admin_url) throw new Error('TEST_DATABASE_URL: missing; two versions side by side need a PostgreSQL server.');
const PARTNERS = 4;
const began = performance.now();
const say = (line: string) =>
  console.log(`  ${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${line}`);

/** Checks out a commit into a separate folder, from which it can be started. */
async function checkOut(commit: string, folder: string): Promise<void> {
  await run('git', ['worktree', 'add', '--detach', folder, commit]);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const setup = "import('./scripts/setup.mjs').then((it) => it.setUp({ level: 'dev', dev: true }))";
  await run(process.execPath, ['-e', setup], { cwd: folder, timeout: 600_000 });
}

async function addMigration(folder: string): Promise<void> {
  const directory = join(folder, 'prisma/migrations/99990101000000_rolling_upgrade');
  await mkdir(directory);
  await writeFile(join(directory, 'migration.sql'), 'ALTER TABLE "properties" ADD COLUMN "upgrade_probe" TEXT;\n');
}

interface Instance {
  url: string;
  child: ChildProcess;
}

async function start(folder: string, env: Record<string, string>): Promise<Instance> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env, PORT: String(port) } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const deadline = performance.now() + 180_000;
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`${folder} did not start.`);
    await sleep(200);
  }
  return { url, child };
}

async function stop({ child }: Instance): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Responses with a status other than 2xx, 409 or 503. */
const wrong: string[] = [];
const acknowledged = new Set<string>();
let unavailable = 0;
let instances: Instance[] = [];

/** Sends a request with one idempotency key to the instances in turn, until one of them answers. */
async function persist(key: string, path: string, body: object): Promise<{ id: string }> {
  const idempotency_key = randomBytes(12).toString('hex');
  for (let turn = 0; ; turn++) {
    const { url } = instances[turn % instances.length] as Instance;
    const response = await fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotency_key,
      },
      body: JSON.stringify(body),
    }).catch(() => null);
    if (response?.ok) return (await response.json()) as { id: string };
    if (response && response.status !== 503 && response.status !== 409) {
      const text = await response.text();
      wrong.push(`${response.status} to POST ${path}: ${text.slice(0, 300)}`);
      if (response.status < 500) throw new Error(wrong.at(-1));
    }
    unavailable += 1;
    await sleep(200);
  }
}

async function work(key: string, property_id: string, going: () => boolean): Promise<void> {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  for (let count = 0; going(); count++) {
    const guest = { guest_name: `Guest ${count}`, guest_email: `guest-${randomBytes(4).toString('hex')}@example.com` };
    const stay = { checkin_date: day(3 + (count % 20)), checkout_date: day(25) };
    acknowledged.add((await persist(key, '/reservations', { property_id, ...guest, ...stay })).id);
    await sleep(100);
  }
}

const folder = await mkdtemp(join(tmpdir(), 'threshold-upgrade-'));
const [earlier, later] = [join(folder, 'earlier'), join(folder, 'later')];
const database = `upgrade_${randomBytes(4).toString('hex')}`;
const received = new Set<string>();
const receiver = createServer((request, response) => {
  let text = '';
  request.on('data', (part) => {
    text += part;
  });
  request.on('end', () => {
    received.add((JSON.parse(text) as { data: { object: { id: string } } }).data.object.id);
    response.writeHead(200).end();
  });
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const sql = async (text: string) => {
  const client = new Client({ connectionString: admin_url });
  await client.connect();
  await client.query(text).finally(() => client.end());
};

try {
  say(`making ready ${values.from} and HEAD`);
  await checkOut(values.from, earlier);
  await checkOut('HEAD', later);
  await addMigration(later);
  await sql(`CREATE DATABASE ${database}`);
  const url = new URL(admin_url);
  url.pathname = `/${database}`;
  const env = {
    HOST: '127.0.0.1',
    ENV_FILE: '',
    APP_URL: 'http://localhost:3000',
    DATABASE_URL: url.href,
    APP_SECRET: randomBytes(32).toString('base64url'),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'error',
    OUTBOUND_ALLOW_LOOPBACK: '1',
    THRESHOLD_WITHOUT_NEXT: '1',
    RATE_LIMIT_READ_PER_MINUTE: '100000',
    RATE_LIMIT_WRITE_PER_MINUTE: '100000',
  };
  const old = await start(earlier, env);
  instances = [old];
  const admin = async (args: string[], input = '') => {
    const running = run(process.execPath, ['scripts/admin.mjs', ...args], {
      cwd: earlier,
      env: { ...process.env, ...env },
    });
    running.child.stdin?.end(input);
    return JSON.parse((await running).stdout);
  };
  const { team } = await admin(
    ['team', 'create', '--name', 'Upgrade', '--owner-email', 'o@example.com'],
    'correct horse battery staple',
  );
  const { key } = await admin(['key', 'create', '--team', team.id, '--mode', 'test']);
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  await persist(key, '/webhook_endpoints', { url: hook, events: ['reservation.created'] });
  const { id: property_id } = await persist(key, '/properties', { name: 'Casa Azul' });

  let going = true;
  const partners = Promise.all(Array.from({ length: PARTNERS }, () => work(key, property_id, () => going)));
  const part_ms = (Number(values.minutes) * 60_000) / 10;
  await sleep(part_ms);
  say(`${acknowledged.size} reservations by the earlier version; the later one starts and migrates`);
  const fresh = await start(later, env);
  instances = [old, fresh];
  await sleep(8 * part_ms);
  say(`${acknowledged.size} reservations; the earlier version stops`);
  instances = [fresh];
  await stop(old);
  await sleep(part_ms);
  going = false;
  await partners;
  const deadline = performance.now() + 120_000;
  while ([...acknowledged].some((id) => !received.has(id)) && performance.now() < deadline) await sleep(500);
  const lost_events = [...acknowledged].filter((id) => !received.has(id));
  const gone: string[] = [];
  for (const id of acknowledged) {
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await fetch(`${fresh.url}/v1/reservations/${id}`, { headers });
    if (answer.status !== 200) gone.push(`${id}: ${answer.status}`);
  }
  await stop(fresh);
  say(
    `${acknowledged.size} acknowledged, ${gone.length} of them gone; ${lost_events.length} events lost; ${unavailable} requests repeated`,
  );
  for (const line of [...wrong, ...gone].slice(0, 20)) console.error(`  ✗ ${line}`);
  process.exitCode = wrong.length + gone.length + lost_events.length > 0 ? 1 : 0;
} finally {
  for (const instance of instances) await stop(instance);
  receiver.close();
  await sql(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  for (const tree of [earlier, later]) await run('git', ['worktree', 'remove', '--force', tree]).catch(() => {});
  await rm(folder, { recursive: true, force: true });
}
process.exit();
