/** Queries on signatures and their snapshots. Large columns are read only where needed. */
import type { Prisma, Signature, Snapshot } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { listRowsByKeyset, type Page } from '@/infra/db/keyset';
import { requireTransactionDb, Prisma as Sql, scopedDb, UNSCOPED_SQL_COMMENT } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';
import type { CertificateListQuery } from './schemas';
import { SIGNATURE_COLUMNS_EXCEPT_LARGE, type SignatureWithoutLargeColumns } from './serializer';

export function findSignatureWithoutLargeColumns(
  scope: Scope,
  id: string,
): Promise<SignatureWithoutLargeColumns | null> {
  return scopedDb(scope).signature.findFirst({ where: { id }, select: SIGNATURE_COLUMNS_EXCEPT_LARGE });
}

/** Returns the certificates with these ids, newest first. */
export function findSignaturesWithoutLargeColumns(
  scope: Scope,
  ids: readonly string[],
): Promise<SignatureWithoutLargeColumns[]> {
  return scopedDb(scope).signature.findMany({
    where: { id: { in: [...ids] } },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
    select: SIGNATURE_COLUMNS_EXCEPT_LARGE,
  });
}

export function listSignaturesWithoutLargeColumns(
  scope: Scope,
  query: CertificateListQuery,
  where: Prisma.SignatureWhereInput = {},
): Promise<Page<SignatureWithoutLargeColumns>> {
  const { signature } = scopedDb(scope);
  const heads = {
    findFirst: (args: { where: object; select: object }) => signature.findFirst(args as never),
    findMany: (args: { where: object; orderBy: object[]; take: number }) =>
      signature.findMany({ ...args, select: SIGNATURE_COLUMNS_EXCEPT_LARGE }),
  };
  const reservation_filter = query.reservation === undefined ? {} : { reservation_id: query.reservation };
  return listRowsByKeyset<SignatureWithoutLargeColumns>(
    heads,
    'signature',
    'signature',
    { ...where, ...reservation_filter },
    query,
  );
}

export function findAgreementSnapshot(scope: Scope, id: string): Promise<Snapshot | null> {
  return scopedDb(scope).snapshot.findFirst({ where: { id } });
}

/** A signature without PDF and photo, which may be in the storage (files/read.ts). */
export type SignatureRow = Omit<Signature, 'pdf' | 'photo'>;

export function findSignatureRow(scope: Scope, id: string): Promise<SignatureRow | null> {
  return scopedDb(scope).signature.findFirst({ where: { id }, omit: { pdf: true, photo: true } });
}

export async function saveTrailHashAtRedaction(scope: Scope, id: string, attestation: string): Promise<void> {
  await scopedDb(scope).signature.updateMany({ where: { id }, data: { attestation } });
}

export function findProperty(scope: Scope, id: string) {
  return scopedDb(scope).property.findFirst({ where: { id } });
}

/** Returns names and time zones of properties by id. Omits deleted properties. */
export async function findProperties(scope: Scope, ids: readonly string[]) {
  const rows = await scopedDb(scope).property.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, name: true, timezone: true },
  });
  return new Map(rows.map((row) => [row.id, row]));
}

export async function findBookingCodesByReservationId(
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await scopedDb(scope).reservation.findMany({
    where: { id: { in: [...ids] }, external_id: { not: null } },
    select: { id: true, external_id: true },
  });
  return new Map(rows.flatMap(({ id, external_id }) => (external_id ? [[id, external_id] as const] : [])));
}

export async function doesReservationExist(scope: Scope, id: string): Promise<boolean> {
  return (await scopedDb(scope).reservation.findFirst({ where: { id }, select: { id: true } })) !== null;
}

/** Returns facts about the signer, and whether a photo and a drawing exist. */
export async function findSignerDetails(scope: Scope, id: string) {
  const { signature } = scopedDb(scope);
  const row = await signature.findFirst({
    where: { id },
    select: { signer_email: true, signed_ip: true, user_agent: true, otp_confirmed: true, consent_version: true },
  });
  if (!row) throw new Error(`Signature ${id} is gone.`);
  const holds = async (where: object) => (await signature.count({ where: { id, ...where } })) > 0;
  return {
    ...row,
    photo: await holds({ OR: [{ NOT: { photo: null } }, { NOT: { photo_object: null } }] }),
    drawing: await holds({ drawn_signature: { not: null } }),
  };
}

/** Stores the sealed PDF once. Returns false when the certificate is already sealed. */
export async function storeSealedCertificate(
  scope: Scope,
  id: string,
  sealed: { pdf: Uint8Array<ArrayBuffer>; pdf_sha256: string; sealed_at: Date },
): Promise<boolean> {
  const { count } = await scopedDb(scope).signature.updateMany({
    where: { id, sealed_at: null, redacted_at: null },
    data: { ...sealed, seal_error: null, updated_at: sealed.sealed_at },
  });
  return count === 1;
}

export async function storeSealError(scope: Scope, id: string, seal_error: string, now: Date): Promise<void> {
  await scopedDb(scope).signature.updateMany({
    where: { id, sealed_at: null, redacted_at: null },
    data: { seal_error, updated_at: now },
  });
}

const HOLDER = { ...SIGNATURE_COLUMNS_EXCEPT_LARGE, team_id: true, mode: true } as const;

/** Finds a certificate by a public token. It has no scope, because the token is the permission. */
export const findCertificateByVerifyToken = (hash: string) =>
  systemDb().signature.findUnique({ where: { verify_token_hash: hash }, select: HOLDER });

export const findCertificateByCopyToken = (hash: string) =>
  systemDb().signature.findUnique({ where: { copy_token_hash: hash }, select: HOLDER });

/** Finds a certificate of any team by id, for the operator. */
export const findCertificateInAnyTeam = (id: string) =>
  systemDb().signature.findUnique({ where: { id }, select: HOLDER });

/** Locks the team against deletion. Returns false when its deletion has begun. */
export async function lockTeamAgainstDeletion(scope: Scope): Promise<boolean> {
  const rows = await requireTransactionDb(scope).$queryRaw<object[]>(Sql.sql`${UNSCOPED_SQL_COMMENT}
    SELECT id FROM teams WHERE id = ${scope.team_id} AND plan <> 'deleted' FOR SHARE`);
  return rows.length === 1;
}

/**
 * Locks the reservation, so that no other transaction appends to its trail. Does nothing when the
 * reservation was deleted with its property.
 */
export async function lockReservation(scope: Scope, id: string): Promise<void> {
  await requireTransactionDb(scope).$queryRaw(Sql.sql`
    SELECT id FROM reservations WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR UPDATE`);
}

export function findStoredSealingKey(name: string) {
  return systemDb().installationKey.findUnique({ where: { name } });
}

/** Inserts a key. When two instances insert a key at the same time, the first one is stored. */
export async function insertStoredSealingKey(data: Prisma.InstallationKeyCreateManyInput): Promise<void> {
  await systemDb().installationKey.createMany({ data: [data], skipDuplicates: true });
}

export async function deleteStoredSealingKey(name: string): Promise<void> {
  await systemDb().installationKey.deleteMany({ where: { name } });
}

export function listSealingCertificates() {
  return systemDb().sealingCertificate.findMany({ orderBy: [{ created_at: 'desc' }, { fingerprint: 'asc' }] });
}

export async function insertSealingCertificate(data: Prisma.SealingCertificateCreateManyInput): Promise<void> {
  await systemDb().sealingCertificate.createMany({ data: [data], skipDuplicates: true });
}

/** Returns the oldest unsealed signatures of all teams that were created before a time. */
export function findUnsealedSignaturesCreatedBefore(before: Date, limit: number) {
  return systemDb().signature.findMany({
    where: { sealed_at: null, redacted_at: null, created_at: { lt: before } },
    select: { id: true, team_id: true, mode: true },
    orderBy: { created_at: 'asc' },
    take: limit,
  });
}

/** Returns whether a certificate of any team was redacted since a time. */
export async function wasAnyCertificateRedactedSince(since: Date): Promise<boolean> {
  const found = await systemDb().signature.findFirst({ where: { redacted_at: { gte: since } }, select: { id: true } });
  return found !== null;
}

/**
 * Counts sealed certificates that are not in the public log, and log entries without a certificate,
 * for all teams.
 */
export async function countCertificateAndPublicLogMismatches() {
  const [found] = await systemDb().$queryRaw<{ not_entered: bigint; without_certificate: bigint }[]>`
    SELECT
      (SELECT count(*) FROM signatures s WHERE s.pdf_sha256 IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM log_entries e WHERE e.pdf_sha256 = s.pdf_sha256)) AS not_entered,
      (SELECT count(*) FROM log_entries e
        WHERE NOT EXISTS (SELECT 1 FROM signatures s WHERE s.pdf_sha256 = e.pdf_sha256)
        AND NOT (e.epoch > 1 AND e.position = 0)) AS without_certificate`;
  return { not_entered: Number(found?.not_entered), without_certificate: Number(found?.without_certificate) };
}

/** Sets the hold on the certificate and its reservation. */
export async function saveLegalHold(
  scope: Scope,
  { id, reservation_id }: Pick<Signature, 'id' | 'reservation_id'>,
  legal_hold: boolean,
  now: Date,
): Promise<void> {
  await scopedDb(scope).signature.updateMany({ where: { id }, data: { legal_hold, updated_at: now } });
  await scopedDb(scope).reservation.updateMany({
    where: { id: reservation_id },
    data: { legal_hold, updated_at: now, version: { increment: 1 } },
  });
}

export async function setGuestCertificateCopyRevokedAt(
  scope: Scope,
  id: string,
  copy_revoked_at: Date | null,
  now: Date,
): Promise<void> {
  await scopedDb(scope).signature.updateMany({ where: { id }, data: { copy_revoked_at, updated_at: now } });
}
