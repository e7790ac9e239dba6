/**
 * An attacker has the database, the sealing key and the log's key. The attacker changes a
 * certificate, seals it again with the product's own code and adapts all records. The product
 * cannot detect this, but a monitor with a saved checkpoint can.
 */
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handlePublicLogFileRequest } from '@/guest/http/public-log';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { deriveCertificateVerifyToken } from '@/modules/links/urls';
import { renderInclusionProofFile } from '@/modules/public-log/rules/checkpoint';
import { addSealedFileToLog, findGapInPublicLog, readPublicLogFile } from '@/modules/public-log/service';
import { computeTrailHashAtSigning } from '@/modules/trail/attestation';
import { convertRowToChainedTrailEntry, listTrailEntries } from '@/modules/trail/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { formatTrustedSealingCertificatesPem } from '../seal/installation-key';
import { findUnsealedCertificates, sealCertificate } from '../seal/sealing';
import { retrieveCertificateWithoutTrail } from '../service';
import {
  insertSealedCertificate,
  insertSentReservation,
  readCertificateWithTrail,
  signAsGuest,
  TEST_GUEST,
} from '../testing/signed';
import { isProgramInstalled, writeTemporaryFile } from '../testing/tools';
import { verifyPublicLog, verifySealedFile } from './file';
import { findSignatureByVerifyToken, verifyCertificate } from './verification';

let scope: Scope;
let first: { signature_id: string; reservation_id: string };
let second: typeof first;
let server: Server;
let log_url: string;

beforeAll(async () => {
  // Serves the log's files like the real route.
  server = createServer(async (request, response) => {
    const answer = await handlePublicLogFileRequest((request.url ?? '').split('/').slice(2));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  log_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/log`;
});
afterAll(() => void server.close());
beforeEach(async () => {
  await openTestDatabase();
  scope = await insertTeam();
  first = await insertSealedCertificate(scope);
  second = await insertSealedCertificate(scope, { ...TEST_GUEST, name: 'Grace Hopper', email: 'grace@guest.example' });
});

afterEach(closeTestDatabase);

async function forgetLog() {
  await systemDb().logEntry.deleteMany();
  await systemDb().logNode.deleteMany();
}
const row = (id: string) => systemDb().signature.findUniqueOrThrow({ where: { id } });
const pdfOf = async (id: string) => writeTemporaryFile('certificate.pdf', Buffer.from((await row(id)).pdf ?? []));
const keptCheckpoint = async () =>
  writeTemporaryFile('checkpoint', Buffer.from(String(await readPublicLogFile({ epoch: 1, kind: 'checkpoint' }))));
async function page(id: string) {
  const holder = await findSignatureByVerifyToken(deriveCertificateVerifyToken(id));
  if (!holder) throw new Error('The verify token opens nothing.');
  return verifyCertificate(holder);
}

/** Changes the signer's name, recomputes every hash and seals the certificate again. */
async function sealAnew({ signature_id, reservation_id }: typeof first) {
  await systemDb().trailEntry.deleteMany({ where: { reservation_id, type: 'certificate.created' } });
  const data = { signer_name: 'Eve Other', pdf: null, pdf_sha256: null, sealed_at: null };
  const forged = await systemDb().signature.update({ where: { id: signature_id }, data });
  const attestation = computeTrailHashAtSigning(
    forged,
    (await listTrailEntries(scope, reservation_id)).map(convertRowToChainedTrailEntry),
  );
  await systemDb().signature.update({ where: { id: signature_id }, data: { attestation } });
  expect(await sealCertificate(scope, signature_id)).toBe('sealed');
}

/** Adds the certificate to the rewritten log. */
async function enterAgain({ signature_id }: typeof first) {
  const { pdf_sha256 } = await row(signature_id);
  await inTransaction(scope, () => addSealedFileToLog(scope, pdf_sha256 ?? ''));
}

/** Runs the documented script docs/verify-certificate.py. Returns its output or its error. */
async function script(pdf: string, ...options: string[]): Promise<string> {
  const seal = writeTemporaryFile('seal.pem', Buffer.from((await formatTrustedSealingCertificatesPem()) ?? ''));
  const args = [path.resolve('docs/verify-certificate.py'), pdf, '--seal', seal, ...options];
  return new Promise((done) => {
    execFile('python3', args, (error, stdout, stderr) => done(error ? stderr.trim() : stdout.trim()));
  });
}
const logKey = async () =>
  writeTemporaryFile('key', Buffer.from(String(await readPublicLogFile({ epoch: 1, kind: 'key' }))));

describe('a certificate in the public log', () => {
  it('is added in the transaction of its seal, and page, command and API prove it', async () => {
    expect((await page(first.signature_id)).log).toMatchObject({ state: 'included', proof: { leaf_index: 0 } });
    const verdict = await verifySealedFile(await pdfOf(second.signature_id));
    expect(verdict).toMatchObject({ ok: true, log: { state: 'included', proof: { leaf_index: 1 } } });
    const { audit_trail } = await readCertificateWithTrail(
      scope,
      await retrieveCertificateWithoutTrail(scope, second.signature_id),
    );
    expect(audit_trail.log_inclusion).toMatchObject({ leaf_index: 1, tree_size: 2, hashes: [expect.any(String)] });
    expect(await verifyPublicLog()).toMatchObject({ ok: true, tree_size: 2, not_entered: 0 });
  });

  it('is not sealed while its leaf cannot be added', async () => {
    const { reservation_id } = await insertSentReservation(scope);
    const id = await signAsGuest(scope, reservation_id);
    const where = { epoch_level_position: { epoch: 1, level: 1, position: 0 } };
    const { hash } = await systemDb().logNode.findUniqueOrThrow({ where });
    await systemDb().logNode.update({ where, data: { hash: new Uint8Array(32) } });
    await expect(sealCertificate(scope, id)).rejects.toThrow('not the one that was signed last');
    expect(await row(id)).toMatchObject({ pdf: null, sealed_at: null });
    expect(await systemDb().event.count({ where: { object_id: id } })).toBe(0);
    await systemDb().logNode.update({ where, data: { hash } });
    expect(await sealCertificate(scope, id)).toBe('sealed');
  });

  it('is reported as missing after its removal from the log, and sealing stops', async () => {
    const third = await insertSealedCertificate(scope);
    await systemDb().logEntry.deleteMany({ where: { pdf_sha256: (await row(second.signature_id)).pdf_sha256 ?? '' } });
    expect((await page(second.signature_id)).log.state).toBe('missing');
    expect((await page(third.signature_id)).log.state).toBe('included');
    expect((await verifySealedFile(await pdfOf(second.signature_id))).problems).toEqual([
      'It is not in the public log.',
    ]);
    expect(await verifyPublicLog()).toMatchObject({ ok: false });
    expect(await findGapInPublicLog()).toEqual({ epoch: 1, position: 1 });
    await expect(insertSealedCertificate(scope)).rejects.toThrow('An entry of the public log is missing.');
    expect(await findUnsealedCertificates(10)).toEqual([]);
  });

  it('without a record of this installation is refused by the command, which reports its state in the log', async () => {
    const file = await pdfOf(second.signature_id);
    await systemDb().team.delete({ where: { id: scope.team_id } });
    const verdict = await verifySealedFile(file);
    expect(verdict).toMatchObject({ ok: false, record: null, log: { state: 'included' } });
    expect(verdict.problems).toEqual([
      'This installation has no record of the certificate: its account may have been deleted.',
    ]);
  });
});

describe('a certificate changed and sealed again with the real key', () => {
  it('and with a rewritten log is genuine here, but not against yesterday’s checkpoint', async () => {
    const kept = await keptCheckpoint();
    await forgetLog();
    await sealAnew(first);
    await enterAgain(second);
    expect(await page(first.signature_id)).toMatchObject({
      content: 'intact',
      chain: { ok: true },
      seal: { state: 'sealed' },
      log: { state: 'included', proof: { leaf_index: 0 } },
      differences: [],
    });
    expect(await verifyPublicLog()).toMatchObject({ ok: true });
    const seen = await verifyPublicLog(kept);
    expect(seen.ok).toBe(false);
    expect(seen.problems[0]).toMatch(/^The first 2 entries are not those that the checkpoint of .* signed\.$/);
  });

  it('and with an unchanged log appears after the checkpoint, and leaves an entry without a certificate', async () => {
    const kept = await keptCheckpoint();
    await sealAnew(first);
    expect((await page(first.signature_id)).log).toMatchObject({ proof: { leaf_index: 2 } });
    expect(await verifyPublicLog(kept)).toMatchObject({ ok: true, without_certificate: 1, tree_size: 3 });
  });
});

describe.skipIf(!isProgramInstalled('python3'))('the documented script, with third-party libraries', () => {
  it('verifies seal, hash and trail from the file alone, and its position in the log from a proof', async () => {
    const pdf = await pdfOf(second.signature_id);
    const { sealer } = (await page(second.signature_id)).seal as { sealer: { fingerprint_sha256: string } };
    expect(await script(pdf)).toMatch(
      new RegExp(`^sealed with ${sealer.fingerprint_sha256}\nsigned by Grace Hopper at .*\nok$`),
    );
    const answer = await page(second.signature_id);
    if (answer.log.state !== 'included') throw new Error('It is not in the log.');
    const proof = writeTemporaryFile('proof', Buffer.from(renderInclusionProofFile(answer.log.proof)));
    const with_proof = ['--log-key', await logKey(), '--proof', proof];
    expect(await script(pdf, ...with_proof)).toContain('entry 1 of a log of 2\nok');
    expect(await script(await pdfOf(first.signature_id), ...with_proof)).toBe('the proof is of another file');
  });

  it('detects one changed byte, an appended one, and another installation’s seal', async () => {
    const bytes = Buffer.from((await row(first.signature_id)).pdf ?? []);
    const changed = Buffer.from(bytes);
    changed[500] = (changed[500] ?? 0) ^ 1;
    expect(await script(writeTemporaryFile('a.pdf', changed))).toBe('the file is not what was sealed');
    const longer = Buffer.concat([bytes, Buffer.from('\n')]);
    expect(await script(writeTemporaryFile('b.pdf', longer))).toBe('the seal does not cover the whole file');
    // The seal does not cover the zeros after the signature, nor the case of its hex digits.
    const end = bytes.indexOf('>', bytes.indexOf('<3082'));
    const padded = Buffer.from(bytes);
    padded.write('ff', end - 2, 'latin1');
    expect(await script(writeTemporaryFile('c.pdf', padded))).toBe('there is something behind the seal');
    const start = bytes.indexOf('<3082');
    const spelled = Buffer.from(bytes);
    spelled.write(bytes.toString('latin1', start, end).toUpperCase(), start, 'latin1');
    expect(await script(writeTemporaryFile('d.pdf', spelled))).toBe('the seal is not where it belongs');
  });

  it('shows with a saved checkpoint which entries are older or newer, and that the log was rewritten', async () => {
    const kept = await keptCheckpoint();
    const third = await insertSealedCertificate(scope);
    const watch = ['--log-key', await logKey(), '--log', log_url, '--kept', kept];
    expect(await script(await pdfOf(first.signature_id), ...watch)).toContain('entered before the checkpoint');
    expect(await script(await pdfOf(third.signature_id), ...watch)).toContain('entered after the checkpoint');
    await forgetLog();
    await sealAnew(first);
    for (const each of [second, third]) await enterAgain(each);
    expect(await script(await pdfOf(first.signature_id), ...watch)).toBe(
      'the log was rewritten: it is not the one whose checkpoint you kept',
    );
  });
});
