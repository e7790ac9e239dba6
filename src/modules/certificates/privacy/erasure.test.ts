/** Tests that a redaction removes the data from the files of the embedded database. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { closeDatabase } from '@/infra/db/client';
import { connectEmbeddedDatabase } from '@/infra/db/driver/connect';
import type { Scope } from '@/shared/scope';
import { ensureTestDatabaseDumpExists } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { insertSealedCertificate, TEST_GUEST } from '../testing/signed';
import { purgeRedactedDataFromDisk, redactCertificate } from './service';

const folder = mkdtempSync(join(tmpdir(), 'threshold-erasure-'));
let scope: Scope;

beforeAll(async () => {
  setConfig({ app_secret: 'test-secret-test-secret-test-secret', log_level: 'warn' });
  const pglite = new PGlite({
    dataDir: folder,
    loadDataDir: new Blob([await readFile(await ensureTestDatabaseDumpExists())]),
  });
  await pglite.waitReady;
  await connectEmbeddedDatabase(pglite);
  scope = await insertTeam();
});
afterAll(closeDatabase);

/** Returns the files that contain any of these texts. */
function filesWith(...texts: string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return texts.some((text) => bytes.includes(text));
    })
    .map((file) => file.slice(folder.length + 1));
}

it('after the next run no database file, including the write-ahead log, contains the guest', async () => {
  expect(await purgeRedactedDataFromDisk()).toBe(false);
  const { signature_id } = await insertSealedCertificate(scope);
  const other = { ...TEST_GUEST, name: 'Grace Hopper', email: 'grace@guest.example' };
  await insertSealedCertificate(scope, other);
  const before = filesWith(TEST_GUEST.name, TEST_GUEST.email);
  expect(before.some((file) => file.startsWith('pg_wal'))).toBe(true);
  await redactCertificate(scope, signature_id);
  expect(filesWith(TEST_GUEST.name, TEST_GUEST.email)).not.toEqual([]);
  expect(await purgeRedactedDataFromDisk()).toBe(true);
  expect(filesWith(TEST_GUEST.name, TEST_GUEST.email)).toEqual([]);
  expect(filesWith(other.name)).not.toEqual([]);
});
