/** Queries on the public log, which belongs to no team or mode. */
import { systemDb } from '@/infra/db/client';
import {
  queryRowsInOpenScopeTransaction,
  Prisma as Sql,
  scopedDb,
  UNSCOPED_SQL_COMMENT,
} from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';
import type { MerkleNode } from './rules/merkle';

/** The key of the log's advisory lock. It is arbitrary, but no other lock uses it. */
const LOCK = 915_216_202;

/**
 * The scope of the transaction that appends: the team whose certificate is sealed, or the
 * installation.
 */
export type ScopeOrInstallation = Scope | 'installation';
const readerDb = (writer: ScopeOrInstallation) => (writer === 'installation' ? systemDb() : scopedDb(writer));

export interface NewLogEntry {
  epoch: number;
  position: number;
  pdf_sha256: string;
  checkpoint: string;
  created_at: Date;
}

/**
 * Adds a condition with the team's id, because raw statements in a team's scope must contain it.
 */
function queryRows<Row>(writer: ScopeOrInstallation, query: Sql.Sql): Promise<Row[]> {
  if (writer === 'installation') return systemDb().$queryRaw<Row[]>(Sql.sql`${query} true`);
  return queryRowsInOpenScopeTransaction<Row>(
    writer,
    Sql.sql`${UNSCOPED_SQL_COMMENT} ${query} ${writer.team_id} <> ''`,
  );
}

/** Locks the log until the transaction ends, so that each position is signed only once. */
export async function lockPublicLog(writer: ScopeOrInstallation): Promise<void> {
  await queryRows(writer, Sql.sql`SELECT pg_advisory_xact_lock(${LOCK}::bigint)::text WHERE`);
}

/**
 * The end of the log and the data for an append. One query reads all of it, because other writers
 * are waiting for the log's lock.
 */
export interface PublicLogStateForAppend {
  epoch: number;
  position: number;
  checkpoint: string;
  /** How many of the last `wanted.recent` entries exist. */
  recent: number;
  /** The peaks of the tree, hexadecimal, from left to right (rules/merkle.ts). */
  peaks: string[];
  /** Whether the log already contains the file. */
  entered: boolean;
  /**
   * The checkpoint that was stored with the last entry of the tree `wanted.known`. Null when that
   * entry does not exist.
   */
  known: string | null;
}

/** Returns the end of the log, or null when it is empty. */
export async function findPublicLogStateForAppend(
  writer: ScopeOrInstallation,
  wanted: { pdf_sha256: string; known: { epoch: number; size: number } | null; recent: number },
): Promise<PublicLogStateForAppend | null> {
  const { pdf_sha256, known, recent } = wanted;
  const [head] = await queryRows<PublicLogStateForAppend>(
    writer,
    Sql.sql`SELECT last.epoch, last.position, last.checkpoint,
      (SELECT count(*)::int FROM log_entries e WHERE e.epoch = last.epoch AND e.position > last.position - ${recent}::int)
        AS recent,
      ARRAY(SELECT encode(n.hash, 'hex') FROM generate_series(0, 30) AS at(level)
        JOIN log_nodes n ON n.epoch = last.epoch AND n.level = at.level
          AND n.position = ((last.position + 1) >> at.level) - 1
        WHERE ((last.position + 1) >> at.level) & 1 = 1 ORDER BY n.level DESC) AS peaks,
      EXISTS (SELECT 1 FROM log_entries e WHERE e.pdf_sha256 = ${pdf_sha256}) AS entered,
      (SELECT e.checkpoint FROM log_entries e
        WHERE e.epoch = ${known?.epoch ?? 0}::int AND e.position = ${(known?.size ?? 0) - 1}::int) AS known
      FROM (SELECT * FROM log_entries ORDER BY epoch DESC, position DESC LIMIT 1) AS last WHERE`,
  );
  return head ?? null;
}

/** Returns the hashes of the nodes at these positions, in the same order. Omits missing nodes. */
export async function findMerkleNodes(
  writer: ScopeOrInstallation,
  epoch: number,
  places: readonly Omit<MerkleNode, 'hash'>[],
): Promise<Buffer[]> {
  if (places.length === 0) return [];
  const rows = await readerDb(writer).logNode.findMany({
    where: { epoch, OR: places.map(({ level, position }) => ({ level, position })) },
  });
  return places.flatMap(({ level, position }) => {
    const row = rows.find((each) => each.level === level && each.position === position);
    return row ? [Buffer.from(row.hash)] : [];
  });
}

export async function insertLogEntry(
  writer: ScopeOrInstallation,
  entry: NewLogEntry,
  nodes: readonly MerkleNode[],
): Promise<void> {
  const { epoch, position, pdf_sha256, checkpoint, created_at } = entry;
  const rows = nodes.map((node) => Sql.sql`(${node.level}::int, ${node.position}::int, ${node.hash.toString('hex')})`);
  await queryRows(
    writer,
    Sql.sql`WITH entry AS (
      INSERT INTO log_entries (epoch, position, pdf_sha256, checkpoint, created_at)
      VALUES (${epoch}, ${position}, ${pdf_sha256}, ${checkpoint}, ${created_at})
    ) INSERT INTO log_nodes (epoch, level, position, hash)
      SELECT ${epoch}::int, level, position, decode(hash, 'hex') FROM (VALUES ${Sql.join(rows)}) AS n(level, position, hash) WHERE`,
  );
}

export async function insertPublicLogEpoch(number: number, statement: string, began_at: Date): Promise<void> {
  await systemDb().logEpoch.create({ data: { number, statement, began_at } });
}

export function findLogEntryByPdfHash(writer: ScopeOrInstallation, pdf_sha256: string) {
  return readerDb(writer).logEntry.findUnique({ where: { pdf_sha256 } });
}

export function findLogEntryAtPosition(writer: ScopeOrInstallation, epoch: number, position: number) {
  return readerDb(writer).logEntry.findUnique({ where: { epoch_position: { epoch, position } } });
}

export function findPublicLogEpoch(writer: ScopeOrInstallation, number: number) {
  return readerDb(writer).logEpoch.findUnique({ where: { number } });
}

/** Returns all epochs except the first, in order. */
export function listPublicLogEpochs() {
  return systemDb().logEpoch.findMany({ orderBy: { number: 'asc' } });
}

/** Returns the last entry of an epoch, or of the log. */
export function findLastLogEntry(epoch?: number) {
  return systemDb().logEntry.findFirst({
    where: { epoch },
    orderBy: [{ epoch: 'desc' }, { position: 'desc' }],
  });
}

/** Returns an epoch's newest entry in which this field is set. */
export function findNewestLogEntryWhereFieldIsSet(field: 'timestamp' | 'cosignatures', epoch: number) {
  return systemDb().logEntry.findFirst({ where: { epoch, [field]: { not: null } }, orderBy: { position: 'desc' } });
}

export async function saveTimestampOrCosignaturesOfLogEntry(
  { epoch, position }: { epoch: number; position: number },
  data: { timestamp: Uint8Array<ArrayBuffer> } | { cosignatures: string },
): Promise<void> {
  await systemDb().logEntry.update({ where: { epoch_position: { epoch, position } }, data });
}

/** Returns the first missing position before an epoch's last entry, or null. */
export async function findFirstMissingLogPosition(epoch: number): Promise<number | null> {
  const [found] = await systemDb().$queryRaw<{ position: number | null }[]>`
    SELECT min(numbered.expected)::int AS position FROM (
      SELECT position, row_number() OVER (ORDER BY position) - 1 AS expected FROM log_entries WHERE epoch = ${epoch}
    ) AS numbered WHERE numbered.position <> numbered.expected`;
  return found?.position ?? null;
}

/** Returns entries in order, starting at a position. */
export function listLogEntries(epoch: number, from: number, limit: number) {
  return systemDb().logEntry.findMany({
    where: { epoch, position: { gte: from } },
    orderBy: { position: 'asc' },
    take: limit,
  });
}

export function listMerkleNodes(epoch: number, level: number, from: number, limit: number) {
  return systemDb().logNode.findMany({
    where: { epoch, level, position: { gte: from, lt: from + limit } },
    orderBy: { position: 'asc' },
  });
}

export function countMerkleNodes(epoch: number): Promise<number> {
  return systemDb().logNode.count({ where: { epoch } });
}
