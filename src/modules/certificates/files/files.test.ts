/** Tests certificates' files while processes move them, read them or crash. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { toAppError } from '@/api/trpc/error-translation';
import { setConfig } from '@/config';
import { handleSignedCopyPageRequest } from '@/guest/http/certificate/copy';
import { handleCertificatePdfRequest, handleVerifyPageRequest } from '@/guest/http/certificate/verify';
import { runOrReturnFailurePage } from '@/guest/http/respond';
import { systemDb } from '@/infra/db/client';
import { removeDeletedTeams } from '@/modules/export-and-deletion/deletion.service';
import { streamExportArchive } from '@/modules/export-and-deletion/export.service';
import { deriveCertificateVerifyToken, deriveLinkToken } from '@/modules/links/urls';
import { sha256Hex } from '@/shared/canonical-json';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { type S3Server, type S3ServerFault, startS3Server } from '@/testing/providers/s3-server';
import { insertTeam } from '@/testing/team';
import { unpackZip } from '@/testing/unzip';
import { streamCertificateArchive } from '../batch/batch';

import { loadHostOnlyCertificateFields, retrieveCertificatePhoto } from '../host.service';
import { redactCertificate } from '../privacy/service';
import { loadCertificateAttachments } from '../seal/copy-mail';
import { sealCertificate } from '../seal/sealing';
import { createCertificateDownloadUrl, retrieveCertificateWithoutTrail } from '../service';
import {
  insertSealedCertificate,
  insertSentReservation,
  signAsGuest,
  streamTestDisputePack,
  TEST_GUEST,
} from '../testing/signed';
import { readSealedEvidence } from '../verify/sealed-evidence';
import { findSignatureByVerifyToken, verifyCertificate } from '../verify/verification';
import { insertFilesIntoJson } from './inline';
import {
  moveCertificateFilesToDatabaseOrStorage,
  moveFilesToStorageAndRemoveUnreferenced,
  removeUnreferencedStorageObjects,
} from './move';

let server: S3Server;
let scope: Scope;
let id: string;

beforeAll(async () => {
  await openTestDatabase();
  server = await startS3Server();
});
afterAll(async () => {
  setConfig({ storage_url: undefined, storage_write: false });
  await server.close();
  await closeTestDatabase();
});
beforeEach(async () => {
  server.trouble = () => null;
  server.objects.clear();
  setConfig({ storage_url: server.url, storage_write: true });
  await systemDb().storedObject.deleteMany();
  scope = await insertTeam('live', `${Math.random()}@example.com`);
  ({ signature_id: id } = await insertSealedCertificate(scope));
});
afterEach(async () => {
  setClock(null);
  // Prevents this test from moving the files of earlier tests.
  await systemDb().signature.updateMany({ data: { pdf: null, photo: null, pdf_object: null, photo_object: null } });
});

const row = () => systemDb().signature.findUniqueOrThrow({ where: { id } });
const registered = () => systemDb().storedObject.findMany({ orderBy: { key: 'asc' } });
const toStorage = () => moveCertificateFilesToDatabaseOrStorage('storage', '', 60_000);
const toDatabase = () => moveCertificateFilesToDatabaseOrStorage('database', '', 60_000);
const whole = async (parts: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = [];
  for await (const part of parts) chunks.push(part);
  return Buffer.concat(chunks);
};
const atPath = (path: string) => new Request(`http://localhost${path}?lang=en`);
const pdfPage = () =>
  runOrReturnFailurePage(atPath('/verify/x'), async () =>
    handleCertificatePdfRequest(
      new Request(await createCertificateDownloadUrl(scope, id)),
      deriveCertificateVerifyToken(id),
    ),
  );
const verdict = async () => {
  const holder = await findSignatureByVerifyToken(deriveCertificateVerifyToken(id));
  return holder && verifyCertificate(holder);
};

/** Reads the PDF and the photo through every part of the product that reads them. */
async function everythingRead() {
  const { team_id, mode } = scope;
  const head = await retrieveCertificateWithoutTrail(scope, id);
  const attached = await loadCertificateAttachments({ team_id, mode, attachment: id } as never);
  const { seal, content, differences } = (await verdict()) ?? {};
  return {
    pdf: sha256Hex(Buffer.from(await (await pdfPage()).arrayBuffer())),
    attached: attached?.[0] && sha256Hex(Buffer.from(attached[0].content)),
    photo: await retrieveCertificatePhoto(scope, id),
    facts: (await loadHostOnlyCertificateFields(await readSealedEvidence({ scope, head }))).has_photo,
    pack: [...unpackZip(await whole(streamTestDisputePack(scope, head, true))).keys()],
    exported: [...unpackZip(await whole(streamExportArchive(scope))).keys()].filter((name) =>
      name.includes('certificates/'),
    ),
    verified: { seal: seal?.state, content, differences },
  };
}

describe('a file moved to the storage', () => {
  it('is read everywhere as before, and is stored encrypted under a name that reveals nothing', async () => {
    const before = await everythingRead();
    expect(before).toMatchObject({ verified: { seal: 'sealed', content: 'intact', differences: [] }, facts: true });
    expect(before.exported).toEqual([`live/certificates/${id}.pdf`, `live/certificates/${id}-photo.jpg`]);
    expect(await toStorage()).toMatchObject({ moved: 2, failed: [], more: false });
    expect(await row()).toMatchObject({ pdf: null, photo: null });
    expect(server.objects.size).toBe(2);
    for (const [name, bytes] of server.objects) {
      expect(name).toMatch(/^of\/ours\/[0-9a-f]{40}$/);
      for (const clear of ['%PDF', 'Lovelace', 'JFIF']) expect(bytes.includes(clear)).toBe(false);
      expect(bytes.subarray(0, 2).equals(Buffer.from([0xff, 0xd8]))).toBe(false);
    }
    expect(await everythingRead()).toEqual(before);
    expect(await toDatabase()).toMatchObject({ moved: 2, failed: [], more: false });
    expect(await row()).toMatchObject({ pdf_object: null, photo_object: null });
    expect(await everythingRead()).toEqual(before);
    expect(await removeUnreferencedStorageObjects()).toBe(2);
    expect(server.objects.size).toBe(0);
    expect(await registered()).toEqual([]);
  });

  it('moves within a minute, but not before it is sealed, nor when moving is turned off', async () => {
    const unsealed = await signAsGuest(scope, (await insertSentReservation(scope)).reservation_id);
    setConfig({ storage_write: false });
    expect(await moveFilesToStorageAndRemoveUnreferenced()).toMatchObject({ moved: 0 });
    setConfig({ storage_write: true });
    expect(await moveFilesToStorageAndRemoveUnreferenced()).toEqual({
      moved: 2,
      bytes: expect.any(Number),
      failed: 0,
      removed: 0,
    });
    expect(await systemDb().signature.findUnique({ where: { id: unsealed } })).toMatchObject({ photo_object: null });
    await sealCertificate(scope, unsealed);
    expect(await moveFilesToStorageAndRemoveUnreferenced()).toMatchObject({ moved: 2 });
    expect(await moveFilesToStorageAndRemoveUnreferenced()).toMatchObject({ moved: 0 });
    expect(await registered()).toHaveLength(4);
  });

  it('is read back byte for byte, even when large', async () => {
    const pdf = new Uint8Array(6 * 1024 * 1024).map((_, at) => at % 251);
    await systemDb().signature.update({ where: { id }, data: { pdf } });
    await toStorage();
    await toDatabase();
    expect(sha256Hex(Buffer.from((await row()).pdf ?? []))).toBe(sha256Hex(Buffer.from(pdf)));
  });
});

describe('an unreferenced object', () => {
  it('of a redaction is removed from the storage at once', async () => {
    await toStorage();
    await redactCertificate(scope, id);
    await vi.waitFor(async () => expect(await registered()).toEqual([]));
    expect(server.objects.size).toBe(0);
    const token = deriveCertificateVerifyToken(id);
    expect((await handleCertificatePdfRequest(atPath(`/verify/${token}/certificate.pdf`), token)).status).toBe(410);
  });

  it('of a redaction is read from the storage, so that its hashes are salted', async () => {
    await toStorage();
    const { content_hash } = await row();
    await redactCertificate(scope, id);
    expect((await row()).content_hash).not.toBe(content_hash);
    expect(server.requests.filter((one) => one.startsWith('GET')).length).toBeGreaterThan(0);
  });

  it('is removed once an unreachable storage is back, also by another process', async () => {
    await toStorage();
    const [first] = server.objects.keys();
    // The redaction can read the PDF from the storage, but the storage refuses removals.
    server.trouble = ({ method }) => (method === 'DELETE' ? 503 : null);
    await redactCertificate(scope, id);
    expect((await registered()).map(({ state }) => state)).toEqual(['removing', 'removing']);
    await expect(removeUnreferencedStorageObjects()).rejects.toThrow(/503/);
    expect(server.objects.has(first ?? '')).toBe(true);
    server.trouble = () => null;
    await removeUnreferencedStorageObjects();
    expect(server.objects.size).toBe(0);
    expect(await registered()).toEqual([]);
  });

  it('that may not be removed blocks neither other removals nor moves', async () => {
    await toStorage();
    await redactCertificate(scope, id);
    const of = (key: string, minutes_ago: number) => ({
      key,
      state: 'removing' as const,
      created_at: new Date(Date.now() - minutes_ago * 60_000),
    });
    const stuck = Array.from({ length: 120 }, (_, index) => of(`stuck${index}`, 200 + index));
    await systemDb().storedObject.createMany({ data: [...stuck, of('free', 1)] });
    server.trouble = ({ method, key }) => (method === 'DELETE' && key.includes('stuck') ? 403 : null);
    const { signature_id } = await insertSealedCertificate(scope, { ...TEST_GUEST, email: 'other@guest.example' });
    await expect(moveFilesToStorageAndRemoveUnreferenced()).rejects.toThrow(/403/);
    const other = await systemDb().signature.findUnique({ where: { id: signature_id } });
    expect(other).toMatchObject({ pdf: null, pdf_object: expect.any(String) });
    await expect(moveFilesToStorageAndRemoveUnreferenced()).rejects.toThrow(/403/);
    await expect(moveFilesToStorageAndRemoveUnreferenced()).rejects.toThrow(/403/);
    expect((await registered()).filter(({ state, key }) => state === 'removing' && !key.startsWith('stuck'))).toEqual(
      [],
    );
    server.trouble = () => null;
    for (let minute = 0; minute < 4; minute++) await moveFilesToStorageAndRemoveUnreferenced();
    expect((await registered()).every(({ state }) => state === 'kept')).toBe(true);
  });

  it('of a deleted account is removed with it', async () => {
    await toStorage();
    await systemDb().member.deleteMany({ where: { organizationId: scope.team_id } });
    await systemDb().team.update({ where: { id: scope.team_id }, data: { plan: 'deleted' } });
    await removeDeletedTeams();
    expect(await removeDeletedTeams()).toContain(scope.team_id);
    expect((await registered()).map(({ state }) => state)).toEqual(['removing', 'removing']);
    await removeUnreferencedStorageObjects();
    expect(server.objects.size).toBe(0);
  });

  it('cannot be left behind by a redaction in an older version of the product', async () => {
    await toStorage();
    // This update redacts the row but keeps its references to stored objects. The database rejects
    // it.
    const old = { redacted_at: new Date(), pdf: null, photo: null, drawn_signature: null, signer_email: null };
    await expect(systemDb().signature.update({ where: { id }, data: old })).rejects.toThrow(/signatures_objects_check/);
  });
});

describe('a process', () => {
  /** Fails the first request with this method, before or after the storage processed it. */
  const once = (wanted: string, at: 'before' | 'after', trouble: S3ServerFault) => {
    let left = 1;
    server.trouble = ({ method, done }) =>
      method === wanted && done === (at === 'after') && left-- > 0 ? trouble : null;
  };

  it.each(['before', 'after'] as const)(
    'that dies %s the object is written leaves the file in its row, and no object permanently',
    async (at) => {
      const before = await everythingRead();
      const time = installFakeClock(new Date().toISOString());
      once('PUT', at, 'drop');
      await expect(toStorage()).rejects.toThrow(/cannot be reached/);
      expect((await row()).pdf).not.toBeNull();
      expect((await registered()).map(({ state }) => state)).toEqual(['writing']);
      expect(server.objects.size).toBe(at === 'after' ? 1 : 0);
      expect(await toStorage()).toMatchObject({ moved: 2 });
      expect(await everythingRead()).toEqual(before);
      // Uploads may take an hour, so a recent object is not removed yet.
      expect(await removeUnreferencedStorageObjects()).toBe(0);
      time.advance(3_601_000);
      expect(await removeUnreferencedStorageObjects()).toBe(1);
      expect(server.objects.size).toBe(2);
      expect((await registered()).map(({ state }) => state)).toEqual(['kept', 'kept']);
    },
  );

  it('that dies after removing an object, but before recording the removal, removes it again', async () => {
    await toStorage();
    once('DELETE', 'after', 'drop');
    await redactCertificate(scope, id);
    await vi.waitFor(() => expect(server.requests.filter((one) => one.startsWith('DELETE')).length).toBeGreaterThan(1));
    await removeUnreferencedStorageObjects();
    expect(server.objects.size).toBe(0);
    expect(await registered()).toEqual([]);
  });

  it('that is so slow that its object was already removed does not reference that object', async () => {
    const time = installFakeClock(new Date().toISOString());
    server.trouble = async ({ method, done }) => {
      if (method !== 'PUT' || !done) return null;
      time.advance(3_601_000);
      await removeUnreferencedStorageObjects();
      return null;
    };
    expect(await toStorage()).toMatchObject({ moved: 0, failed: [] });
    expect(await row()).toMatchObject({ pdf_object: null, photo_object: null });
    expect((await pdfPage()).status).toBe(200);
    expect(server.objects.size).toBe(0);
  });
});

describe('concurrent work on files', () => {
  it('two processes move each file once, and the second one’s object is removed', async () => {
    const before = await everythingRead();
    let waiting = 0;
    let both: () => void = () => {};
    const met = new Promise<void>((resolve) => {
      both = resolve;
    });
    server.trouble = async ({ method, done }) => {
      if (method !== 'PUT' || !done) return null;
      if (++waiting === 2) both();
      await Promise.race([met, new Promise((resolve) => setTimeout(resolve, 500))]);
      return null;
    };
    const [one, two] = await Promise.all([toStorage(), toStorage()]);
    expect(one.moved + two.moved).toBe(2);
    await removeUnreferencedStorageObjects();
    expect(server.objects.size).toBe(2);
    expect(await everythingRead()).toEqual(before);
  });

  it('a redaction between writing and referencing the object wins', async () => {
    server.trouble = async ({ method, done }) => {
      if (method === 'PUT' && done && !(await row()).redacted_at) await redactCertificate(scope, id);
      return null;
    };
    expect(await toStorage()).toMatchObject({ moved: 0 });
    await removeUnreferencedStorageObjects();
    expect(server.objects.size).toBe(0);
    expect(await row()).toMatchObject({ pdf: null, pdf_object: null, photo_object: null });
  });

  it('a file moved back while it is read is found in its row', async () => {
    await toStorage();
    server.trouble = async ({ method, done }) => {
      if (method !== 'GET' || done) return null;
      server.trouble = () => null;
      await toDatabase();
      await removeUnreferencedStorageObjects();
      return null;
    };
    expect((await pdfPage()).status).toBe(200);
  });
});

describe('a storage that', () => {
  it.each<[string, () => void]>([
    ['is unreachable', () => setConfig({ storage_url: 'http://k:s@127.0.0.1:1/b' })],
    ['rejects our key', () => setConfig({ storage_url: server.url.replace('AKIDEXAMPLE', 'SOMEBODYELSE') })],
    ['has lost the file', () => server.objects.clear()],
    ['is no longer configured', () => setConfig({ storage_url: undefined })],
  ])('%s: callers get 503, and no verdict on the certificate', async (_what, happen) => {
    await toStorage();
    happen();
    expect((await pdfPage()).status).toBe(503);
    const page = await runOrReturnFailurePage(atPath('/verify/x'), () =>
      handleVerifyPageRequest(atPath('/verify/x'), deriveCertificateVerifyToken(id)),
    );
    expect(page.status).toBe(503);
    expect(await page.text()).not.toContain('does not match');
    const error = toAppError(await retrieveCertificatePhoto(scope, id).catch((thrown: unknown) => thrown));
    expect(error).toMatchObject({ code: 'service_unavailable' });
    await expect(loadCertificateAttachments({ ...scope, attachment: id } as never)).rejects.toThrow();
    // The page with the guest's copy also fails while the evidence cannot be read.
    const copy = deriveLinkToken('copy', id);
    const refused = await runOrReturnFailurePage(atPath(`/c/${copy}`), () =>
      handleSignedCopyPageRequest(atPath(`/c/${copy}`), copy),
    );
    expect(refused.status).toBe(503);
  });

  it('is unreachable blocks neither signatures nor seals, and both files are moved when it is back', async () => {
    setConfig({ storage_url: 'http://k:s@127.0.0.1:1/b' });
    const made = await insertSealedCertificate(scope, { ...TEST_GUEST, email: 'other@guest.example' });
    await expect(moveFilesToStorageAndRemoveUnreferenced()).rejects.toThrow(/cannot be reached/);
    setConfig({ storage_url: server.url });
    expect(await moveFilesToStorageAndRemoveUnreferenced()).toMatchObject({ moved: 4 });
    expect(await systemDb().signature.findUnique({ where: { id: made.signature_id } })).toMatchObject({ pdf: null });
  });

  it.each<[string, () => void]>([
    ['has lost', () => server.objects.clear()],
    ['has damaged', () => server.objects.forEach((bytes, key) => void server.objects.set(key, bytes.subarray(1)))],
  ])('%s files blocks nothing else: archives and backup list them, a redaction succeeds', async (_what, harm) => {
    await toStorage();
    harm();
    const whole_one = (await insertSealedCertificate(scope, { ...TEST_GUEST, name: 'Eve', email: 'eve@guest.example' }))
      .signature_id;
    const exported = unpackZip(await whole(streamExportArchive(scope)));
    expect(exported.has(`live/certificates/${whole_one}.pdf`)).toBe(true);
    expect([...exported.keys()].filter((name) => name.includes(`${id}.pdf`))).toEqual([]);
    for (const name of [`live/certificates/${id}.pdf`, `live/certificates/${id}-photo.jpg`])
      expect(String(exported.get('without-file.txt'))).toContain(name);
    expect(exported.has('contents.json')).toBe(true);
    const batch = unpackZip(await whole(streamCertificateArchive(scope, {})));
    expect(batch.size).toBe(2);
    expect(String(batch.get('without-file.txt'))).toContain(`${id}  lost or damaged`);
    const [stored] = await systemDb().$queryRaw<{ json: string }[]>`
      SELECT row_to_json(signatures)::text AS json FROM signatures WHERE id = ${id}`;
    expect((await insertFilesIntoJson(stored?.json ?? '')).lost).toContain(`${id} pdf`);
    await redactCertificate(scope, id);
    expect((await retrieveCertificateWithoutTrail(scope, id)).redacted_at).not.toBeNull();
  });

  it('has lost a file: moving all files back reports it, and moves the others', async () => {
    await toStorage();
    const { pdf_object } = await row();
    server.objects.delete(`of/ours/${pdf_object}`);
    expect(await toDatabase()).toMatchObject({ moved: 1, failed: [{ id, reason: expect.stringContaining('pdf: ') }] });
  });

  it('has lost both files: the dispute pack lists them, and contains the rest', async () => {
    await toStorage();
    server.objects.clear();
    const files = unpackZip(
      await whole(streamTestDisputePack(scope, await retrieveCertificateWithoutTrail(scope, id), true)),
    );
    expect([...files.keys()]).toEqual([
      ...['README.txt', 'summary.pdf', 'audit.json', 'mail-log.json', 'accesses.json', 'without-file.txt'],
    ]);
    expect(`${files.get('without-file.txt')}`).toBe('Lost or damaged:\n\ncertificate.pdf\nphoto.jpg\n');
    expect(`${files.get('README.txt')}`).toMatch(/without-file\.txt +the files/);
  });
});

describe('an attacker with write access to the bucket or the database', () => {
  it.each(['pdf', 'photo'] as const)('who replaces the file by another %s is detected', async (column) => {
    const other = await insertSealedCertificate(scope, { ...TEST_GUEST, name: 'Eve', email: 'eve@guest.example' });
    await toStorage();
    const theirs = await systemDb().signature.findUniqueOrThrow({ where: { id: other.signature_id } });
    const ours = (await row())[`${column}_object`] as string;
    // Both certificates have the same photo, so exchanging the photos would change nothing. Garbage
    // bytes replace the photo instead.
    const swapped = server.objects.get(`of/ours/${theirs[`${column}_object`]}`) as Buffer;
    server.objects.set(`of/ours/${ours}`, column === 'pdf' ? swapped : Buffer.from('nonsense'));
    const seen = await verdict();
    if (column === 'pdf') expect(seen?.seal.state).toBe('invalid');
    else expect(seen?.differences).toEqual(['signatures.photo']);
  });

  it('who changes a byte of the PDF is detected', async () => {
    await toStorage();
    const key = `of/ours/${(await row()).pdf_object}`;
    const bytes = Buffer.from(server.objects.get(key) as Buffer);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    server.objects.set(key, bytes);
    expect((await verdict())?.seal.state).toBe('invalid');
  });
});
