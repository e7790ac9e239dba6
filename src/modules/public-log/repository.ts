/** Queries on the public log. It is nobody's: no team, no mode. Read by everybody. */
import { systemDb } from '@/infra/db/client';
import { BEYOND_SCOPE, Prisma as Sql, scopedDb, transactionDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';
import type { Node } from './rules/merkle';

/** Of the log alone; any number that nothing else locks. */
const LOCK = 915_216_202;

/** Whose transaction writes: that of the team whose certificate is sealed, or of the installation. */
export type Writer = Scope | 'installation';
const writerDb = (writer: Writer) => (writer === 'installation' ? systemDb() : transactionDb(writer));
const readerDb = (writer: Writer) => (writer === 'installation' ? systemDb() : scopedDb(writer));

export interface NewEntry {
  epoch: number;
  position: number;
  pdf_sha256: string;
  checkpoint: string;
  created_at: Date;
}

/** One writer at a time, until the transaction ends: so that a leaf's place is the one it was signed for. */
export async function lockLog(writer: Writer): Promise<void> {
  // All raw SQL of a team names it.
  const named = writer === 'installation' ? Sql.empty : Sql.sql` WHERE ${writer.team_id} <> ''`;
  await writerDb(writer).$executeRaw(Sql.sql`${BEYOND_SCOPE} SELECT pg_advisory_xact_lock(${LOCK}::bigint)${named}`);
}

export function findLast(writer: Writer) {
  return readerDb(writer).logEntry.findFirst({ orderBy: [{ epoch: 'desc' }, { position: 'desc' }] });
}

/** How many entries there are from a position on. */
export function countFrom(writer: Writer, epoch: number, position: number): Promise<number> {
  return readerDb(writer).logEntry.count({ where: { epoch, position: { gte: position } } });
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
  const { logEntry, logNode } = writerDb(writer);
  const { epoch } = entry;
  await logEntry.create({ data: entry });
  await logNode.createMany({ data: nodes.map((node) => ({ ...node, epoch, hash: new Uint8Array(node.hash) })) });
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
