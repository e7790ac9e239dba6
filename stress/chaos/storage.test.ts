/**
 * Kills the real server with SIGKILL while it writes a file to the storage. No file may be lost,
 * and no unfinished file may remain.
 * @module-tag exhaustive
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resetConfig, setConfig } from '@/config';
import { closeDatabase, systemDb } from '@/infra/db/client';
import { openDatabase } from '@/infra/db/open';
import { removeUnreferencedStorageObjects } from '@/modules/certificates/files/move';
import { retrieveCertificatePhoto } from '@/modules/certificates/host.service';
import { insertSealedCertificate } from '@/modules/certificates/testing/signed';
import { findSignatureByVerifyToken, verifyCertificate } from '@/modules/certificates/verify/verification';
import { deriveCertificateVerifyToken } from '@/modules/links/urls';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type S3Server, startS3Server } from '@/testing/providers/s3-server';
import { startTestServer, type TestServer } from '@/testing/server';
import { insertTeam } from '@/testing/team';

const CERTIFICATES = 2;

let storage: S3Server;
let server: TestServer;

beforeAll(async () => {
  storage = await startS3Server();
  server = await startTestServer({ built: true, env: { STORAGE_URL: storage.url } });
});
afterAll(async () => {
  setClock(null);
  resetConfig();
  await server.stop();
  await storage.close();
});

/** Opens the server's database in this process. No server may run meanwhile. */
async function here<T>(work: () => Promise<T>): Promise<T> {
  await server.stopProcess();
  setConfig({ data_dir: server.data_dir, app_secret: undefined, storage_url: storage.url, storage_write: true });
  await openDatabase();
  try {
    return await work();
  } finally {
    await closeDatabase();
  }
}

it('a process that dies at any moment of a move to the storage loses no file', { timeout: 240_000 }, async () => {
  let scope = {} as Scope;
  const ids = await here(async () => {
    scope = await insertTeam();
    const made: string[] = [];
    for (let count = 0; count < CERTIFICATES; count++) made.push((await insertSealedCertificate(scope)).signature_id);
    return made;
  });
  // The server is killed twice: before the storage has the file, and afterwards.
  for (let death = 0; death < 2; death++) {
    await server.restart();
    let left = 1;
    const died = new Promise<void>((resolve) => {
      storage.trouble = async ({ method, done }) => {
        if (method !== 'PUT' || done !== (death % 2 === 1) || left-- <= 0) return left < 0 ? 'hang' : null;
        await server.kill();
        resolve();
        return 'drop';
      };
    });
    const moving = server.admin('storage', 'move', '--to', 's3').catch((error: Error) => error);
    await died;
    expect(await moving).toBeInstanceOf(Error);
  }
  storage.trouble = () => null;
  await server.restart();
  const moved = await server.admin<{ moved: number; ok: boolean }>('storage', 'move', '--to', 's3');
  expect(moved).toMatchObject({ ok: true });
  await here(async () => {
    for (const id of ids) {
      const holder = await findSignatureByVerifyToken(deriveCertificateVerifyToken(id));
      const seen = holder && (await verifyCertificate(holder));
      expect(seen).toMatchObject({ content: 'intact', differences: [], seal: { state: 'sealed' } });
      expect(await retrieveCertificatePhoto(holder?.scope ?? scope, id)).toMatch(/^data:image/);
    }
    expect(
      await systemDb().signature.count({ where: { OR: [{ NOT: { pdf: null } }, { NOT: { photo: null } }] } }),
    ).toBe(0);
    // Uploads that a killed process did not finish are removed after an hour.
    expect(await systemDb().storedObject.count({ where: { state: 'writing' } })).toBeGreaterThan(0);
    setClock({ now: () => new Date(Date.now() + 3_700_000) });
    await removeUnreferencedStorageObjects();
    expect(await systemDb().storedObject.count()).toBe(CERTIFICATES * 2);
    expect(storage.objects.size).toBe(CERTIFICATES * 2);
  });
});
