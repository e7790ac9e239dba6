/** Queries on the location of certificates' files: in their row or in the storage. */
import type { ObjectState } from '@/generated/prisma/enums';
import { systemDb } from '@/infra/db/client';
import { scopedDb } from '@/infra/db/scoped-client';
import { inSystemTransaction } from '@/infra/db/transaction';
import type { Scope } from '@/shared/scope';

export type CertificateFileColumn = 'pdf' | 'photo';
export const CERTIFICATE_FILE_COLUMNS = ['pdf', 'photo'] as const satisfies readonly CertificateFileColumn[];
const objectOf = (column: CertificateFileColumn) => `${column}_object` as const;

export interface CertificateFileLocation {
  bytes: Uint8Array<ArrayBuffer> | null;
  object: string | null;
}

const whereStored = (id: string, column: CertificateFileColumn) => ({
  where: { id, redacted_at: null },
  select: { [column]: true, [objectOf(column)]: true },
});

/** Returns where a file is stored, or null when the certificate is redacted or does not exist. */
export async function findCertificateFileLocation(
  scope: Scope,
  id: string,
  column: CertificateFileColumn,
): Promise<CertificateFileLocation | null> {
  return placeOf(await scopedDb(scope).signature.findFirst(whereStored(id, column)), column);
}

/** Returns where a file of any team is stored, or null like `findCertificateFileLocation`. */
export async function findCertificateFileLocationInAllTeams(
  id: string,
  column: CertificateFileColumn,
): Promise<CertificateFileLocation | null> {
  return placeOf(await systemDb().signature.findFirst(whereStored(id, column)), column);
}

function placeOf(row: object | null, column: CertificateFileColumn): CertificateFileLocation | null {
  const fields = row as Record<string, unknown> | null;
  return (
    fields && {
      bytes: (fields[column] as CertificateFileLocation['bytes']) ?? null,
      object: (fields[objectOf(column)] as string | null) ?? null,
    }
  );
}

/**
 * Returns the ids of certificates that have a file in `stored_in`. With `database`, omits unsealed
 * certificates, because sealing needs their photo.
 */
export async function listIdsOfCertificatesWithFilesIn(
  stored_in: 'database' | 'storage',
  after: string,
  limit: number,
): Promise<string[]> {
  const has_file = CERTIFICATE_FILE_COLUMNS.map((column) => ({
    NOT: { [stored_in === 'database' ? column : objectOf(column)]: null },
  }));
  const rows = await systemDb().signature.findMany({
    where: { id: { gt: after }, OR: has_file, ...(stored_in === 'database' && { NOT: { sealed_at: null } }) },
    select: { id: true },
    orderBy: { id: 'asc' },
    take: limit,
  });
  return rows.map(({ id }) => id);
}

/** Inserts the record of an object. Call it before writing the object to the storage. */
export async function insertStoredObject(key: string, created_at: Date): Promise<void> {
  await systemDb().storedObject.create({ data: { key, created_at } });
}

/**
 * Replaces the row's bytes with a reference to the object. Returns false when the bytes no longer
 * exist.
 */
export function replaceFileBytesWithStorageKey(
  id: string,
  column: CertificateFileColumn,
  key: string,
): Promise<boolean> {
  return inSystemTransaction(async () => {
    const kept = await systemDb().storedObject.updateMany({
      where: { key, state: 'writing' },
      data: { state: 'kept' },
    });
    if (kept.count === 0) return false;
    const { count } = await systemDb().signature.updateMany({
      where: { id, redacted_at: null, NOT: { [column]: null } },
      data: { [column]: null, [objectOf(column)]: key },
    });
    if (count === 0) await setStoredObjectState(key, 'removing');
    return count === 1;
  });
}

/** Replaces the row's reference with the bytes. Returns false when the reference has changed. */
export async function replaceStorageKeyWithFileBytes(
  id: string,
  column: CertificateFileColumn,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { count } = await systemDb().signature.updateMany({
    where: { id, [objectOf(column)]: key },
    data: { [column]: bytes, [objectOf(column)]: null },
  });
  return count === 1;
}

export async function setStoredObjectState(key: string, state: ObjectState): Promise<void> {
  await systemDb().storedObject.updateMany({ where: { key }, data: { state } });
}

/**
 * Marks the oldest unreferenced objects for removal and returns their keys. An object in state
 * `writing` counts as unreferenced if it was created before `written_before`.
 */
export async function listUnreferencedStoredObjects(written_before: Date, limit: number): Promise<string[]> {
  const rows = await systemDb().$queryRaw<{ key: string }[]>`
    UPDATE stored_objects SET state = 'removing' WHERE key IN (
      SELECT key FROM stored_objects
      WHERE state <> 'kept' AND (state = 'removing' OR created_at < ${written_before.toISOString()}::timestamptz)
      ORDER BY created_at LIMIT ${limit}::int)
    RETURNING key`;
  return rows.map(({ key }) => key);
}

/** Moves objects to the end of the removal queue. */
export async function requeueStorageObjectRemovals(keys: readonly string[], now: Date): Promise<void> {
  await systemDb().storedObject.updateMany({
    where: { key: { in: [...keys] }, state: 'removing' },
    data: { created_at: now },
  });
}

export async function deleteStoredObjects(keys: readonly string[]): Promise<void> {
  await systemDb().storedObject.deleteMany({ where: { key: { in: [...keys] }, state: 'removing' } });
}

/** Returns the key of any stored object, or null. */
export const findAnyStoredObjectKey = async () =>
  (await systemDb().storedObject.findFirst({ where: { state: 'kept' }, select: { key: true } }))?.key ?? null;

/** Returns the number of files in the storage. */
export const countStoredObjects = () => systemDb().storedObject.count({ where: { state: 'kept' } });
