/**
 * Tests the public log with signatures, a backup, more signatures, a restore and more signatures.
 * Every certificate ever issued verifies, here and offline, and a monitor with an old checkpoint
 * detects the loss.
 */

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { setConfig } from '@/config';
import { handleSignedCopyPageRequest } from '@/guest/http/certificate/copy';
import { handleVerifyPageRequest } from '@/guest/http/certificate/verify';
import { handlePublicLogFileRequest } from '@/guest/http/public-log';
import { closeDatabase, systemDb } from '@/infra/db/client';
import { openDatabase } from '@/infra/db/open';
import { formatTrustedSealingCertificatesPem } from '@/modules/certificates/seal/installation-key';
import { insertSealedCertificate } from '@/modules/certificates/testing/signed';
import { isProgramInstalled, writeTemporaryFile } from '@/modules/certificates/testing/tools';
import { verifyPublicLog, verifySealedFile } from '@/modules/certificates/verify/file';
import {
  resetExternallyStoredCheckpointInTests,
  waitUntilCheckpointIsStoredExternally,
} from '@/modules/public-log/known-checkpoint';
import { renderInclusionProofFile } from '@/modules/public-log/rules/checkpoint';
import { buildLogInclusionProof, readPublicLogFile, startEpochIfLogDiverged } from '@/modules/public-log/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { checkReadiness } from '../health/readiness';
import { writeBackup } from './backup';
import { restoreBackupIntoEmbeddedDatabase } from './restore';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let data_dir: string;
let server: Server;
let scope: Scope;
let restored_at: string;
let seen: { before: string; after: string };
const issued: Record<string, { file: string; proof: string }> = {};

async function issue(name: string): Promise<void> {
  const { signature_id: id } = await insertSealedCertificate(scope);
  const { pdf, pdf_sha256 } = await systemDb().signature.findUniqueOrThrow({ where: { id } });
  const proof = await buildLogInclusionProof(scope, pdf_sha256 ?? '');
  if (!proof) throw new Error('It is not in the log.');
  issued[name] = {
    file: writeTemporaryFile('certificate.pdf', pdf ?? ''),
    proof: writeTemporaryFile('proof', Buffer.from(renderInclusionProofFile(proof))),
  };
  await waitUntilCheckpointIsStoredExternally();
}

/** Runs one of the documented scripts. Returns its output or its error. */
function script(name: string, ...args: string[]): Promise<string> {
  return new Promise((done) => {
    execFile('python3', [resolve('docs', name), ...args], (error, stdout, stderr) =>
      done(error ? `exit: ${stderr.trim()}` : stdout.trim()),
    );
  });
}
const monitor = () => {
  const { port } = server.address() as AddressInfo;
  return script('monitor-log.py', `http://127.0.0.1:${port}/log`, join(data_dir, 'monitor'));
};

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'restored-log-'));
  server = createServer(async (request, response) => {
    const answer = await handlePublicLogFileRequest((request.url ?? '').split('/').slice(2));
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  await openTestDatabase();
  await systemDb().installationKey.deleteMany();
  await systemDb().sealingCertificate.deleteMany();
  await systemDb().logEntry.deleteMany();
  await systemDb().logNode.deleteMany();
  scope = await insertTeam();
  setConfig({ data_dir });
  await startEpochIfLogDiverged();

  await issue('kept');
  await issue('kept too');
  const backup = join(data_dir, 'backup.tar');
  await writeBackup(backup);
  await issue('lost');
  const before = isProgramInstalled('python3') ? await monitor() : '';
  await closeTestDatabase();
  resetExternallyStoredCheckpointInTests();
  const { log } = await restoreBackupIntoEmbeddedDatabase(backup);
  restored_at = /\nbegan (\S+)\n/.exec(log ?? '')?.[1] ?? 'no restore';
  await openDatabase();
  // Uses a new scope object, because scoped clients are cached by scope, and the cached client uses
  // the closed database.
  scope = { ...scope };
  expect(await startEpochIfLogDiverged()).toBeNull();
  await issue('sealed after');
  seen = { before, after: isProgramInstalled('python3') ? await monitor() : '' };
});
afterAll(async () => {
  server.close();
  await closeDatabase();
  await closeTestDatabase();
  resetExternallyStoredCheckpointInTests();
  await rm(data_dir, { recursive: true, force: true });
});

describe('after the restore of a backup', () => {
  it.each(['kept', 'kept too', 'sealed after'])('the certificate that is %s is genuine', async (name) => {
    expect(await verifySealedFile(issued[name]?.file ?? '')).toMatchObject({ ok: true, log: { state: 'included' } });
  });

  it('the lost certificate is reported as this installation’s, lost in a restore, and not as forged', async () => {
    const verdict = await verifySealedFile(issued.lost?.file ?? '');
    expect(verdict).toMatchObject({ ok: false, trusted: true, record: null, log: { state: 'lost', restored_at } });
    expect(verdict.problems).toEqual([
      `It was sealed by this installation, and lost in the restore of ${restored_at}.`,
    ]);
  });

  it.each(['verify', 'c'])(
    'an unknown link under /%s mentions the restore, and that the PDF is still valid',
    async (path) => {
      const serve = path === 'verify' ? handleVerifyPageRequest : handleSignedCopyPageRequest;
      const answer = await serve(new Request(`http://127.0.0.1/${path}/unknown`), 'unknown');
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('this service was restored from a backup');
    },
  );

  it('command, readiness and log report the restore', async () => {
    expect(await verifyPublicLog()).toMatchObject({ ok: true, epoch: 2, restores: [{ epoch: 2, lost_entries: 1 }] });
    expect((await checkReadiness()).notes).toEqual([expect.stringContaining('1 entries are known to be lost')]);
  });

  it.skipIf(!isProgramInstalled('python3')).each(['kept', 'lost', 'sealed after'])(
    'the file that is %s and its proof verify offline with independent libraries',
    async (name) => {
      const { file = '', proof = '' } = issued[name] ?? {};
      const seal = writeTemporaryFile('seal.pem', Buffer.from((await formatTrustedSealingCertificatesPem()) ?? ''));
      const key = writeTemporaryFile('key', Buffer.from(String(await readPublicLogFile({ epoch: 1, kind: 'key' }))));
      const printed = await script('verify-certificate.py', file, '--seal', seal, '--log-key', key, '--proof', proof);
      expect(printed).toMatch(/entry \d of a log of \d\nok$/);
    },
  );

  it.skipIf(!isProgramInstalled('python3'))(
    'a monitor with an earlier checkpoint distinguishes the restore from a rewritten log',
    async () => {
      expect(seen.before).toBe('ok: epoch 1, 3 entries');
      expect(seen.after).toBe(`epoch 1 ends at 2 of 3 known entries: restored ${restored_at}\nok: epoch 2, 2 entries`);
      expect(await monitor()).toBe('ok: epoch 2, 2 entries');
      // Simulates the same loss without a restore statement that declares it.
      await systemDb().logEntry.deleteMany({ where: { epoch: 2, position: 1 } });
      await systemDb().logNode.deleteMany({ where: { epoch: 2, OR: [{ level: 0, position: 1 }, { level: 1 }] } });
      expect(await monitor()).toMatch(/^exit: ALARM: the log was rewritten: epoch 2/);
    },
  );
});
