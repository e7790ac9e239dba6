/**
 * Tests searching certificates by signer, property, time and booking code, and downloading an
 * archive.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { redactCertificate } from '@/modules/certificates/privacy/service';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { unpackZip } from '@/testing/unzip';
import { CertificateBatchSelection, HostCertificateListQuery } from '../host.schemas';
import { listCertificatesForHost } from '../host.service';
import { findCertificateIdsBySearchWords, SIGNER_SEARCH_COLUMN } from '../search.repository';
import { insertSealedCertificate, insertSentReservation, signAsGuest, TEST_GUEST } from '../testing/signed';
import { streamCertificateArchive } from './batch';

const GRACE = { ...TEST_GUEST, name: 'Grace Hopper', email: 'grace@navy.example' };
let scope: Scope;
let time: FakeClock;
let ada: Awaited<ReturnType<typeof insertSealedCertificate>>;
let grace: Awaited<ReturnType<typeof insertSealedCertificate>>;
let unsealed: string;

beforeAll(async () => {
  await openTestDatabase();
  time = installFakeClock('2026-05-02T22:30:00Z');
  scope = await insertTeam();
  grace = await insertSealedCertificate(scope, GRACE);
  await systemDb().property.update({
    where: { id: grace.property_id },
    data: { name: 'Casa Azul', timezone: 'Europe/Madrid' },
  });
  await systemDb().reservation.update({
    where: { id: grace.reservation_id },
    data: { external_id: 'HM-4711', guest_name: 'Commodore' },
  });
  time.set(new Date('2026-06-01T10:00:00Z'));
  ada = await insertSealedCertificate(scope);
  const sent = await insertSentReservation(scope, GRACE);
  unsealed = await signAsGuest(scope, sent.reservation_id, GRACE);
  await insertSealedCertificate(await insertTeam('live', 'other@example.com'), GRACE);
}, 120_000);
afterAll(async () => {
  setClock(null);
  await closeTestDatabase();
});

const found = async (query: object) =>
  (await listCertificatesForHost(scope, HostCertificateListQuery.parse(query))).data.map(({ id }) => id);
const files = async (query: object) => {
  const parts: Uint8Array[] = [];
  for await (const part of streamCertificateArchive(scope, CertificateBatchSelection.parse(query))) parts.push(part);
  return unpackZip(Buffer.concat(parts));
};

describe('certificates are found', () => {
  it.each([
    ['grace', () => [unsealed, grace.signature_id]],
    ['GRACE hop', () => [unsealed, grace.signature_id]],
    ['grace@navy.example', () => [unsealed, grace.signature_id]],
    ['hm-4711', () => [grace.signature_id]],
    ['commodore', () => [grace.signature_id]],
    ['ada', () => [ada.signature_id]],
    ['nobody', () => []],
    ["' | 'ada':* & \\", () => []],
  ])('by %s, only in their own team', async (search, expected) => {
    expect(await found({ search })).toEqual(expected());
  });

  it('by property and by signing time', async () => {
    expect(await found({ property: grace.property_id })).toEqual([grace.signature_id]);
    const may = { 'signed_at.gte': '2026-05-01T00:00:00Z', 'signed_at.lt': '2026-06-01T00:00:00Z' };
    expect(await found({ search: 'grace', ...may })).toEqual([grace.signature_id]);
    expect(await found({ ...may, search: 'ada' })).toEqual([]);
    expect(await found({ search: 'grace', limit: 1, starting_after: unsealed })).toEqual([grace.signature_id]);
  });

  it('newest first, when there are more than the search inspects', async () => {
    const { created_at } = await systemDb().signature.findUniqueOrThrow({ where: { id: ada.signature_id } });
    const made = (at: Date) =>
      systemDb().signature.update({ where: { id: ada.signature_id }, data: { created_at: at } });
    await made(new Date('2026-07-01T00:00:00Z'));
    expect(await findCertificateIdsBySearchWords(scope, ['grace'], [], 1)).toEqual([unsealed]);
    expect(await findCertificateIdsBySearchWords(scope, ['grace'], [ada.reservation_id], 1)).toEqual([
      ada.signature_id,
    ]);
    await made(created_at);
  });

  it('by exactly the indexed expression', async () => {
    const plan = await systemDb().$transaction(async (tx) => {
      await tx.$executeRawUnsafe('SET LOCAL enable_seqscan = off');
      return tx.$queryRawUnsafe<object[]>(
        `EXPLAIN SELECT 1 FROM signatures s WHERE ${SIGNER_SEARCH_COLUMN.sql} @@ 'ada'::tsquery`,
      );
    });
    expect(JSON.stringify(plan)).toContain('expression_signatures_search');
  });
});

describe('the archive of certificates', () => {
  it('contains the sealed files under readable names, and lists the missing ones', async () => {
    const archive = await files({});
    expect([...archive.keys()].sort()).toEqual([
      '2026-05-03 Grace Hopper, Casa Azul.pdf',
      '2026-06-01 Ada Lovelace, Harbour Loft.pdf',
      'without-file.txt',
    ]);
    expect(String(archive.get('without-file.txt'))).toContain(`${unsealed}  not sealed yet`);
    const row = await systemDb().signature.findUniqueOrThrow({ where: { id: grace.signature_id } });
    expect(Buffer.compare(archive.get('2026-05-03 Grace Hopper, Casa Azul.pdf') as Buffer, row.pdf as Uint8Array)).toBe(
      0,
    );
    const [noted] = await systemDb().auditLog.findMany({ where: { action: 'certificate.downloaded' } });
    expect(noted).toMatchObject({ data: { files: 2 } });
  });

  it('of selected ids contains exactly these, and no other team’s', async () => {
    const theirs = await systemDb().signature.findFirstOrThrow({ where: { team_id: { not: scope.team_id } } });
    expect([...(await files({ ids: [ada.signature_id, theirs.id].join(',') })).keys()]).toEqual([
      '2026-06-01 Ada Lovelace, Harbour Loft.pdf',
    ]);
    expect([...(await files({ search: 'hm-4711' })).keys()]).toEqual(['2026-05-03 Grace Hopper, Casa Azul.pdf']);
  });

  it('of a redacted certificate contains no file', async () => {
    await redactCertificate(scope, ada.signature_id);
    const archive = await files({ ids: ada.signature_id });
    expect([...archive.keys()]).toEqual(['without-file.txt']);
    expect(await found({ search: 'ada' })).toEqual([]);
  });
});
