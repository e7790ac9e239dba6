/** Queries on a team's events. src/events/outbox.ts contains the relay's queries. */
import type { Event } from '@/generated/prisma/client';
import type { Page } from '@/infra/db/keyset';
import { scopedDb } from '@/infra/db/scoped-client';
import { AppError } from '@/shared/errors';
import { getPaginationDirection, slicePageFromRows } from '@/shared/lists/pagination';
import type { Scope } from '@/shared/scope';
import type { HostEventListQuery } from './host.schemas';

export function findEvent(scope: Scope, id: string): Promise<Event | null> {
  return scopedDb(scope).event.findFirst({ where: { id } });
}

/**
 * Lists events by sequence number, which is the order of commits. No page therefore misses an event
 * that is committed later. Throws invalid_cursor.
 */
export async function listEvents(scope: Scope, query: HostEventListQuery): Promise<Page<Event>> {
  const { event } = scopedDb(scope);
  const direction = getPaginationDirection(query);
  const backwards = direction === 'before';
  const cursor = query.ending_before ?? query.starting_after;
  const position = cursor ? await event.findFirst({ where: { id: cursor }, select: { sequence: true } }) : null;
  if (cursor && !position)
    throw new AppError('invalid_cursor', { param: backwards ? 'ending_before' : 'starting_after' });
  const { type, object_id, request_id, from, to } = query;
  const rows = await event.findMany({
    where: {
      ...(type && { type }),
      ...(object_id && { object_id }),
      ...(request_id && { request_id }),
      ...((from || to) && { created_at: { ...(from && { gte: new Date(from) }), ...(to && { lt: new Date(to) }) } }),
      ...(position && { sequence: backwards ? { gt: position.sequence } : { lt: position.sequence } }),
    },
    orderBy: { sequence: backwards ? 'asc' : 'desc' },
    take: query.limit + 1,
  });
  return slicePageFromRows(rows, query.limit, direction);
}
