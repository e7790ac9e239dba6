/** Tests the operator's command for moving files, and a backup of files in a storage. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setConfig } from '@/config';
import { closeDatabase, systemDb } from '@/infra/db/client';
import { openDatabase } from '@/infra/db/open';
import { moveCertificateFilesToDatabaseOrStorage } from '@/modules/certificates/files/move';
import { retrieveCertificatePhoto } from '@/modules/certificates/host.service';
import { insertSealedCertificate } from '@/modules/certificates/testing/signed';
import { findSignatureByVerifyToken, verifyCertificate } from '@/modules/certificates/verify/verification';
import { deriveCertificateVerifyToken } from '@/modules/links/urls';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { type S3Server, startS3Server } from '@/testing/providers/s3-server';
import { clearDatabase, insertTeam } from '@/testing/team';
import { writeBackup } from './backup/backup';
import { restoreBackupIntoEmbeddedDatabase } from './backup/restore';
import { executeCommand } from './execute';
import { moveAllStoredFiles, moveStoredFileBatch } from './storage-move';

vi.setConfig({ testTimeout: 240_000 });

let server: S3Server;
let data_dir: string;
let scope: Scope;

beforeEach(async () => {
  await openTestDatabase();
  await clearDatabase();
  server = await startS3Server();
  data_dir = await mkdtemp(join(tmpdir(), 'storage-'));
  setConfig({ data_dir, storage_url: server.url, storage_write: true });
  scope = await insertTeam();
});
afterEach(async () => {
  setConfig({ storage_url: undefined, storage_write: false });
  await server.close();
  await closeTestDatabase();
  await rm(data_dir, { recursive: true, force: true });
});

async function seen(id: string) {
  const holder = await findSignatureByVerifyToken(deriveCertificateVerifyToken(id));
  if (!holder) throw new Error(`${id} is not there.`);
  const { seal, content, differences } = await verifyCertificate(holder);
  return { seal: seal.state, content, differences, photo: await retrieveCertificatePhoto(holder.scope, id) };
}

test('the command moves files a few seconds at a time, reports progress, and resumes where it stopped', async () => {
  await insertSealedCertificate(scope);
  await insertSealedCertificate(scope, { name: 'Eve', email: 'eve@guest.example', ip: '203.0.113.9', user_agent: 'x' });
  const said: string[] = [];
  const asked: string[] = [];
  const made = await moveAllStoredFiles(
    's3',
    '',
    async (after) => {
      asked.push(after);
      // With a time limit of zero, a call processes only the minimum.
      const report = await (asked.length < 3
        ? moveCertificateFilesToDatabaseOrStorage('storage', after, 0)
        : moveStoredFileBatch('s3', after));
      return report;
    },
    (line) => said.push(line),
  );
  expect(made).toMatchObject({ to: 's3', moved: 4, failed: [], ok: true });
  expect(asked).toHaveLength(3);
  expect(said.at(-1)).toMatch(/^moved: \d files, \d+\.\d MB, after/);
  expect(server.objects.size).toBe(4);
  expect(await executeCommand({ name: 'storage move', options: { to: 's3', after: '' } })).toMatchObject({ moved: 0 });
});

test('files move back into the database only when writing to the storage is off', async () => {
  const { signature_id } = await insertSealedCertificate(scope);
  await moveStoredFileBatch('s3', '');
  await expect(moveStoredFileBatch('database', '')).rejects.toThrow('write=off');
  setConfig({ storage_write: false });
  await expect(moveStoredFileBatch('s3', '')).rejects.toThrow('write=off');
  expect(await moveStoredFileBatch('database', '')).toMatchObject({ moved: 2, failed: [], more: false });
  expect(server.objects.size).toBe(0);
  setConfig({ storage_url: undefined });
  await expect(moveStoredFileBatch('database', '')).rejects.toThrow('STORAGE_URL is not set');
  expect(await seen(signature_id)).toMatchObject({ seal: 'sealed', differences: [] });
});

test('a backup includes files in the storage, and restores without a storage', async () => {
  const { signature_id } = await insertSealedCertificate(scope);
  const before = await seen(signature_id);
  await moveStoredFileBatch('s3', '');
  const file = join(data_dir, 'b.tar');
  const { missing_files } = await writeBackup(file);
  expect(missing_files).toBeUndefined();
  const files = (await readFile(file)).toString('latin1');
  expect(files).toContain('signatures/000001.jsonl.gz');
  expect(files).not.toContain('stored_objects/');
  await closeTestDatabase();
  setConfig({ storage_url: undefined });
  await restoreBackupIntoEmbeddedDatabase(file);
  await openDatabase();
  try {
    const row = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    expect(row).toMatchObject({ pdf_object: null, photo_object: null });
    expect(await seen(signature_id)).toEqual(before);
    // The files are moved into a storage again.
    setConfig({ storage_url: server.url });
    expect(await moveStoredFileBatch('s3', '')).toMatchObject({ moved: 2 });
    expect(await seen(signature_id)).toEqual(before);
  } finally {
    await closeDatabase();
  }
});

test('a backup lists files that the storage has lost, and fails when the storage is unavailable', async () => {
  const { signature_id } = await insertSealedCertificate(scope);
  await moveStoredFileBatch('s3', '');
  const file = join(data_dir, 'b.tar');
  const { pdf_object } = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
  server.objects.delete(`of/ours/${pdf_object}`);
  expect(await writeBackup(file)).toMatchObject({ missing_files: [`${signature_id} pdf`] });
  await rm(file);
  server.trouble = () => 503;
  await expect(writeBackup(file)).rejects.toThrow(/The storage at .* answered 503/);
  expect((await readdir(data_dir)).filter((name) => name.startsWith('b.tar'))).toEqual([]);
});
