/**
 * Tests that an attacker who can write to the database but has no key can neither get false data
 * sealed nor present data as erased.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { appendChainedTrailEntry } from '@/modules/trail/chain';
import { convertRowToChainedTrailEntry, listTrailEntries } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { redactCertificate } from '../privacy/service';
import { sealCertificate } from '../seal/sealing';
import { retrieveCertificateWithoutTrail } from '../service';
import { insertSealedCertificate, insertSentReservation, signAsGuest } from '../testing/signed';
import { readSealedEvidence } from './sealed-evidence';

let scope: Scope;
beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam('live');
});
afterAll(closeTestDatabase);

const status = async (id: string, of = scope) =>
  (await readSealedEvidence({ scope: of, head: await retrieveCertificateWithoutTrail(of, id) }, 'name')).status;
const update = (id: string, data: object) => systemDb().signature.update({ where: { id }, data });

/** Changes a rule in the snapshot and recomputes every unkeyed hash. */
async function forge(reservation_id: string, signature_id: string): Promise<void> {
  const { snapshot_id } = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
  const { canonical } = await systemDb().snapshot.findUniqueOrThrow({ where: { id: snapshot_id } });
  const forged = canonical.replace('No smoking', 'Guest pays 9000 USD for smoking');
  const content_hash = sha256Hex(forged);
  await systemDb().snapshot.update({ where: { id: snapshot_id }, data: { canonical: forged, content_hash } });
  const rows = await listTrailEntries(scope, reservation_id);
  const end = rows.findIndex(({ type }) => type === 'reservation.signed');
  await systemDb().trailEntry.deleteMany({ where: { reservation_id, seq: { gt: end + 1 } } });
  const signed = convertRowToChainedTrailEntry(rows[end] as (typeof rows)[number]);
  const before = rows[end - 1] ? convertRowToChainedTrailEntry(rows[end - 1] as (typeof rows)[number]) : null;
  const { prev_hash: _prev, hash: _hash, seq: _seq, ...entry } = signed;
  const { hash } = appendChainedTrailEntry(before, { ...entry, data: { ...entry.data, content_hash } });
  await systemDb().trailEntry.updateMany({
    where: { reservation_id, seq: end + 1 },
    data: { data: { ...entry.data, content_hash }, hash },
  });
  const unsealed = { pdf: null, pdf_sha256: null, sealed_at: null };
  await update(signature_id, { content_hash, ...unsealed });
}

describe('sealing', () => {
  it('refuses a text that the guest did not sign, before the first seal and after it', async () => {
    const { reservation_id } = await insertSentReservation(scope);
    const unsealed = await signAsGuest(scope, reservation_id);
    await forge(reservation_id, unsealed);
    await expect(sealCertificate(scope, unsealed)).rejects.toThrow('not what the guest signed');
    expect(await status(unsealed)).toBe('unverified');

    const sealed = await insertSealedCertificate(scope);
    await forge(sealed.reservation_id, sealed.signature_id);
    await expect(sealCertificate(scope, sealed.signature_id)).rejects.toThrow('not what the guest signed');
    expect(await status(sealed.signature_id)).toBe('unverified');
  });

  it.each([
    ['signer_name', 'Eve'],
    ['signed_at', new Date('2026-01-01T00:00:00Z')],
    ['signed_ip', '198.51.100.66'],
    ['otp_confirmed', true],
    ['signer_email', 'eve@example.com'],
  ])('refuses a changed %s', async (column, value) => {
    const { reservation_id } = await insertSentReservation(scope);
    const id = await signAsGuest(scope, reservation_id);
    await update(id, { [column]: value });
    await expect(sealCertificate(scope, id)).rejects.toThrow('not what the guest signed');
  });
});

describe('a redacted certificate', () => {
  it('is shown as erased', async () => {
    const { signature_id } = await insertSealedCertificate(scope);
    await redactCertificate(scope, signature_id);
    expect(await status(signature_id)).toBe('redacted');
  });

  it.each([
    ['signed_at', new Date('2026-01-01T00:00:00Z')],
    ['sealed_at', new Date('2026-01-01T00:00:00Z')],
    ['otp_confirmed', true],
    ['content_hash', 'f'.repeat(64)],
    ['redacted_at', new Date('2026-01-01T00:00:00Z')],
  ])('with a changed %s is not shown as genuine', async (column, value) => {
    const { signature_id } = await insertSealedCertificate(scope);
    await redactCertificate(scope, signature_id);
    await update(signature_id, { [column]: value });
    expect(await status(signature_id)).toBe('unverified');
  });

  it('with changed times in its trail is not shown as genuine', async () => {
    const { signature_id, reservation_id } = await insertSealedCertificate(scope);
    await redactCertificate(scope, signature_id);
    await systemDb().trailEntry.updateMany({ where: { reservation_id, seq: 1 }, data: { created_at: new Date(0) } });
    expect(await status(signature_id)).toBe('unverified');
  });

  it('whose redaction was faked is not shown as erased', async () => {
    const { signature_id, reservation_id } = await insertSealedCertificate(scope);
    const rows = await listTrailEntries(scope, reservation_id);
    const last = convertRowToChainedTrailEntry(rows.at(-1) as (typeof rows)[number]);
    const entry = { type: 'certificate.redacted', created_at: new Date().toISOString(), actor: 'user x' };
    const faked = appendChainedTrailEntry(last, { ...entry, ip: null, user_agent: null, data: {} });
    const { id: _id, ...row } = rows.at(-1) as (typeof rows)[number];
    await systemDb().trailEntry.create({
      data: { ...faked, team_id: row.team_id, mode: row.mode, reservation_id, id: 'trl_faked' } as never,
    });
    const gone = {
      pdf: null,
      photo: null,
      drawn_signature: null,
      signer_email: null,
      signed_ip: null,
      user_agent: null,
    };
    await update(signature_id, { ...gone, redacted_at: new Date(), signer_name: 'Redacted' });
    expect(await status(signature_id)).toBe('unverified');
  });
});

it('a certificate moved to another team is not verified there', async () => {
  const { signature_id } = await insertSealedCertificate(scope);
  const other = await insertTeam('live', 'other@example.com');
  const { team_id } = other;
  const { snapshot_id, reservation_id } = await systemDb().signature.findUniqueOrThrow({ where: { id: signature_id } });
  await systemDb().$transaction([
    systemDb().$executeRaw`SET CONSTRAINTS ALL DEFERRED`,
    systemDb().$executeRaw`SET LOCAL session_replication_role = replica`,
    systemDb().$executeRaw`UPDATE snapshots SET team_id = ${team_id} WHERE id = ${snapshot_id}`,
    systemDb().$executeRaw`UPDATE signatures SET team_id = ${team_id} WHERE id = ${signature_id}`,
    systemDb().$executeRaw`UPDATE trail_entries SET team_id = ${team_id} WHERE reservation_id = ${reservation_id}`,
    systemDb().$executeRaw`UPDATE reservations SET team_id = ${team_id} WHERE id = ${reservation_id}`,
  ]);
  expect(await status(signature_id, other)).toBe('altered');
});
