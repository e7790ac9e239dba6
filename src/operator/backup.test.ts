import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { config, setConfig } from '@/config';
import { closeDatabase, systemDb } from '@/infra/db/client';
import { openDatabase } from '@/infra/db/open';
import { systemScope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertSyncSource } from '@/testing/team';
import { backUp } from './backup';
import { restoreEmbedded } from './restore';

// Making a whole embedded database takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let data_dir: string;
let file: string;
const at = new Date('2026-03-04T05:06:07.890Z');
const tenant = { team_id: 'team_1', mode: 'test' as const, created_at: at };

beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'backup-test-'));
  file = join(data_dir, 'b.gz');
  await openTestDatabase();
  setConfig({ data_dir });
  // One that a test file before this one may have left (testing/database.ts); the rows are counted.
  await systemDb().installationKey.deleteMany();
  await systemDb().team.create({ data: { id: 'team_1', name: 'Zoë’s "place"\n🏡', slug: 's', createdAt: at } });
  await systemDb().user.create({
    data: { id: 'user_1', name: 'U', email: 'u@example.com', createdAt: at, updatedAt: at },
  });
  await systemDb().member.create({ data: { id: 'mem_1', organizationId: 'team_1', userId: 'user_1' } });
  await systemDb().eventCounter.create({ data: { team_id: 'team_1', mode: 'test', value: 2n ** 62n } });
  await systemDb().webhookEndpoint.createMany({
    data: Array.from({ length: 1100 }, (_, n) => ({
      ...tenant,
      id: `whe_${n}`,
      url: 'https://example.com',
      events: ['*', 'a,"b"}'],
      secret: 's',
      secret_last4: 'abcd',
      updated_at: at,
    })),
  });
  await systemDb().auditLog.create({
    data: { ...tenant, id: 'aud_1', action: 'a', actor: 'b', data: { deep: [1.5, null, 'ü\\n'] } },
  });
  await insertSyncSource(systemScope('team_1', 'test', 'test'), 'ss_1');
  await systemDb().inboundMail.create({
    data: {
      id: 'inb_1',
      team_id: 'team_1',
      mode: 'test',
      sync_source_id: 'ss_1',
      message_id: 'm',
      status: 'inbox',
      raw: new Uint8Array([0, 255, 10, 92]),
      received_at: at,
    },
  });
});

afterEach(async () => {
  await closeTestDatabase();
  await rm(data_dir, { recursive: true, force: true });
});

const everything = async () => ({
  teams: await systemDb().team.findMany(),
  members: await systemDb().member.findMany({ include: { user: true } }),
  counters: await systemDb().eventCounter.findMany(),
  endpoints: await systemDb().webhookEndpoint.findMany({ orderBy: { id: 'asc' } }),
  audit: await systemDb().auditLog.findMany(),
  mails: await systemDb().inboundMail.findMany(),
});

test('a backup restored elsewhere holds every row exactly, with the foreign keys in force', async () => {
  const before = await everything();
  const { rows } = await backUp(file);
  expect(rows).toBe(1108);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await closeTestDatabase();

  expect(await restoreEmbedded(file)).toMatchObject({ rows, replaced: null });
  await openDatabase();
  expect(await everything()).toEqual(before);
  await systemDb().team.delete({ where: { id: 'team_1' } });
  expect(await systemDb().member.count()).toBe(0);
  await closeDatabase();
});

test('the master secret travels with an embedded backup, and what was there before is kept aside', async () => {
  const secret = config().app_secret;
  await backUp(file);
  await closeTestDatabase();
  await writeFile(join(data_dir, 'app-secret'), 'the secret of before');
  const { replaced } = await restoreEmbedded(file);
  expect(await readFile(join(data_dir, 'app-secret'), 'utf8')).toBe(secret);
  expect(await readFile(join(replaced ?? '', 'app-secret'), 'utf8')).toBe('the secret of before');
});

test.each([
  ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 40)],
  ['missing a row', (bytes: Buffer) => gzipSync(gunzipSync(bytes).toString().split('\n').slice(0, -2).join('\n'))],
  ['of something else', () => gzipSync('{"hello":"world"}\n')],
  ['not compressed', (bytes: Buffer) => gunzipSync(bytes)],
])('a file that is %s is refused and changes nothing', async (_, spoil) => {
  await backUp(file);
  await closeTestDatabase();
  await writeFile(file, spoil(await readFile(file)));
  await expect(restoreEmbedded(file)).rejects.toThrow('not a whole backup');
  expect(await readdir(data_dir)).toEqual(['b.gz']);
});

test('a backup of a newer version is refused and leaves nothing behind', async () => {
  await backUp(file);
  await closeTestDatabase();
  const text = gunzipSync(await readFile(file)).toString();
  await writeFile(file, gzipSync(text.replace('"migrations":[', '"migrations":["29990101000000_later",')));
  await expect(restoreEmbedded(file)).rejects.toThrow('newer version of Threshold (29990101000000_later)');
  expect(await readdir(data_dir)).toEqual(['b.gz']);
});
