/**
 * Somebody who can write the database changes any one column that a certificate stands on, and whatever hashes stand beside
 * it: the page, the operator's command and the documented check each say so, and the first two name the column.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { verifyToken } from '@/modules/links/urls';
import { appendEntry, type ChainedEntry } from '@/modules/trail/chain';
import { chainedEntry } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { sealCertificate } from '../seal/sealing';
import { retrieveHead, withTrail } from '../service';
import { insertSealed } from '../testing/signed';
import { verifyFile } from './file';
import { verifySealedPdf } from './pdf';
import { openVerifyToken, verifyCertificate } from './verification';

let scope: Scope;
let signature_id: string;
let reservation_id: string;
let snapshot_id: string;
let folder: string;
let pdf_file: string;
let restore: () => Promise<unknown> = async () => {};

beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
  ({ signature_id, reservation_id } = await insertSealed(scope));
  const row = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
  snapshot_id = row.snapshot_id;
  folder = await mkdtemp(path.join(tmpdir(), 'threshold-tampering-'));
  pdf_file = path.join(folder, 'certificate.pdf');
  await writeFile(pdf_file, row.pdf ?? '');
  const code = /```js\n(.*?)```/s.exec(readFileSync('docs/verify-content-hash.md', 'utf8'))?.[1] ?? '';
  await writeFile(path.join(folder, 'verify.mjs'), code);
  const { evidence } = await verifySealedPdf(row.pdf ?? new Uint8Array());
  await writeFile(path.join(folder, 'audit-trail.json'), JSON.stringify(evidence?.audit));
});
afterEach(async () => {
  await restore();
  restore = async () => {};
});
afterAll(closeTestDatabase);

async function page() {
  const holder = await openVerifyToken(verifyToken(signature_id));
  return holder && verifyCertificate(holder);
}

/** Who says what: the page and the command by the columns they name, the documented script by its message. */
async function whoNotices() {
  const seen = await page();
  const { ok, record } = await verifyFile(pdf_file);
  return { page: seen?.differences ?? null, command: { ok, differences: record?.differences }, script: await script() };
}

/** What the documented script says of the API's answer beside the file attached to the PDF; null when nothing is wrong. */
async function script(): Promise<string | null> {
  const answer = await retrieveHead(scope, signature_id)
    .then((head) => withTrail(scope, head))
    .catch(() => ({}));
  await writeFile(path.join(folder, 'certificate.json'), JSON.stringify(answer));
  return promisify(execFile)(process.execPath, ['verify.mjs'], { cwd: folder }).then(
    () => null,
    ({ stderr }) => stderr,
  );
}

const trail = async () =>
  (await systemDb().trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } })).map(chainedEntry);

/** Writes the whole trail anew, as somebody would who computes all its hashes. */
async function writeTrail(entries: readonly Omit<ChainedEntry, 'seq' | 'prev_hash' | 'hash'>[]) {
  const ids = (await systemDb().trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } })).map(
    ({ id }) => id,
  );
  await systemDb().trailEntry.deleteMany({ where: { reservation_id } });
  let previous: ChainedEntry | null = null;
  for (const [index, entry] of entries.entries()) {
    const { type, created_at, actor, ip, user_agent, data } = entry;
    previous = appendEntry(previous, { type, created_at, actor, ip, user_agent, data });
    await systemDb().trailEntry.create({
      data: {
        ...previous,
        data: previous.data as Prisma.InputJsonObject,
        id: ids[index] ?? `${ids[0]}${index}`,
        reservation_id,
        team_id: scope.team_id,
        mode: scope.mode,
      },
    });
  }
}

async function changeTrail(change: (entries: ChainedEntry[]) => ChainedEntry[]) {
  const before = await trail();
  restore = () => writeTrail(before);
  await writeTrail(change(structuredClone(before)));
}

const BYTES = ['pdf', 'photo', 'drawn_signature'];

/** A value that the column could have instead. */
function otherValue(name: string, value: unknown): unknown {
  if (name === 'mode') return value === 'live' ? 'test' : 'live';
  if (BYTES.includes(name)) return new Uint8Array([...((value as Uint8Array | null) ?? []), 1]);
  if (value instanceof Date) return new Date(value.getTime() + 3_600_000);
  return typeof value === 'boolean' ? !value : `${value ?? ''}x`;
}

/** What a certificate does not state: changing it changes nothing of what is called genuine. */
const NOT_STATED: Record<string, Record<string, string>> = {
  Signature: {
    id: 'a page without its certificate, and the sealed id is another',
    team_id: 'whose account it is; the foreign key keeps it with its snapshot',
    created_at: 'bookkeeping',
    updated_at: 'bookkeeping',
    seal_error: 'the last failed attempt',
    pdf_object: 'where the file lies; what lies there is held against the seal (files/files.test.ts)',
    photo_object: 'as above',
    legal_hold: 'set and taken away by the host',
    copy_revoked_at: 'set and taken away by the host',
    redacted_at: 'a certificate without its entry of redaction is not genuine: below',
  },
  Snapshot: { id: 'the foreign key keeps it', team_id: 'as above', mode: 'as above', created_at: 'bookkeeping' },
  TrailEntry: { id: 'names the row', team_id: 'the trail of an account holds its own entries: below' },
};

const MODELS = {
  Signature: Prisma.SignatureScalarFieldEnum,
  Snapshot: Prisma.SnapshotScalarFieldEnum,
  TrailEntry: Prisma.TrailEntryScalarFieldEnum,
};
const statedColumns = (model: keyof typeof MODELS) =>
  Object.keys(MODELS[model]).filter((name) => !(name in (NOT_STATED[model] ?? {})));

describe('every column of a signature', () => {
  it.each(statedColumns('Signature'))('%s', async (name) => {
    const before = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    if (name === 'mode' || name === 'snapshot_id') {
      // The foreign key to the snapshot refuses it.
      const value = otherValue(name, before[name]);
      await expect(
        systemDb().signature.update({ where: { id: signature_id }, data: { [name]: value } }),
      ).rejects.toThrow();
      return;
    }
    restore = () => systemDb().signature.update({ where: { id: signature_id }, data: before });
    const value = otherValue(name, before[name as keyof typeof before]);
    await systemDb().signature.update({ where: { id: signature_id }, data: { [name]: value } });
    const { page: seen, command } = await whoNotices();
    if (name === 'verify_token_hash') expect(seen).toBeNull();
    else if (name === 'pdf') expect((await page())?.seal.state).toBe('invalid');
    // Another reservation's trail is another trail.
    else if (name === 'reservation_id') expect(seen?.[0]).toBe('signatures.reservation_id');
    else expect(seen).toEqual([`signatures.${name}`]);
    // The command has the file that was sealed: bytes that are stored in its place are the page's to notice.
    if (name !== 'pdf') expect(command).toMatchObject({ ok: false, differences: seen ?? [`signatures.${name}`] });
  });
});

describe('every column of the snapshot', () => {
  it.each(statedColumns('Snapshot'))('%s', async (name) => {
    const before = await systemDb().snapshot.findUniqueOrThrow({ where: { id: snapshot_id } });
    restore = () => systemDb().snapshot.update({ where: { id: snapshot_id }, data: before });
    const value =
      name === 'canonical'
        ? before.canonical.replace('Ada', 'Eve')
        : otherValue(name, before[name as keyof typeof before]);
    await systemDb().snapshot.update({ where: { id: snapshot_id }, data: { [name]: value } });
    const { page: seen, command } = await whoNotices();
    expect(seen).toEqual([`snapshots.${name}`]);
    expect(command).toMatchObject({ ok: false, differences: seen });
  });
});

describe('every column of a trail entry', () => {
  it.each(statedColumns('TrailEntry'))('%s', async (name) => {
    const where = { reservation_id_seq: { reservation_id, seq: 2 } };
    const before = await systemDb().trailEntry.findUniqueOrThrow({ where });
    const data = before.data as Prisma.InputJsonObject;
    restore = () => systemDb().trailEntry.update({ where: { id: before.id }, data: { ...before, data } });
    const special: Record<string, unknown> = { seq: 99, data: { x: 1 } };
    const value = special[name] ?? otherValue(name, before[name as keyof typeof before]);
    await systemDb().trailEntry.update({ where, data: { [name]: value } });
    const { page: seen, command, script: said } = await whoNotices();
    expect(seen?.length).toBeGreaterThan(0);
    // An entry that is not in its place shifts those behind it.
    const out_of_place = ['seq', 'mode', 'reservation_id'].includes(name);
    if (!out_of_place) expect(seen).toEqual([`trail_entries.2.${name}`]);
    expect((await page())?.chain.ok).toBe(false);
    expect(command).toMatchObject({ ok: false, differences: seen });
    expect(said).not.toBeNull();
  });
});

describe('the snapshot', () => {
  it.each(['Do smoke', 'No smoking!'])('changed to “%s”, with every hash computed anew', async (words) => {
    const before = await systemDb().snapshot.findUniqueOrThrow({ where: { id: snapshot_id } });
    const trail_before = await trail();
    restore = async () => {
      await systemDb().snapshot.update({ where: { id: snapshot_id }, data: before });
      await systemDb().signature.update({ where: { id: signature_id }, data: { content_hash: before.content_hash } });
      await writeTrail(trail_before);
    };
    const canonical = before.canonical.replace('No smoking', words);
    const content_hash = sha256Hex(canonical);
    await systemDb().snapshot.update({ where: { id: snapshot_id }, data: { canonical } });
    expect((await whoNotices()).script).toContain('the snapshot was changed');
    await systemDb().snapshot.update({ where: { id: snapshot_id }, data: { content_hash } });
    await systemDb().signature.update({ where: { id: signature_id }, data: { content_hash } });
    expect((await whoNotices()).script).toContain('another snapshot was signed');
    await writeTrail(
      trail_before.map((entry) =>
        entry.type === 'reservation.signed' ? { ...entry, data: { ...entry.data, content_hash } } : entry,
      ),
    );
    const seen = await whoNotices();
    expect(seen.page).toEqual(
      expect.arrayContaining(['signatures.content_hash', 'snapshots.canonical', 'snapshots.content_hash']),
    );
    expect(seen.command).toMatchObject({ ok: false, differences: seen.page });
    expect(seen.script).toContain('is not what was sealed');
  });
});

describe('the trail, with every hash computed anew', () => {
  const signed = (entries: ChainedEntry[]) => entries.findIndex(({ type }) => type === 'reservation.signed');
  it.each<[string, (entries: ChainedEntry[]) => ChainedEntry[]]>([
    [
      'another time',
      (all) => all.map((one, at) => (at === 1 ? { ...one, created_at: '2020-01-01T00:00:00.000Z' } : one)),
    ],
    ['another actor', (all) => all.map((one, at) => (at === signed(all) ? { ...one, actor: 'somebody' } : one))],
    ['another address', (all) => all.map((one, at) => (at === signed(all) ? { ...one, ip: '198.51.100.1' } : one))],
    ['another device', (all) => all.map((one, at) => (at === signed(all) ? { ...one, user_agent: 'x' } : one))],
    ['another type', (all) => all.map((one, at) => (at === 1 ? { ...one, type: 'reservation.clicked' } : one))],
    ['other data', (all) => all.map((one, at) => (at === 0 ? { ...one, data: { source: 'x' } } : one))],
    ['an entry less', (all) => all.filter((_, at) => at !== 1)],
    ['an entry more', (all) => [...all.slice(0, 1), all[0]!, ...all.slice(1)]],
    ['its last entry gone', (all) => all.slice(0, -1)],
    ['all gone after the signature', (all) => all.slice(0, signed(all) + 1)],
    ['the signature gone', (all) => all.slice(0, signed(all))],
    ['nothing left', () => []],
  ])('%s', async (_what, change) => {
    await changeTrail(change);
    const seen = await whoNotices();
    expect(seen.page).not.toEqual([]);
    expect(seen.page?.every((column) => column.startsWith('trail_entries.'))).toBe(true);
    expect((await page())?.chain.ok).toBe(false);
    expect(seen.command).toMatchObject({ ok: false, differences: seen.page });
    expect(seen.script).toMatch(/is not what was sealed|the certificate's entry is missing|nobody signed/);
  });
});

describe('a certificate whose file is gone', () => {
  it('is not sealed anew in the place of the first, and does not wait for its seal', async () => {
    const before = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    restore = () => systemDb().signature.update({ where: { id: signature_id }, data: before });
    const gone = { pdf: null, sealed_at: null, pdf_sha256: null, signer_name: 'Somebody Else' };
    await systemDb().signature.update({ where: { id: signature_id }, data: gone });
    expect((await page())?.seal.state).toBe('invalid');
    await expect(sealCertificate(scope, signature_id)).rejects.toThrow(/sealed before/);
    expect((await page())?.seal.state).toBe('invalid');
  });

  it('is not called erased when its trail does not say so', async () => {
    const before = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    restore = () => systemDb().signature.update({ where: { id: signature_id }, data: before });
    const emptied = { pdf: null, photo: null, drawn_signature: null, signer_email: null, redacted_at: new Date() };
    await systemDb().signature.update({ where: { id: signature_id }, data: emptied });
    expect((await page())?.seal.state).toBe('invalid');
  });
});

it('nothing is said of what was not touched', async () => {
  expect(await whoNotices()).toEqual({ page: [], command: { ok: true, differences: [] }, script: null });
});
