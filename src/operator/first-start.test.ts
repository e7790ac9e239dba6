/** Tests the first start of an embedded installation, including after an interrupted one. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { config, setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { ensureAppSecret } from '@/infra/db/open';
import { verifyPassword } from '@/modules/accounts/sign-in/password';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase } from '@/testing/team';
import { createFirstAccountIfNoneExists } from './first-start';

let data_dir: string;
const told = () => join(data_dir, 'first-start.txt');
const greetFirstStart = async () => (await createFirstAccountIfNoneExists())();

beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'first-start-'));
  await openTestDatabase();
  await clearDatabase();
  setConfig({ data_dir });
  vi.stubEnv('npm_lifecycle_event', undefined);
  vi.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await closeTestDatabase();
  await rm(data_dir, { recursive: true });
});

it('creates an owner and two keys in an empty installation, and never again', async () => {
  await greetFirstStart();
  expect(await readFile(told(), 'utf8')).toMatch(/service_live_sk_\w+[\s\S]+service_test_sk_\w+/);
  expect(await systemDb().team.count()).toBe(1);
  await rm(told());
  await greetFirstStart();
  expect(existsSync(told())).toBe(false);
  expect(await systemDb().apiKey.count()).toBe(2);
});

it('shows the server’s actual URL once it listens, on any free port', async () => {
  const { app_url, api_root } = config();
  const show = await createFirstAccountIfNoneExists();
  expect(await systemDb().apiKey.count()).toBe(2);
  setConfig({ app_url: 'http://localhost:41234', api_root: 'http://localhost:41234/v1' });
  await show();
  setConfig({ app_url, api_root });
  const text = await readFile(told(), 'utf8');
  expect(text).toMatch(/dashboard {3}http:\/\/localhost:41234\n[\s\S]+curl http:\/\/localhost:41234\/v1\//);
});

it.each([true, undefined])(
  'shows the password even after an interruption once the account exists (terminal: %s)',
  async (terminal) => {
    const isTTY = process.stdout.isTTY;
    process.stdout.isTTY = terminal as true;
    await systemDb().$executeRawUnsafe('ALTER TABLE api_keys ADD CONSTRAINT cut_off CHECK (false) NOT VALID');
    try {
      await expect(greetFirstStart()).rejects.toThrow();
    } finally {
      await systemDb().$executeRawUnsafe('ALTER TABLE api_keys DROP CONSTRAINT cut_off');
      process.stdout.isTTY = isTTY;
    }
    expect(await systemDb().team.count()).toBe(1);
    const said = vi.mocked(console.log);
    said.mockClear();
    await greetFirstStart();
    expect(said).toHaveBeenCalledWith(expect.stringContaining(told()));
    const password = /password\s+(\S+)/.exec(await readFile(told(), 'utf8'))?.[1] ?? '';
    const { password: hash } = await systemDb().account.findFirstOrThrow({ where: { password: { not: null } } });
    expect(await verifyPassword(hash ?? '', password)).toBe(true);
    expect(await systemDb().team.count()).toBe(1);
  },
);

it('writes no file when the password was shown on a terminal', async () => {
  const isTTY = process.stdout.isTTY;
  process.stdout.isTTY = true;
  await greetFirstStart().finally(() => {
    process.stdout.isTTY = isTTY;
  });
  expect(console.log).toHaveBeenCalledWith(expect.stringMatching(/password[\s\S]+service_live_sk_\w+/));
  expect(await readdir(data_dir)).toEqual([]);
});

it('creates nothing once a user has signed up, even without a team', async () => {
  const at = new Date();
  await systemDb().user.create({
    data: { id: 'user_1', name: 'U', email: 'u@example.com', createdAt: at, updatedAt: at },
  });
  await greetFirstStart();
  expect(await systemDb().team.count()).toBe(0);
});

it('replaces a master secret whose write was interrupted, and keeps a complete one', async () => {
  const file = join(data_dir, 'app-secret');
  await writeFile(file, '');
  setConfig({ app_secret: undefined });
  await ensureAppSecret();
  const made = config().app_secret;
  expect(made).toMatch(/^[\w-]{43}$/);
  expect(await readFile(file, 'utf8')).toBe(made);
  setConfig({ app_secret: undefined });
  await ensureAppSecret();
  expect(config().app_secret).toBe(made);
});
