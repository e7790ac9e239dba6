/**
 * Reads a page of a tenant list, newest first, by (created_at, id). Cursors are ids, so they stay
 * valid while rows are inserted and deleted. The id of a deleted row still marks its position,
 * because ids contain their time of creation.
 */
import { decodeTime } from 'ulid';
import { AppError } from '@/shared/errors';
import { ID_PREFIXES, type IdKind } from '@/shared/id-kinds';
import { getPaginationDirection, slicePageFromRows } from '@/shared/lists/pagination';
import { systemDb } from './client';

export interface PageQuery {
  limit: number;
  starting_after?: string;
  ending_before?: string;
}

export interface Page<Row> {
  data: Row[];
  has_more: boolean;
}

interface Position {
  id: string;
  created_at: Date;
}

type ListedModel =
  | 'property'
  | 'testClock'
  | 'reservation'
  | 'signature'
  | 'syncSource'
  | 'smsMessage'
  | 'webhookEndpoint'
  | 'webhookDelivery'
  | 'event'
  | 'requestLog'
  | 'auditLog'
  | 'mailMessage';

interface Finder {
  findFirst(args: { where: object; select: object }): PromiseLike<unknown>;
}

interface Delegate<Row> extends Finder {
  findMany(args: { where: object; orderBy: object[]; take: number }): PromiseLike<Row[]>;
}

/**
 * Lists rows with a scoped delegate (`scopedDb(scope).property`). `model` is the delegate's name,
 * which is needed to distinguish the cursor of a deleted row from the cursor of another team's row.
 * Throws conflicting_cursors and invalid_cursor.
 */
export async function listRowsByKeyset<Row extends Position>(
  delegate: Delegate<Row>,
  model: ListedModel,
  kind: IdKind,
  where: object,
  query: PageQuery,
): Promise<Page<Row>> {
  const direction = getPaginationDirection(query);
  const backwards = direction === 'before';
  const position = await findCursorPosition(delegate, model, kind, query);
  const order = backwards ? 'asc' : 'desc';
  const rows = await delegate.findMany({
    where: position ? { AND: [where, beyond(position, backwards)] } : where,
    orderBy: [{ created_at: order }, { id: order }],
    take: query.limit + 1,
  });
  return slicePageFromRows(rows, query.limit, direction);
}

/**
 * Builds the condition for rows strictly beyond a position. The first part looks redundant, but
 * lets the index scan start at the position.
 */
function beyond({ created_at, id }: Position, backwards: boolean): object {
  return backwards
    ? { created_at: { gte: created_at }, OR: [{ created_at: { gt: created_at } }, { id: { gt: id } }] }
    : { created_at: { lte: created_at }, OR: [{ created_at: { lt: created_at } }, { id: { lt: id } }] };
}

/**
 * Returns the position of a query's cursor, or null when the query has no cursor. Throws
 * invalid_cursor for an unknown id and for an id of another team.
 */
export async function findCursorPosition(
  delegate: Finder,
  model: ListedModel,
  kind: IdKind,
  { starting_after, ending_before }: PageQuery,
): Promise<Position | null> {
  const id = starting_after ?? ending_before;
  if (id === undefined) return null;
  const own = (await delegate.findFirst({ where: { id }, select: { id: true, created_at: true } })) as Position | null;
  if (own) return own;
  const created_at = timeOf(kind, id);
  const anywhere = systemDb()[model as 'property'];
  if (!created_at || (await anywhere.findFirst({ where: { id }, select: { id: true } }))) {
    throw new AppError('invalid_cursor', { param: starting_after === undefined ? 'ending_before' : 'starting_after' });
  }
  return { id, created_at };
}

function timeOf(kind: IdKind, id: string): Date | null {
  const prefix = ID_PREFIXES[kind];
  const tail = id.slice(prefix.length);
  if (!id.startsWith(prefix) || tail.length !== 26) return null;
  try {
    return new Date(decodeTime(tail.toUpperCase()));
  } catch {
    return null;
  }
}
