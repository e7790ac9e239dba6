/** Queries on the public log. It is nobody's: no team, no mode. Written in a team's transaction, read by everybody. */
import { systemDb } from '@/infra/db/client';
import { BEYOND_SCOPE, Prisma as Sql, scopedDb, transactionDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';
import type { Node } from './rules/merkle';

/** Of the log alone; any number that nothing else locks. */
const LOCK = 915_216_202;

export interface NewEntry {
  position: number;
  pdf_sha256: string;
  checkpoint: string;
  created_at: Date;
}

/** One writer at a time, until the transaction ends: so that a leaf's place is the one it was signed for. */
export async function lockLog(scope: Scope): Promise<void> {
  // All raw SQL names its team.
  await transactionDb(scope).$executeRaw(
    Sql.sql`${BEYOND_SCOPE} SELECT pg_advisory_xact_lock(${LOCK}::bigint) WHERE ${scope.team_id} <> ''`,
  );
}

export function findLast(scope: Scope) {
  return transactionDb(scope).logEntry.findFirst({ orderBy: { position: 'desc' } });
}

/** The hashes at these places, in their order; fewer when some are missing. */
export async function findNodes(scope: Scope, places: readonly Omit<Node, 'hash'>[]): Promise<Buffer[]> {
  if (places.length === 0) return [];
  const rows = await scopedDb(scope).logNode.findMany({
    where: { OR: places.map(({ level, position }) => ({ level, position })) },
  });
  return places.flatMap(({ level, position }) => {
    const row = rows.find((each) => each.level === level && each.position === position);
    return row ? [Buffer.from(row.hash)] : [];
  });
}

export async function insertEntry(scope: Scope, entry: NewEntry, nodes: readonly Node[]): Promise<void> {
  const { logEntry, logNode } = transactionDb(scope);
  await logEntry.create({ data: entry });
  await logNode.createMany({ data: nodes.map((node) => ({ ...node, hash: new Uint8Array(node.hash) })) });
}

export function findEntry(scope: Scope, pdf_sha256: string) {
  return scopedDb(scope).logEntry.findUnique({ where: { pdf_sha256 } });
}

export function findHead() {
  return systemDb().logEntry.findFirst({ orderBy: { position: 'desc' } });
}

/** The newest checkpoint that carries a timestamp. */
export function findStamped() {
  return systemDb().logEntry.findFirst({ where: { timestamp: { not: null } }, orderBy: { position: 'desc' } });
}

export async function storeTimestamp(position: number, timestamp: Uint8Array<ArrayBuffer>): Promise<void> {
  await systemDb().logEntry.update({ where: { position }, data: { timestamp } });
}

/** From a place on, in order. */
export function listEntries(from: number, limit: number) {
  return systemDb().logEntry.findMany({
    where: { position: { gte: from } },
    orderBy: { position: 'asc' },
    take: limit,
  });
}

export function listNodes(level: number, from: number, limit: number) {
  return systemDb().logNode.findMany({
    where: { level, position: { gte: from, lt: from + limit } },
    orderBy: { position: 'asc' },
  });
}

export function countNodes(): Promise<number> {
  return systemDb().logNode.count();
}
