import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client } from 'pg';
import tar from 'tar-stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { config, setConfig } from '@/config';
import { closeDatabase, systemDb } from '@/infra/db/client';
import { openDatabase } from '@/infra/db/open';
import { createSystemScope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertSyncSource } from '@/testing/team';
import type { BackupProgress } from './archive';
import { writeBackup } from './backup';
import { checkBackup } from './check';
import { restoreBackupIntoEmbeddedDatabase, restoreExternalBackup } from './restore';

// Creating a whole embedded database takes seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

let data_dir: string;
let file: string;
const at = new Date('2026-03-04T05:06:07.890Z');
const tenant = { team_id: 'team_1', mode: 'test' as const, created_at: at };

beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'backup-test-'));
  file = join(data_dir, 'b.tar');
  await openTestDatabase();
  setConfig({ data_dir });
  // An earlier test file may have left a sealing key (testing/database.ts), which would change the
  // number of rows.
  await systemDb().installationKey.deleteMany();
  await systemDb().team.create({ data: { id: 'team_1', name: 'Zoë’s "place"\n🏡', slug: 's', createdAt: at } });
  await systemDb().user.create({
    data: { id: 'user_1', name: 'U', email: 'u@example.com', createdAt: at, updatedAt: at },
  });
  await systemDb().member.create({ data: { id: 'mem_1', organizationId: 'team_1', userId: 'user_1' } });
  await systemDb().eventCounter.create({ data: { team_id: 'team_1', mode: 'test', value: 2n ** 62n } });
  await systemDb().event.create({
    data: { ...tenant, id: 'evt_1', type: 'reservation.created', object_id: 'res_1', sequence: 1, body: '{}' },
  });
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
  await insertSyncSource(createSystemScope('team_1', 'test', 'test'), 'ss_1');
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
  events: await systemDb().event.findMany(),
  // The backup does not contain the counts. They are computed again from the restored events.
  counts: await systemDb().activityCount.findMany({ orderBy: { minutes: 'asc' } }),
  endpoints: await systemDb().webhookEndpoint.findMany({ orderBy: { id: 'asc' } }),
  audit: await systemDb().auditLog.findMany(),
  mails: (await systemDb().inboundMail.findMany({ orderBy: { id: 'asc' } })).map(({ raw, ...row }) => ({
    ...row,
    raw: createHash('sha256')
      .update(raw ?? '')
      .digest('hex'),
  })),
});

test('a backup restored elsewhere contains every row exactly, with the foreign keys in force', async () => {
  const before = await everything();
  expect(before.counts).toMatchObject([
    { minutes: 15, created: 1 },
    { minutes: 60, created: 1 },
  ]);
  const { rows } = await writeBackup(file);
  expect(rows).toBe(1109);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await closeTestDatabase();

  expect(await restoreBackupIntoEmbeddedDatabase(file)).toMatchObject({ rows, replaced: null });
  await openDatabase();
  expect(await everything()).toEqual(before);
  await systemDb().team.delete({ where: { id: 'team_1' } });
  expect(await systemDb().member.count()).toBe(0);
  await closeDatabase();
});

test('an embedded backup includes the master secret, and the restore keeps the replaced one aside', async () => {
  const secret = config().app_secret;
  await writeBackup(file);
  await closeTestDatabase();
  await writeFile(join(data_dir, 'app-secret'), 'the secret of before');
  const { replaced } = await restoreBackupIntoEmbeddedDatabase(file);
  expect(await readFile(join(data_dir, 'app-secret'), 'utf8')).toBe(secret);
  expect(await readFile(join(replaced ?? '', 'app-secret'), 'utf8')).toBe('the secret of before');
});

test('a restore over an interrupted first start survives the next start', async () => {
  const before = await everything();
  await writeBackup(file);
  await closeTestDatabase();
  // Simulates a database whose creation was interrupted (driver/pglite.ts).
  await writeFile(join(data_dir, 'postgres.unfinished'), '');
  await restoreBackupIntoEmbeddedDatabase(file);
  await openDatabase();
  expect(await everything()).toEqual(before);
  await closeDatabase();
});

/** A program that dies before the restored data is moved into place. */
const DYING = `
  import { syncBuiltinESMExports } from 'node:module';
  import fs from 'node:fs/promises';
  const { rename } = fs;
  fs.rename = (from, to) =>
    to === process.env.DATA_DIR + '/postgres' ? process.kill(process.pid, 'SIGKILL') : rename(from, to);
  syncBuiltinESMExports();
`;

test('a restore interrupted before it replaced the database is finished by the next start', async () => {
  const before = await everything();
  await writeBackup(file);
  await closeTestDatabase();
  await writeFile(join(data_dir, 'app-secret'), 'the secret of before');
  const { DATABASE_URL: _, APP_SECRET: __, ...env } = process.env;
  const dying = `data:text/javascript,${encodeURIComponent(DYING)}`;
  const args = ['--import', 'tsx', '--import', dying, 'src/operator/main.ts', 'restore', '--in', file];
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...env, DATA_DIR: data_dir } });
  expect((await once(child, 'exit'))[1]).toBe('SIGKILL');
  const secret = config().app_secret;
  setConfig({ app_secret: undefined });
  await openDatabase();
  expect(await everything()).toEqual(before);
  expect(config().app_secret).toBe(secret);
  await closeDatabase();
});

const flip = (at: (bytes: Buffer) => number) => (bytes: Buffer) => {
  const spoilt = Buffer.from(bytes);
  const place = at(spoilt);
  spoilt[place] = (spoilt[place] ?? 0) ^ 1;
  return spoilt;
};

/** Returns the files of an archive, in order. */
async function unpack(bytes: Buffer): Promise<[name: string, bytes: Buffer][]> {
  const files: [string, Buffer][] = [];
  const extract = tar.extract();
  extract.end(bytes);
  for await (const entry of extract) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    files.push([entry.header.name, Buffer.concat(chunks)]);
  }
  return files;
}

async function pack(files: readonly (readonly [string, Buffer])[]): Promise<Buffer> {
  const archive = tar.pack();
  for (const [name, bytes] of files) archive.entry({ name }, bytes);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Returns the archive with changed files, and with hashes that match them. */
async function repacked(bytes: Buffer, change: (name: string, text: string) => string | null): Promise<Buffer> {
  const files = (await unpack(bytes)).slice(0, -1).flatMap(([name, content]): [string, Buffer][] => {
    const isPart = name.endsWith('.gz');
    const text = change(name, (isPart ? gunzipSync(content) : content).toString());
    return text === null ? [] : [[name, isPart ? gzipSync(text) : Buffer.from(text)]];
  });
  const sums = files.map(([name, content]) => `${sha256(content)}  ${name}\n`).join('');
  return pack([...files, ['SHA256SUMS', Buffer.from(sums)]]);
}

const HEADER_BYTES = 512;

test.each<[string, (bytes: Buffer) => Buffer | Promise<Buffer>]>([
  ['cut short', (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ['missing its end', async (bytes) => pack((await unpack(bytes)).slice(0, -1))],
  ['with a flipped bit at the start', flip(() => 0)],
  ['with a flipped bit in its header', flip(() => HEADER_BYTES + 20)],
  ['with a flipped bit in a hash', flip((bytes) => bytes.indexOf('SHA256SUMS') + HEADER_BYTES + 30)],
  ['without a part', async (bytes) => pack((await unpack(bytes)).filter(([name]) => !name.startsWith('events')))],
  ['followed by other data', (bytes) => Buffer.concat([bytes, bytes])],
  ['with a line that is not a row', (bytes) => repacked(bytes, (name, text) => (/^teams/.test(name) ? 'x\n' : text))],
  ['without its header', (bytes) => repacked(bytes, (name, text) => (name === 'backup.json' ? null : text))],
  ['of version 2', (bytes) => repacked(bytes, (_, text) => text.replace('"version": 1', '"version": 2'))],
  ['empty', () => Buffer.alloc(0)],
])('a file that is %s is rejected and changes nothing', async (_, spoil) => {
  await writeBackup(file);
  await closeTestDatabase();
  await writeFile(file, await spoil(await readFile(file)));
  expect(await checkBackup(file)).toMatchObject({ ok: false });
  await expect(restoreBackupIntoEmbeddedDatabase(file)).rejects.toThrow('not a whole backup');
  expect(await readdir(data_dir)).toEqual(['b.tar']);
});

test('a backup of a newer version is rejected and leaves nothing behind', async () => {
  await writeBackup(file);
  await closeTestDatabase();
  const version = await repacked(await readFile(file), (_, text) => text.replace('"version": 1', '"version": 2'));
  await writeFile(file, version);
  await expect(restoreBackupIntoEmbeddedDatabase(file)).rejects.toThrow('was made by a newer version of Threshold');
  const migration = (_: string, text: string) =>
    text.replace('"version": 2', '"version": 1').replace('"migrations": [', '"migrations": ["29990101000000_later",');
  await writeFile(file, await repacked(version, migration));
  await expect(restoreBackupIntoEmbeddedDatabase(file)).rejects.toThrow(
    'newer version of Threshold (29990101000000_later)',
  );
  expect(await readdir(data_dir)).toEqual(['b.tar']);
});

test('tar, sha256sum and gzip can read a backup without this program', async () => {
  await writeBackup(file);
  const sh = (command: string) => execFileSync('sh', ['-c', command], { cwd: data_dir, encoding: 'utf8' });
  expect(sh('tar xf b.tar && sha256sum --check --quiet SHA256SUMS && echo whole')).toBe('whole\n');
  expect(JSON.parse(sh('cat backup.json'))).toMatchObject({ format: 'threshold-backup', version: 1 });
  expect(JSON.parse(sh('zcat audit_logs/*.jsonl.gz'))).toMatchObject({
    id: 'aud_1',
    data: { deep: [1.5, null, 'ü\\n'] },
  });
  expect(sh('zcat webhook_endpoints/*.jsonl.gz | wc -l').trim()).toBe('1100');
});

test('with a passphrase the backup is encrypted, and no other passphrase opens it', async () => {
  const before = await everything();
  setConfig({ backup_passphrase: 'correct horse battery staple' });
  const { rows, bytes } = await writeBackup(file);
  expect((await readFile(file)).toString('latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt /);
  expect((await stat(file)).size).toBe(bytes);
  expect(await checkBackup(file)).toMatchObject({ ok: true, rows });
  setConfig({ backup_passphrase: undefined });
  await expect(checkBackup(file)).rejects.toThrow('The backup is encrypted: set BACKUP_PASSPHRASE');
  setConfig({ backup_passphrase: 'another' });
  await expect(checkBackup(file)).rejects.toThrow('BACKUP_PASSPHRASE does not open the backup');
  setConfig({ backup_passphrase: 'correct horse battery staple' });
  await closeTestDatabase();
  const whole = await readFile(file);
  await writeFile(file, flip((all) => all.length >> 1)(whole));
  expect(await checkBackup(file)).toMatchObject({ ok: false });
  await expect(restoreBackupIntoEmbeddedDatabase(file)).rejects.toThrow('not a whole backup');
  await writeFile(file, whole);
  expect(await restoreBackupIntoEmbeddedDatabase(file)).toMatchObject({ rows });
  await openDatabase();
  expect(await everything()).toEqual(before);
  await closeDatabase();
  setConfig({ backup_passphrase: undefined });
});

test('a backup that fails midway leaves the previous file intact', async () => {
  await writeBackup(file);
  const whole = await readFile(file);
  await expect(
    writeBackup(file, () => {
      throw new Error('the disk is full');
    }),
  ).rejects.toThrow('the disk is full');
  expect(await readFile(file)).toEqual(whole);
  expect(await readdir(data_dir)).toEqual(['b.tar']);
});

const MEGABYTE = 1 << 20;

/** Inserts incompressible rows, like photos. One row is larger than all size limits. */
async function insertPictures(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const raw = new Uint8Array(randomBytes(n === 3 ? 5 * MEGABYTE : 400_000));
    const own = { id: `big_${n}`, message_id: `big_${n}`, sync_source_id: 'ss_1', status: 'inbox', received_at: at };
    await systemDb().inboundMail.create({ data: { team_id: 'team_1', mode: 'test', ...own, raw } });
  }
}

test('large rows are split into small parts, and each damaged part is found', async () => {
  await insertPictures(12);
  const before = await everything();
  const steps: BackupProgress[] = [];
  const { bytes, rows } = await writeBackup(file, (step) => steps.push(step));
  // In JSON the random bytes are hexadecimal digits. The compressed digits are slightly larger than
  // the original bytes.
  expect(bytes).toBeGreaterThan(9 * MEGABYTE);
  const sizes = steps.map((step, n) => step.bytes - (steps[n - 1]?.bytes ?? 0)).sort((a, b) => b - a);
  expect(sizes[0]).toBeLessThan(6 * MEGABYTE);
  expect(sizes[1]).toBeLessThan(1.2 * MEGABYTE);
  expect(steps.at(-1)).toEqual({ rows, bytes });

  expect(await checkBackup(file)).toMatchObject({ ok: true, rows, bytes, damaged: [] });
  const whole = await readFile(file);
  const spoilt = Buffer.from(whole);
  for (const part of ['000002', '000005']) {
    const place = whole.indexOf(`inbound_mails/${part}`) + HEADER_BYTES + 100_000;
    spoilt[place] = (spoilt[place] ?? 0) ^ 1;
  }
  await writeFile(file, spoilt);
  const check = await checkBackup(file);
  expect(new Set(check.damaged.map(({ where }) => where))).toEqual(
    new Set(['inbound_mails/000002.jsonl.gz', 'inbound_mails/000005.jsonl.gz']),
  );
  expect(check.rows).toBeGreaterThan(rows - 12);
  expect(check.rows).toBeLessThan(rows);

  await closeTestDatabase();
  await writeFile(file, whole);
  expect(await restoreBackupIntoEmbeddedDatabase(file)).toMatchObject({ rows });
  await openDatabase();
  expect(await everything()).toEqual(before);
  await closeDatabase();
});

/**
 * Returns the process's memory after garbage collection, without code, stacks and the database's
 * own memory.
 */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('the memory use of a restore stays constant', { tags: ['exhaustive'] }, async () => {
  const picture = randomBytes(400_000);
  await systemDb().$executeRaw`
    insert into inbound_mails (id, message_id, team_id, mode, sync_source_id, status, received_at, raw)
    select 'big_' || n, 'big_' || n, 'team_1', 'test', 'ss_1', 'inbox', ${at}, ${picture} from generate_series(1, 100) n`;
  await writeBackup(file);
  await closeTestDatabase();
  const held: number[] = [];
  await restoreBackupIntoEmbeddedDatabase(file, ({ bytes }) => {
    if (bytes > (held.length + 1) * 8 * MEGABYTE) held.push(heldBytes());
  });
  expect(held.length).toBeGreaterThan(3);
  expect(Math.max(...held) - Math.min(...held)).toBeLessThan(20 * MEGABYTE);
});

const server = process.env.TEST_DATABASE_URL;

test.runIf(server)('a backup restores only into an empty external PostgreSQL', async () => {
  const before = await everything();
  const { rows } = await writeBackup(file);
  await closeTestDatabase();
  const name = `threshold_restore_${randomBytes(6).toString('hex')}`;
  const url = new URL(server ?? '');
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`create database ${name}`);
  url.pathname = `/${name}`;
  vi.stubEnv('APP_SECRET', config().app_secret);
  setConfig({ database_url: url.href });
  try {
    expect(await restoreExternalBackup(file)).toMatchObject({ rows, replaced: null });
    await expect(restoreExternalBackup(file)).rejects.toThrow('already holds teams');
    await openDatabase();
    expect(await everything()).toEqual(before);
    expect((await writeBackup(file)).note).toContain('pg_dump');
    await closeDatabase();
  } finally {
    vi.unstubAllEnvs();
    setConfig({ database_url: undefined });
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
});
