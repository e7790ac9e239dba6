/** Queries on where certificates' files lie: in their row, or in the storage. */
import type { ObjectState } from '@/generated/prisma/enums';
import { systemDb } from '@/infra/db/client';
import { scopedDb } from '@/infra/db/scoped-client';
import { inSystemTransaction } from '@/infra/db/transaction';
import type { Scope } from '@/shared/scope';

export type FileColumn = 'pdf' | 'photo';
export const FILE_COLUMNS = ['pdf', 'photo'] as const satisfies readonly FileColumn[];
const objectOf = (column: FileColumn) => `${column}_object` as const;

export interface FilePlace {
  bytes: Uint8Array<ArrayBuffer> | null;
  object: string | null;
}

/** Where a file lies; null once redacted, and when there is no such certificate. */
export async function findPlace(scope: Scope, id: string, column: FileColumn): Promise<FilePlace | null> {
  const row = await scopedDb(scope).signature.findFirst({
    where: { id, redacted_at: null },
    select: { [column]: true, [objectOf(column)]: true },
  });
  return row && placeOf(row, column);
}

const placeOf = (row: object, column: FileColumn): FilePlace => {
  const fields = row as Record<string, unknown>;
  return {
    bytes: (fields[column] as FilePlace['bytes']) ?? null,
    object: (fields[objectOf(column)] as string | null) ?? null,
  };
};

/** Certificates with a file that lies in the database (sealed ones: an unsealed one still needs its photo), or in the storage; by their ids. */
export async function findWithFiles(lie_in: 'database' | 'storage', after: string, limit: number): Promise<string[]> {
  const there = FILE_COLUMNS.map((column) => ({
    NOT: { [lie_in === 'database' ? column : objectOf(column)]: null },
  }));
  const rows = await systemDb().signature.findMany({
    where: { id: { gt: after }, OR: there, ...(lie_in === 'database' && { NOT: { sealed_at: null } }) },
    select: { id: true },
    orderBy: { id: 'asc' },
    take: limit,
  });
  return rows.map(({ id }) => id);
}

/** Over all teams: for who moves files. */
export async function findPlaceAnywhere(id: string, column: FileColumn): Promise<FilePlace | null> {
  const row = await systemDb().signature.findFirst({
    where: { id, redacted_at: null },
    select: { [column]: true, [objectOf(column)]: true },
  });
  return row && placeOf(row, column);
}

/** Before the object is written. */
export async function insertObject(key: string, created_at: Date): Promise<void> {
  await systemDb().storedObject.create({ data: { key, created_at } });
}

/** The row names the written object in place of its bytes; false when it has lost or moved them meanwhile. */
export function storeObject(id: string, column: FileColumn, key: string): Promise<boolean> {
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
    if (count === 0) await setState(key, 'removing');
    return count === 1;
  });
}

/** The row has the bytes in place of the object, which nothing refers to any more; false when it was no longer this one. */
export async function storeBytes(
  id: string,
  column: FileColumn,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { count } = await systemDb().signature.updateMany({
    where: { id, [objectOf(column)]: key },
    data: { [column]: bytes, [objectOf(column)]: null },
  });
  return count === 1;
}

export async function setState(key: string, state: ObjectState): Promise<void> {
  await systemDb().storedObject.updateMany({ where: { key }, data: { state } });
}

/** The oldest objects that nothing refers to; those that were being written before a moment are taken from their writer. */
export async function takeReleased(written_before: Date, limit: number): Promise<string[]> {
  const rows = await systemDb().$queryRaw<{ key: string }[]>`
    UPDATE stored_objects SET state = 'removing' WHERE key IN (
      SELECT key FROM stored_objects
      WHERE state <> 'kept' AND (state = 'removing' OR created_at < ${written_before.toISOString()}::timestamptz)
      ORDER BY created_at LIMIT ${limit}::int)
    RETURNING key`;
  return rows.map(({ key }) => key);
}

/** The others that are to be removed come first from now on. */
export async function putLast(keys: readonly string[], now: Date): Promise<void> {
  await systemDb().storedObject.updateMany({
    where: { key: { in: [...keys] }, state: 'removing' },
    data: { created_at: now },
  });
}

export async function deleteObjects(keys: readonly string[]): Promise<void> {
  await systemDb().storedObject.deleteMany({ where: { key: { in: [...keys] }, state: 'removing' } });
}

/** One that lies there; null when none does. */
export const findAnyObject = async () =>
  (await systemDb().storedObject.findFirst({ where: { state: 'kept' }, select: { key: true } }))?.key ?? null;

/** How many files lie in the storage. */
export const countObjects = () => systemDb().storedObject.count({ where: { state: 'kept' } });
