/**
 * An attacker who can write to the database changes one column of a certificate and the hashes over
 * it. Every program that displays or checks the certificate (READERS) detects this, and none
 * displays the changed value. docs/evidence.md contains the resulting table.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Prisma } from '@/generated/prisma/client';
import { handleSignedCopyPageRequest } from '@/guest/http/certificate/copy';
import { handleVerifyPageRequest } from '@/guest/http/certificate/verify';
import { systemDb } from '@/infra/db/client';
import { deriveCertificateVerifyToken, deriveLinkToken } from '@/modules/links/urls';
import { appendChainedTrailEntry, type ChainedTrailEntry } from '@/modules/trail/chain';
import { convertRowToChainedTrailEntry } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { buildDisputePackContents, renderDisputePackReadme } from '../dispute-pack/pack';
import { sealCertificate } from '../seal/sealing';
import { retrieveCertificateWithoutTrail } from '../service';
import { insertSealedCertificate, readCertificateWithTrail } from '../testing/signed';
import { verifySealedFile } from './file';
import { verifySealedPdf } from './pdf';
import { readSealedEvidence } from './sealed-evidence';
import { findSignatureByVerifyToken, verifyCertificate } from './verification';

let scope: Scope;
let signature_id: string;
let reservation_id: string;
let snapshot_id: string;
let property_id: string;
let folder: string;
let pdf_file: string;
let restore: () => Promise<unknown> = async () => {};

beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
  ({ signature_id, reservation_id, property_id } = await insertSealedCertificate(scope));
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
  const holder = await findSignatureByVerifyToken(deriveCertificateVerifyToken(signature_id));
  return holder && verifyCertificate(holder);
}

/** The changed value, as it would be displayed. */
const FORGED = 'f0rged';
const SHOWN = /f0rged|2031|channel_b|Kiritimati/;

type Reader = (column: string) => Promise<{ text: string; notices: boolean }>;

/**
 * Every program outside the dashboard that displays or checks a certificate. Each function is
 * called after a stored column was changed. It returns the displayed text, and whether the change
 * was reported.
 */
const READERS: Record<string, Reader> = {
  'verification page': async () => {
    const token = deriveCertificateVerifyToken(signature_id);
    const answer = await handleVerifyPageRequest(new Request(`http://localhost/verify/${token}`), token);
    const text = await answer.text();
    return { text, notices: answer.status === 404 || text.includes('verdict-bad') };
  },
  '`certificate verify`': async () => {
    const { ok, problems } = await verifySealedFile(pdf_file);
    return { text: problems.join(' '), notices: !ok };
  },
  'documented check': async () => {
    const said = await script();
    return { text: said ?? '', notices: said !== null };
  },
  'dispute pack': async (column) => {
    const reading = await readSealedEvidence(
      { scope, head: await retrieveCertificateWithoutTrail(scope, signature_id) },
      'name',
    );
    const { summary, audit } = await buildDisputePackContents(reading);
    const readme = renderDisputePackReadme(reading, ['summary.pdf']);
    const notices = summary.notices.some((notice) => notice.includes(column)) && readme.includes(column);
    return { text: JSON.stringify([summary, audit, readme]), notices };
  },
  'copy page': async () => {
    const token = deriveLinkToken('copy', signature_id);
    const answer = await handleSignedCopyPageRequest(new Request(`http://localhost/c/${token}`), token);
    return { text: await answer.text(), notices: answer.status !== 200 };
  },
  API: async (column) => {
    const answer = await readCertificateWithTrail(scope, await retrieveCertificateWithoutTrail(scope, signature_id));
    return { text: JSON.stringify(answer), notices: answer.evidence.altered.some((field) => field.startsWith(column)) };
  },
};

const table: string[][] = [];
const REFUSED = 'cannot be changed';

/**
 * Adds a row to the table of results. If the column is sealed, every program in READERS must detect
 * the change.
 */
async function addRow(column: string, { sealed }: { sealed: boolean }) {
  const cells: string[] = [];
  for (const [reader, read] of Object.entries(READERS)) {
    const { text, notices } = await read(column.replace(/^trail_entries\..*/, 'trail_entries.'));
    const marked = reader === 'dispute pack' && column === 'reservations.external_id';
    if (sealed) expect(notices, `${reader} notices ${column}`).toBe(true);
    if (!marked) expect(text, `${reader} after ${column}`).not.toMatch(SHOWN);
    cells.push(
      notices ? (WORDS[reader] ?? 'names it') : marked && SHOWN.test(text) ? 'marked not sealed' : 'sealed value',
    );
  }
  table.push([column, ...cells]);
}

const WORDS: Record<string, string> = { 'documented check': 'fails', 'copy page': 'refuses' };

/** Returns the differences that the page, the command and the documented script report. */
async function whoNotices() {
  const seen = await page();
  const { ok, record } = await verifySealedFile(pdf_file);
  return { page: seen?.differences ?? null, command: { ok, differences: record?.differences }, script: await script() };
}

/**
 * Runs the documented script on the API's response and its attached PDF. Returns the reported
 * problem, or null.
 */
async function script(): Promise<string | null> {
  const answer = await retrieveCertificateWithoutTrail(scope, signature_id)
    .then((head) => readCertificateWithTrail(scope, head))
    .catch(() => ({}));
  await writeFile(path.join(folder, 'certificate.json'), JSON.stringify(answer));
  return promisify(execFile)(process.execPath, ['verify.mjs'], { cwd: folder }).then(
    () => null,
    ({ stderr }) => stderr,
  );
}

const trail = async () =>
  (await systemDb().trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } })).map(
    convertRowToChainedTrailEntry,
  );

/** Replaces the whole trail and recomputes all hashes. */
async function writeTrail(entries: readonly Omit<ChainedTrailEntry, 'seq' | 'prev_hash' | 'hash'>[]) {
  const ids = (await systemDb().trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } })).map(
    ({ id }) => id,
  );
  await systemDb().trailEntry.deleteMany({ where: { reservation_id } });
  let previous: ChainedTrailEntry | null = null;
  for (const [index, entry] of entries.entries()) {
    const { type, created_at, actor, ip, user_agent, data } = entry;
    previous = appendChainedTrailEntry(previous, { type, created_at, actor, ip, user_agent, data });
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

async function changeTrail(change: (entries: ChainedTrailEntry[]) => ChainedTrailEntry[]) {
  const before = await trail();
  restore = () => writeTrail(before);
  await writeTrail(change(structuredClone(before)));
}

const BYTES = ['pdf', 'photo', 'drawn_signature'];

/** Returns a different valid value for the column. */
function otherValue(name: string, value: unknown): unknown {
  if (name === 'mode') return value === 'live' ? 'test' : 'live';
  if (BYTES.includes(name)) return new Uint8Array([...((value as Uint8Array | null) ?? []), 1]);
  if (value instanceof Date) return new Date('2031-03-03T03:03:03.000Z');
  return typeof value === 'boolean' ? !value : `${value ?? ''}${FORGED}`;
}

/** Columns whose values are not part of a certificate, with the reason. */
const NOT_STATED: Record<string, Record<string, string>> = {
  Signature: {
    id: 'a page without its certificate, and the sealed id is another',
    team_id: 'whose account it is; the foreign key keeps it with its snapshot',
    attestation: 'keyed, for what no sealed file states: attestation.test.ts',
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

const INTRODUCTION = `# Which checks detect a changed field

Anyone with write access to the database can change rows, but cannot create a seal (the signature
in a certificate's PDF). All evidence that Threshold shows or exports therefore takes its values
from the sealed PDF, after verifying the seal, and names the stored fields that differ.
\`verify/tampering.test.ts\` changes each field, runs each check and compares the results with this
table. To regenerate the table, run
\`npx vitest run -u src/modules/certificates/verify/tampering.test.ts\`.

- **names it**: the response says that the certificate was changed, and shows the sealed value. The
  verification page and the command \`certificate verify\` name the field or the entry of the audit
  trail.
- **fails**: the documented check (the script in \`docs/verify-content-hash.md\`) exits with an error.
- **refuses**: the page with the guest's copy does not show the copy.
- **sealed value**: the field may change after the signature. The check shows the value that was
  sealed.
- **cannot be changed**: a foreign key prevents the change.
`;

const MODELS = {
  Signature: Prisma.SignatureScalarFieldEnum,
  Snapshot: Prisma.SnapshotScalarFieldEnum,
  TrailEntry: Prisma.TrailEntryScalarFieldEnum,
};
const statedColumns = (model: keyof typeof MODELS) =>
  Object.keys(MODELS[model]).filter((name) => !(name in (NOT_STATED[model] ?? {})));

describe('every column of a signature', () => {
  it.each(statedColumns('Signature'))('a change of %s is detected or prevented', async (name) => {
    const before = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    if (name === 'mode' || name === 'snapshot_id') {
      // The foreign key to the snapshot prevents this change.
      const value = otherValue(name, before[name]);
      await expect(
        systemDb().signature.update({ where: { id: signature_id }, data: { [name]: value } }),
      ).rejects.toThrow();
      table.push([`signatures.${name}`, ...Object.keys(READERS).map(() => REFUSED)]);
      return;
    }
    restore = () => systemDb().signature.update({ where: { id: signature_id }, data: before });
    const value = otherValue(name, before[name as keyof typeof before]);
    await systemDb().signature.update({ where: { id: signature_id }, data: { [name]: value } });
    const { page: seen, command } = await whoNotices();
    if (name === 'verify_token_hash') expect(seen).toBeNull();
    else if (name === 'pdf') expect((await page())?.seal.state).toBe('invalid');
    // Another reservation id selects a different trail, so trail columns differ too.
    else if (name === 'reservation_id') expect(seen?.[0]).toBe('signatures.reservation_id');
    else expect(seen).toEqual([`signatures.${name}`]);
    if (name === 'pdf') expect(command).toMatchObject({ ok: false, differences: ['signatures.pdf'] });
    else expect(command).toMatchObject({ ok: false, differences: seen ?? [`signatures.${name}`] });
    await addRow(`signatures.${name}`, { sealed: true });
  });
});

describe('every column of the snapshot', () => {
  it.each(statedColumns('Snapshot'))('a change of %s is detected', async (name) => {
    const before = await systemDb().snapshot.findUniqueOrThrow({ where: { id: snapshot_id } });
    restore = () => systemDb().snapshot.update({ where: { id: snapshot_id }, data: before });
    const value =
      name === 'canonical'
        ? before.canonical.replace('Ada', FORGED)
        : otherValue(name, before[name as keyof typeof before]);
    await systemDb().snapshot.update({ where: { id: snapshot_id }, data: { [name]: value } });
    const { page: seen, command } = await whoNotices();
    expect(seen).toEqual([`snapshots.${name}`]);
    expect(command).toMatchObject({ ok: false, differences: seen });
    await addRow(`snapshots.${name}`, { sealed: true });
  });
});

describe('every column of a trail entry', () => {
  it.each(statedColumns('TrailEntry'))('a change of %s is detected', async (name) => {
    const where = { reservation_id_seq: { reservation_id, seq: 2 } };
    const before = await systemDb().trailEntry.findUniqueOrThrow({ where });
    const data = before.data as Prisma.InputJsonObject;
    restore = () => systemDb().trailEntry.update({ where: { id: before.id }, data: { ...before, data } });
    const special: Record<string, unknown> = { seq: 99, data: { x: FORGED } };
    const value = special[name] ?? otherValue(name, before[name as keyof typeof before]);
    await systemDb().trailEntry.update({ where, data: { [name]: value } });
    const { page: seen, command, script: said } = await whoNotices();
    expect(seen?.length).toBeGreaterThan(0);
    // If an entry is missing or misplaced, the entries after it also differ.
    const out_of_place = ['seq', 'mode', 'reservation_id'].includes(name);
    if (!out_of_place) expect(seen).toEqual([`trail_entries.2.${name}`]);
    expect((await page())?.chain.ok).toBe(false);
    expect(command).toMatchObject({ ok: false, differences: seen });
    expect(said).not.toBeNull();
    await addRow(`trail_entries.${name}`, { sealed: true });
  });
});

describe('the snapshot', () => {
  it('changed, with every hash recomputed, is detected', async () => {
    const before = await systemDb().snapshot.findUniqueOrThrow({ where: { id: snapshot_id } });
    const trail_before = await trail();
    restore = async () => {
      await systemDb().snapshot.update({ where: { id: snapshot_id }, data: before });
      await systemDb().signature.update({ where: { id: signature_id }, data: { content_hash: before.content_hash } });
      await writeTrail(trail_before);
    };
    const canonical = before.canonical.replace('No smoking', 'Do smoke');
    const content_hash = sha256Hex(canonical);
    await systemDb().snapshot.update({ where: { id: snapshot_id }, data: { canonical } });
    expect((await whoNotices()).script).toContain('is not what was sealed');
    await systemDb().snapshot.update({ where: { id: snapshot_id }, data: { content_hash } });
    await systemDb().signature.update({ where: { id: signature_id }, data: { content_hash } });
    expect((await whoNotices()).script).toContain('is not what was sealed');
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
    expect(seen.script).toContain('the chain is broken before entry');
  });
});

describe('a changed trail, with every hash recomputed', () => {
  const signed = (entries: ChainedTrailEntry[]) => entries.findIndex(({ type }) => type === 'reservation.signed');
  it.each<[string, (entries: ChainedTrailEntry[]) => ChainedTrailEntry[]]>([
    [
      'another time',
      (all) => all.map((one, at) => (at === 1 ? { ...one, created_at: '2020-01-01T00:00:00.000Z' } : one)),
    ],
    ['another actor', (all) => all.map((one, at) => (at === signed(all) ? { ...one, actor: 'somebody' } : one))],
    ['another address', (all) => all.map((one, at) => (at === signed(all) ? { ...one, ip: '198.51.100.1' } : one))],
    ['another device', (all) => all.map((one, at) => (at === signed(all) ? { ...one, user_agent: 'x' } : one))],
    ['another type', (all) => all.map((one, at) => (at === 1 ? { ...one, type: 'reservation.clicked' } : one))],
    ['other data', (all) => all.map((one, at) => (at === 0 ? { ...one, data: { source: 'x' } } : one))],
    ['one entry fewer', (all) => all.filter((_, at) => at !== 1)],
    ['one entry more', (all) => [...all.slice(0, 1), all[0]!, ...all.slice(1)]],
    ['no last entry', (all) => all.slice(0, -1)],
    ['no entry after the signature', (all) => all.slice(0, signed(all) + 1)],
    ['no signature', (all) => all.slice(0, signed(all))],
    ['no entries', () => []],
  ])('is detected: %s', async (_what, change) => {
    await changeTrail(change);
    const seen = await whoNotices();
    expect(seen.page).not.toEqual([]);
    expect(seen.page?.every((column) => column.startsWith('trail_entries.'))).toBe(true);
    expect((await page())?.chain.ok).toBe(false);
    expect(seen.command).toMatchObject({ ok: false, differences: seen.page });
    expect(seen.script).toMatch(
      /is not what was sealed|the certificate's entry is missing|nobody signed|the chain is broken|entry \d+ is missing/,
    );
  });
});

describe('a certificate whose file is gone', () => {
  it('is not sealed again, and is not pending', async () => {
    const before = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    restore = () => systemDb().signature.update({ where: { id: signature_id }, data: before });
    const gone = { pdf: null, sealed_at: null, pdf_sha256: null, signer_name: 'Somebody Else' };
    await systemDb().signature.update({ where: { id: signature_id }, data: gone });
    expect((await page())?.seal.state).toBe('invalid');
    await expect(sealCertificate(scope, signature_id)).rejects.toThrow(/sealed before/);
    expect((await page())?.seal.state).toBe('invalid');
  });

  it('is not shown as erased unless its trail says so', async () => {
    const before = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    restore = () => systemDb().signature.update({ where: { id: signature_id }, data: before });
    const emptied = { pdf: null, photo: null, drawn_signature: null, signer_email: null, redacted_at: new Date() };
    await systemDb().signature.update({ where: { id: signature_id }, data: emptied });
    expect((await page())?.seal.state).toBe('invalid');
  });
});

describe('changes of values that the dispute pack and the pages take from other rows', () => {
  it('have the documented effect: the entry of the public log', async () => {
    const row = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
    const entry = await systemDb().logEntry.findFirstOrThrow({ where: { pdf_sha256: row.pdf_sha256 ?? '' } });
    restore = () => systemDb().logEntry.create({ data: entry });
    await systemDb().logEntry.deleteMany({ where: { pdf_sha256: entry.pdf_sha256 } });
    await addRow('log_entries.pdf_sha256', { sealed: true });
  });

  it.each([
    ...(['checkin_date', 'checkout_date', 'guest_name', 'guest_email', 'external_id'] as const),
    ...(['external_source', 'source'] as const),
  ])('have the documented effect: reservations.%s', async (name) => {
    const before = await systemDb().reservation.findUniqueOrThrow({ where: { id: reservation_id } });
    restore = () =>
      systemDb().reservation.update({
        where: { id: reservation_id },
        data: { [name]: before[name], checkout_date: before.checkout_date },
      });
    const value = name === 'source' ? 'channel_b' : otherValue(name, before[name]);
    const data = { [name]: value, ...(name === 'checkin_date' && { checkout_date: new Date('2031-03-09T00:00:00Z') }) };
    await systemDb().reservation.update({ where: { id: reservation_id }, data });
    await addRow(`reservations.${name}`, { sealed: false });
  });

  it.each(['name', 'address', 'timezone'] as const)('have the documented effect: properties.%s', async (name) => {
    const before = await systemDb().property.findUniqueOrThrow({ where: { id: property_id } });
    restore = () => systemDb().property.update({ where: { id: property_id }, data: { [name]: before[name] } });
    const value = name === 'timezone' ? 'Pacific/Kiritimati' : otherValue(name, before[name]);
    await systemDb().property.update({ where: { id: property_id }, data: { [name]: value } });
    await addRow(`properties.${name}`, { sealed: false });
  });
});

it('the table in the documentation matches these results', async () => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = ['changed', ...Object.keys(READERS)];
  const lines = [head, head.map(() => '---'), ...table].map(line);
  await expect(`${INTRODUCTION}\n${lines.join('\n')}\n`).toMatchFileSnapshot('../../../../docs/evidence.md');
});

it('an unchanged certificate has no differences', async () => {
  expect(await whoNotices()).toEqual({ page: [], command: { ok: true, differences: [] }, script: null });
});
