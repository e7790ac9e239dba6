import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setConfig } from '@/config';
import { closeDatabase, systemDb } from '@/infra/db/client';
import { openDatabase } from '@/infra/db/open';
import { inSystemTransaction } from '@/infra/db/transaction';
import { copyEmbeddedDatabase } from './backup-copy';
import { removeLeftoverBackupCopies, writeBackupFromDatabaseCopy } from './backup-of-copy';
import { checkBackup } from './check';
import { restoreBackupIntoEmbeddedDatabase } from './restore';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let data_dir: string;

beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'backup-copy-test-'));
  setConfig({ data_dir, database_url: undefined, app_secret: 'test-secret-test-secret-test-secret' });
  await openDatabase();
});

afterEach(async () => {
  await closeDatabase();
  await rm(data_dir, { recursive: true, force: true });
});

/**
 * Inserts two rows per transaction repeatedly: a consistent copy has both or neither of each pair.
 */
function writePairs() {
  let pairs = 0;
  let going = true;
  const ended = (async () => {
    for (; going; pairs++) {
      const id = `pair_${pairs}`;
      await inSystemTransaction(async () => {
        await systemDb().providerEvent.create({ data: { id: `${id}_a`, created_at: new Date() } });
        await systemDb().providerEvent.create({ data: { id: `${id}_b`, created_at: new Date() } });
      });
      // Without a pause the copying would get almost no processor time.
      await sleep(20);
    }
  })();
  return {
    written: () => pairs,
    stop: async () => {
      going = false;
      await ended;
    },
  };
}

test('a copy made during writes is consistent, and contains every write acknowledged before', async () => {
  const writer = writePairs();
  await vi.waitFor(() => expect(writer.written()).toBeGreaterThan(5), { timeout: 20_000 });
  const acknowledged = writer.written();
  const { copy, waited_ms } = await copyEmbeddedDatabase();
  await writer.stop();
  expect(waited_ms).toBeLessThan(10_000);
  await closeDatabase();

  const { PGlite } = await import('@electric-sql/pglite');
  const pglite = await PGlite.create(copy);
  const { rows } = await pglite.query<{ id: string }>('select id from provider_events');
  await pglite.close();
  const ids = new Set(rows.map((row) => row.id));
  for (const id of ids) expect(ids).toContain(id.endsWith('_a') ? id.replace(/a$/, 'b') : id.replace(/b$/, 'a'));
  expect(ids.size / 2).toBeGreaterThanOrEqual(acknowledged);
});

test('a copy becomes a backup that restores, and is deleted', async () => {
  await systemDb().providerEvent.create({ data: { id: 'one', created_at: new Date() } });
  const file = join(data_dir, 'b.tar');
  const { copy } = await copyEmbeddedDatabase();
  await closeDatabase();
  // The command calls this function in its own process, after the server has created the copy.
  const result = await writeBackupFromDatabaseCopy(file, { copy, waited_ms: 1 });
  expect(result).toMatchObject({ file, waited_ms: 1 });
  expect(await checkBackup(file)).toMatchObject({ ok: true, rows: result.rows });
  expect((await readdir(data_dir)).filter((name) => name.startsWith('backup-copy'))).toEqual([]);

  expect((await restoreBackupIntoEmbeddedDatabase(file)).rows).toBe(result.rows);
  await openDatabase();
  expect(await systemDb().providerEvent.count()).toBe(1);
});

test('the leftover copy of a killed command is deleted by the next command, and one in use is not', async () => {
  const mine = join(data_dir, `backup-copy-${process.pid}`);
  await writeFile(mine, '');
  await writeFile(join(data_dir, 'backup-copy-999999999'), '');
  await removeLeftoverBackupCopies();
  expect((await readdir(data_dir)).filter((name) => name.startsWith('backup-copy'))).toEqual([
    `backup-copy-${process.pid}`,
  ]);
});
