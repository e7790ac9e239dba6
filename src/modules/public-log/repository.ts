/** Queries on the public log. It is nobody's: no team, no mode. Read by everybody. */
import { systemDb } from '@/infra/db/client';
import { BEYOND_SCOPE, Prisma as Sql, scopedDb, transactionRows } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';
import type { Node } from './rules/merkle';

/** Of the log alone; any number that nothing else locks. */
const LOCK = 915_216_202;

/** Whose transaction writes: that of the team whose certificate is sealed, or of the installation. */
export type Writer = Scope | 'installation';
const readerDb = (writer: Writer) => (writer === 'installation' ? systemDb() : scopedDb(writer));

export interface NewEntry {
  epoch: number;
  position: number;
  pdf_sha256: string;
  checkpoint: string;
  created_at: Date;
}

/** The statement, followed by a condition of it that names the team: all raw SQL of a team does. */
function rowsOf<Row>(writer: Writer, query: Sql.Sql): Promise<Row[]> {
  if (writer === 'installation') return systemDb().$queryRaw<Row[]>(Sql.sql`${query} true`);
  return transactionRows<Row>(writer, Sql.sql`${BEYOND_SCOPE} ${query} ${writer.team_id} <> ''`);
}

/** One writer at a time, until the transaction ends: so that a leaf's place is the one it was signed for. */
export async function lockLog(writer: Writer): Promise<void> {
  await rowsOf(writer, Sql.sql`SELECT pg_advisory_xact_lock(${LOCK}::bigint)::text WHERE`);
}

/** What an append has to know, read at once: all other writers wait meanwhile. */
export interface Head {
  epoch: number;
  position: number;
  checkpoint: string;
  /** How many of the last entries are there, of as many as were asked for. */
  recent: number;
  /** The peaks of the tree, hexadecimal, from left to right. */
  peaks: string[];
  /** The file is in the log already. */
  entered: boolean;
  /** The checkpoint of the entry at the place that was asked for. */
  known: string | null;
}

/** The end of the log; null for an empty one. */
export async function findLast(
  writer: Writer,
  asked: { pdf_sha256: string; known: { epoch: number; size: number } | null; recent: number },
): Promise<Head | null> {
  const { pdf_sha256, known, recent } = asked;
  const [head] = await rowsOf<Head>(
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

/** The hashes at these places, in their order; fewer when some are missing. */
export async function findNodes(
  writer: Writer,
  epoch: number,
  places: readonly Omit<Node, 'hash'>[],
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

export async function insertEntry(writer: Writer, entry: NewEntry, nodes: readonly Node[]): Promise<void> {
  const { epoch, position, pdf_sha256, checkpoint, created_at } = entry;
  const rows = nodes.map((node) => Sql.sql`(${node.level}::int, ${node.position}::int, ${node.hash.toString('hex')})`);
  await rowsOf(
    writer,
    Sql.sql`WITH entry AS (
      INSERT INTO log_entries (epoch, position, pdf_sha256, checkpoint, created_at)
      VALUES (${epoch}, ${position}, ${pdf_sha256}, ${checkpoint}, ${created_at})
    ) INSERT INTO log_nodes (epoch, level, position, hash)
      SELECT ${epoch}::int, level, position, decode(hash, 'hex') FROM (VALUES ${Sql.join(rows)}) AS n(level, position, hash) WHERE`,
  );
}

export async function insertEpoch(number: number, statement: string, began_at: Date): Promise<void> {
  await systemDb().logEpoch.create({ data: { number, statement, began_at } });
}

export function findEntry(writer: Writer, pdf_sha256: string) {
  return readerDb(writer).logEntry.findUnique({ where: { pdf_sha256 } });
}

export function findEntryAt(writer: Writer, epoch: number, position: number) {
  return readerDb(writer).logEntry.findUnique({ where: { epoch_position: { epoch, position } } });
}

export function findEpoch(writer: Writer, number: number) {
  return readerDb(writer).logEpoch.findUnique({ where: { number } });
}

/** All epochs but the first, in order. */
export function listEpochs() {
  return systemDb().logEpoch.findMany({ orderBy: { number: 'asc' } });
}

/** The last entry of an epoch, or of the log. */
export function findHead(epoch?: number) {
  return systemDb().logEntry.findFirst({
    where: { epoch },
    orderBy: [{ epoch: 'desc' }, { position: 'desc' }],
  });
}

/** The newest checkpoint of an epoch that carries a timestamp. */
export function findStamped(epoch: number) {
  return systemDb().logEntry.findFirst({
    where: { epoch, timestamp: { not: null } },
    orderBy: { position: 'desc' },
  });
}

export async function storeTimestamp(
  epoch: number,
  position: number,
  timestamp: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await systemDb().logEntry.update({ where: { epoch_position: { epoch, position } }, data: { timestamp } });
}

/** The newest checkpoint of an epoch that a witness cosigned. */
export function findCosigned(epoch: number) {
  return systemDb().logEntry.findFirst({
    where: { epoch, cosignatures: { not: null } },
    orderBy: { position: 'desc' },
  });
}

export async function storeCosignatures(epoch: number, position: number, cosignatures: string): Promise<void> {
  await systemDb().logEntry.update({ where: { epoch_position: { epoch, position } }, data: { cosignatures } });
}

/** The first position without an entry that is below the epoch's last one. */
export async function findFirstGap(epoch: number): Promise<number | null> {
  const [found] = await systemDb().$queryRaw<{ position: number | null }[]>`
    SELECT min(numbered.expected)::int AS position FROM (
      SELECT position, row_number() OVER (ORDER BY position) - 1 AS expected FROM log_entries WHERE epoch = ${epoch}
    ) AS numbered WHERE numbered.position <> numbered.expected`;
  return found?.position ?? null;
}

/** From a place on, in order. */
export function listEntries(epoch: number, from: number, limit: number) {
  return systemDb().logEntry.findMany({
    where: { epoch, position: { gte: from } },
    orderBy: { position: 'asc' },
    take: limit,
  });
}

export function listNodes(epoch: number, level: number, from: number, limit: number) {
  return systemDb().logNode.findMany({
    where: { epoch, level, position: { gte: from, lt: from + limit } },
    orderBy: { position: 'asc' },
  });
}

export function countNodes(epoch: number): Promise<number> {
  return systemDb().logNode.count({ where: { epoch } });
}
