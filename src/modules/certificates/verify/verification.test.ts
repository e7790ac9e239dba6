/**
 * Tests the verification of a stored certificate after any part of it was changed, with a real
 * database.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { deriveCertificateVerifyToken } from '@/modules/links/urls';
import { appendChainedTrailEntry, type ChainedTrailEntry } from '@/modules/trail/chain';
import { convertRowToChainedTrailEntry } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { redactCertificate, setLegalHold } from '../privacy/service';
import { listTrustedSealingPems } from '../seal/installation-key';
import { insertSealedCertificate } from '../testing/signed';
import { writeTemporaryFile } from '../testing/tools';
import { verifySealedFile } from './file';
import { findSignatureByVerifyToken, verifyCertificate } from './verification';

let scope: Scope;
let signature_id: string;
let reservation_id: string;

beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
});
afterAll(closeTestDatabase);
beforeEach(async () => {
  ({ signature_id, reservation_id } = await insertSealedCertificate(scope));
});

async function verify() {
  const holder = await findSignatureByVerifyToken(deriveCertificateVerifyToken(signature_id));
  if (!holder) throw new Error('The verify token opens nothing.');
  return verifyCertificate(holder);
}

const storedPdf = async () => {
  const { pdf } = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
  return Buffer.from(pdf ?? []);
};
const storePdf = (pdf: Buffer, pdf_sha256?: string) =>
  systemDb().signature.update({
    where: { id: signature_id },
    data: { pdf: new Uint8Array(pdf), ...(pdf_sha256 && { pdf_sha256 }) },
  });
const flipped = (pdf: Buffer, at = 1_000) => {
  const changed = Buffer.from(pdf);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
};
const entry = (seq: number) => ({ reservation_id_seq: { reservation_id, seq } });
const trail = async () =>
  (await systemDb().trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } })).map(
    convertRowToChainedTrailEntry,
  );

/** Changes an entry and recomputes every later hash, as an attacker without a key could. */
async function rewriteTrail(change: (entry: ChainedTrailEntry) => ChainedTrailEntry) {
  let previous: ChainedTrailEntry | null = null;
  for (const { seq: _seq, prev_hash: _prev, hash: _hash, ...rest } of (await trail()).map(change)) {
    previous = appendChainedTrailEntry(previous, rest);
    const { seq, prev_hash, hash, ip } = previous;
    await systemDb().trailEntry.update({ where: entry(seq), data: { prev_hash, hash, ip } });
  }
}

describe('the public verification', () => {
  it('accepts everything of an unchanged certificate, also after entries were added', async () => {
    await setLegalHold(scope, signature_id, true);
    expect(await verify()).toMatchObject({
      content: 'intact',
      chain: { ok: true, entries: (await trail()).length },
      seal: { state: 'sealed', timestamp: null },
    });
  });

  it('detects one changed byte of the PDF, also when its stored hash was changed too', async () => {
    const changed = flipped(await storedPdf());
    await storePdf(changed);
    expect((await verify()).seal.state).toBe('invalid');
    await storePdf(changed, sha256Hex(changed));
    expect((await verify()).seal.state).toBe('invalid');
  });

  it('detects another certificate’s PDF', async () => {
    const other = await insertSealedCertificate(scope);
    const { pdf, pdf_sha256 } = await systemDb().signature.findUniqueOrThrow({ where: { id: other.signature_id } });
    await storePdf(Buffer.from(pdf ?? []), pdf_sha256 ?? '');
    expect((await verify()).seal.state).toBe('invalid');
  });

  it('detects any change of an entry of the trail', async () => {
    const seq = 3;
    const before = await systemDb().trailEntry.findUniqueOrThrow({ where: entry(seq) });
    for (const data of [{ ip: '198.51.100.1' }, { actor: 'guest!' }, { data: { x: 1 } }, { created_at: new Date(0) }]) {
      await systemDb().trailEntry.update({ where: entry(seq), data });
      expect((await verify()).chain, JSON.stringify(data)).toMatchObject({ ok: false, broken_seq: seq });
      const { ip, actor, created_at } = before;
      await systemDb().trailEntry.update({
        where: entry(seq),
        data: { ip, actor, created_at, data: before.data as object },
      });
    }
    expect((await verify()).chain.ok).toBe(true);
  });

  it('detects a removed entry, and a trail with every hash recomputed', async () => {
    await rewriteTrail((each) => (each.type === 'reservation.signed' ? { ...each, ip: '198.51.100.1' } : each));
    expect((await verify()).chain).toMatchObject({ ok: false, reason: 'anchor' });
    await systemDb().trailEntry.delete({ where: entry(2) });
    expect((await verify()).chain).toMatchObject({ ok: false, broken_seq: 2 });
  });
});

describe('certificate verify FILE.pdf', () => {
  it('accepts the sealed file as the one that this installation sealed', async () => {
    const file = writeTemporaryFile('a.pdf', await storedPdf());
    expect(await verifySealedFile(file)).toMatchObject({
      ok: true,
      problems: [],
      seal: 'valid',
      trusted: true,
      covers_whole_document: true,
      evidence: { certificate_id: signature_id, content_hash_matches: true, chain: { ok: true } },
      record: { certificate_id: signature_id, is_the_sealed_file: true, redacted: false, chain: { ok: true } },
    });
  });

  it('detects one changed byte, and added bytes', async () => {
    const pdf = await storedPdf();
    const changed = await verifySealedFile(writeTemporaryFile('a.pdf', flipped(pdf, pdf.length - 2_000)));
    expect(changed).toMatchObject({ ok: false, seal: 'invalid' });
    const longer = await verifySealedFile(writeTemporaryFile('b.pdf', Buffer.concat([pdf, Buffer.from('\n%%EOF\n')])));
    expect(longer).toMatchObject({ ok: false, seal: 'invalid', covers_whole_document: false });
    expect(longer.problems[0]).toContain('does not cover the whole file');
  });

  it('detects one changed trail entry in the database, also with hashes recomputed', async () => {
    const file = writeTemporaryFile('a.pdf', await storedPdf());
    await systemDb().trailEntry.update({ where: entry(3), data: { ip: '198.51.100.1' } });
    expect(await verifySealedFile(file)).toMatchObject({ ok: false, record: { chain: { ok: false, broken_seq: 3 } } });
    await rewriteTrail((each) => each);
    const rewritten = await verifySealedFile(file);
    expect(rewritten).toMatchObject({ ok: false, seal: 'valid', record: { chain: { ok: false, reason: 'anchor' } } });
    expect(rewritten.problems[0]).toMatch(/stored audit trail is broken/);
    expect(rewritten.problems).toContain('What is stored in trail_entries.3.ip is not what was sealed.');
  });

  it('still verifies a file that a guest kept from before a redaction', async () => {
    const file = writeTemporaryFile('a.pdf', await storedPdf());
    await redactCertificate(scope, signature_id);
    expect(await verifySealedFile(file)).toMatchObject({
      ok: true,
      record: { redacted: true, is_the_sealed_file: true },
    });
  });

  it('refuses a file that is not a certificate', async () => {
    expect(await verifySealedFile(writeTemporaryFile('a.pdf', Buffer.from('hello')))).toMatchObject({
      ok: false,
      seal: 'missing',
    });
  });

  it('as a command with the certificate and without a database prints JSON, and exits with 0 or 1', async () => {
    const pdf = await storedPdf();
    const pem = writeTemporaryFile('c.pem', Buffer.from((await listTrustedSealingPems())[0] ?? ''));
    const run = (file: string) =>
      new Promise<{ code: number; stdout: string }>((done) => {
        const args = ['scripts/admin.mjs', 'certificate', 'verify', file, '--certificate', pem];
        const env = { PATH: process.env.PATH, HOME: process.env.HOME, ENV_FILE: '', DATA_DIR: '/nonexistent/data' };
        const child = execFile(process.execPath, args, { env: env as never }, (_error, stdout) =>
          done({ code: child.exitCode ?? -1, stdout }),
        );
      });
    const file = writeTemporaryFile('a.pdf', pdf);
    const good = await run(file);
    expect(good.code).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({
      ok: true,
      record: null,
      evidence: { certificate_id: signature_id },
    });
    await writeFile(file, flipped(pdf));
    const bad = await run(file);
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.stdout)).toMatchObject({ ok: false, seal: 'invalid' });
  });
});
