/**
 * Tests that the embedded database survives any amount of writing, keeps its log short, and can be
 * closed at any moment.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '@/testing/sample';
import { checkpointWalIfLong, openPglite } from './pglite';

const SEGMENT = 16 * 1_024 * 1_024;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'threshold-log-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/**
 * Returns the output of a script in a separate process. In this process, a hanging database would
 * block even the test's timeout.
 */
async function said(script: string): Promise<string> {
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      `import { openPglite } from '@/infra/db/driver/pglite';
       const database = await openPglite(process.argv[1]);
       ${script}
       process.exit(0);`,
      folder,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], timeout: 90_000, killSignal: 'SIGKILL' },
  );
  let text = '';
  child.stdout.on('data', (data) => {
    text += data;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  return text.trim();
}

it('continues after more writes than PostgreSQL allows before an automatic checkpoint', async () => {
  const count = await said(`
    await database.exec('CREATE TABLE written (id int)');
    for (let id = 0; id < 40; id++) {
      await database.query('INSERT INTO written VALUES ($1)', [id]);
      await database.query('SELECT pg_switch_wal()');
    }
    const { rows } = await database.query('SELECT count(*)::int AS count FROM written');
    console.log(rows[0].count);`);
  expect(count).toBe('40');
});

it('closes once running work has ended, and rejects new queries', async () => {
  const lines = await said(`
    const say = (name) => [() => console.log(name), (error) => console.log(name + ': ' + error.message)];
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    database.query('CHECKPOINT').then(...say('a query'));
    database.transaction(async (session) => {
      await pause(300);
      await session.query('SELECT 3');
    }).then(...say('a transaction'));
    const closed = database.close();
    await pause(100);
    database.query('SELECT 4').then(...say('a query that comes later'));
    await closed;
    console.log('closed');`);
  expect(lines.split('\n')).toEqual([
    'a query',
    'a query that comes later: The database is being closed.',
    'a transaction',
    'closed',
  ]);
});

it('makes a checkpoint when the write-ahead log is long, which frees the old segments', async () => {
  const database = await openPglite(folder);
  try {
    await database.exec('CREATE TABLE written (text text)');
    expect(await checkpointWalIfLong(database)).toBe(false);
    for (let round = 0; round < 4; round++) {
      for (let segment = 0; segment < 5; segment++) {
        await database.query('INSERT INTO written VALUES ($1)', ['x'.repeat(1_000)]);
        await database.query('SELECT pg_switch_wal()');
      }
      expect(await checkpointWalIfLong(database)).toBe(true);
      expect(await checkpointWalIfLong(database)).toBe(false);
    }
    const segments = (await readdir(join(folder, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name));
    expect(segments.length * SEGMENT).toBeLessThanOrEqual(12 * SEGMENT);
  } finally {
    await database.close();
  }
});

it.skipIf(!existsSync('build/database/empty.tar.gz'))(
  'starts with the build’s empty database, which equals one created here',
  async () => {
    const asked = `SELECT current_setting('server_version') AS version, datcollate, datctype, pg_encoding_to_char(encoding) AS encoding,
    current_user AS me, (SELECT count(*)::int FROM pg_class) AS relations FROM pg_database WHERE datname = current_database()`;
    const made_here = await openPglite();
    const from_build = await openPglite(folder);
    const identity = async (database: typeof made_here) =>
      (await database.query<{ id: string }>('SELECT system_identifier::text AS id FROM pg_control_system()')).rows[0]
        ?.id;
    expect((await from_build.query(asked)).rows).toEqual((await made_here.query(asked)).rows);
    const again = await mkdtemp(join(tmpdir(), 'threshold-log-'));
    const second = await openPglite(again);
    expect(await identity(second)).toBe(await identity(from_build));
    expect(await identity(second)).not.toBe(await identity(made_here));
    for (const database of [made_here, from_build, second]) await database.close();
    await rm(again, { recursive: true });
  },
);

it('is created again if the process that created it died at any point', {
  ...MATRIX_TEST_OPTIONS,
  timeout: 180_000,
}, async () => {
  const script = `import { openPglite } from '@/infra/db/driver/pglite';
    console.log('begins');
    await openPglite(process.argv[1]);
    console.log('is made');`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  /**
   * Creates a database in a process that is killed after a time. Returns the duration, or null when
   * it did not finish.
   */
  async function make(own: string, die_after_ms = 60_000): Promise<number | null> {
    const child = spawn(process.execPath, [...args, own], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    let text = '';
    let began = 0;
    let made: number | null = null;
    child.stdout.on('data', (data) => {
      if (text === '') {
        began = performance.now();
        setTimeout(() => child.kill('SIGKILL'), die_after_ms).unref();
      }
      text += data;
      if (!text.includes('is made')) return;
      made = performance.now() - began;
      child.kill('SIGKILL');
    });
    await ended;
    return made;
  }
  // The delays are fractions of a measured duration, because the duration depends on other work on
  // the machine.
  const whole_ms = Number(await make(join(folder, 'whole')));
  expect(whole_ms).toBeGreaterThan(0);
  let killed = 0;
  const shares = selectSampledCases([0.02, 0.2, 0.35, 0.5, 0.65, 0.8]);
  for (const share of shares) {
    const own = join(folder, `after-${share}`);
    if ((await make(own, share * whole_ms)) === null) killed += 1;
    const database = await openPglite(own);
    expect((await database.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await database.close();
  }
  expect(killed).toBeGreaterThanOrEqual(shares.length - 2);
});
