/**
 * Tests that certificates remain verifiable after a restore: without their sealing key, after their
 * redaction, and on another machine.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setConfig } from '@/config';
import { closeDatabase, systemDb } from '@/infra/db/client';
import { openDatabase } from '@/infra/db/open';
import { redactCertificate } from '@/modules/certificates/privacy/service';
import { formatTrustedSealingCertificatesPem, retireSealingKey } from '@/modules/certificates/seal/installation-key';
import { insertSealedCertificate } from '@/modules/certificates/testing/signed';
import {
  type HttpTimestampAuthority,
  startHttpTimestampAuthority,
} from '@/modules/certificates/testing/time-authority';
import { writeTemporaryFile } from '@/modules/certificates/testing/tools';
import { verifySealedFile } from '@/modules/certificates/verify/file';
import { findSignatureByVerifyToken, verifyCertificate } from '@/modules/certificates/verify/verification';
import { deriveCertificateVerifyToken } from '@/modules/links/urls';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { writeBackup } from './backup';
import { restoreBackupIntoEmbeddedDatabase } from './restore';

vi.setConfig({ testTimeout: 240_000 });

let data_dir: string;
let authority: HttpTimestampAuthority;
let scope: Scope;

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'restored-'));
  authority = await startHttpTimestampAuthority();
  await openTestDatabase();
  await systemDb().installationKey.deleteMany();
  await systemDb().sealingCertificate.deleteMany();
  scope = await insertTeam();
  setConfig({ data_dir });
});
afterAll(async () => {
  setConfig({ tsa_url: undefined });
  await authority.close();
  await closeTestDatabase();
  await rm(data_dir, { recursive: true, force: true });
});

async function seal(): Promise<{ id: string; file: string }> {
  const { signature_id: id } = await insertSealedCertificate(scope);
  const { pdf } = await systemDb().signature.findUniqueOrThrow({ where: { id } });
  return { id, file: writeTemporaryFile('a.pdf', pdf ?? '') };
}

async function page(id: string) {
  const holder = await findSignatureByVerifyToken(deriveCertificateVerifyToken(id));
  if (!holder) throw new Error(`${id} is not there.`);
  const { content, seal: state, chain, log } = await verifyCertificate(holder);
  return { content, seal: state.state, chain: chain.ok, log: log.state };
}

test('certificates verify from a backup: sealed before or after a key change, timestamped, or redacted', async () => {
  const before = await seal();
  await retireSealingKey();
  const after = await seal();
  setConfig({ tsa_url: authority.url });
  const stamped = await seal();
  setConfig({ tsa_url: undefined });
  const redacted = await seal();
  await redactCertificate(scope, redacted.id);
  const anchors = writeTemporaryFile('anchors.pem', (await formatTrustedSealingCertificatesPem()) ?? '');

  const whole = { content: 'intact', seal: 'sealed', chain: true, log: 'included' };
  const check = async () => {
    for (const { id, file } of [before, after, stamped]) {
      expect(await page(id), id).toEqual(whole);
      expect(await verifySealedFile(file)).toMatchObject({
        ok: true,
        record: { is_the_sealed_file: true, differences: [] },
      });
    }
    expect(await page(redacted.id)).toEqual({ ...whole, content: 'redacted', seal: 'removed' });
    // The file of a redacted certificate is still a valid proof, although the stored data no longer
    // identifies the guest.
    expect(await verifySealedFile(redacted.file)).toMatchObject({
      record: { redacted: true, is_the_sealed_file: true },
    });
    // Another machine verifies the files with only the published certificates.
    for (const { file } of [before, after, stamped, redacted])
      expect(await verifySealedFile(file, anchors), file).toMatchObject({ ok: true, trusted: true, record: null });
  };
  await check();

  const file = join(data_dir, 'b.tar');
  await writeBackup(file);
  await closeTestDatabase();
  await restoreBackupIntoEmbeddedDatabase(file);
  await openDatabase();
  await check();
  await closeDatabase();
});
