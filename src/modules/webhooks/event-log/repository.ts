/** Queries on events, for a team; the relay's are in src/events/relay.ts. */
import type { Event } from '@/generated/prisma/client';
import { listKeyset, type Page } from '@/infra/db/keyset';
import { scopedDb } from '@/infra/db/scoped-client';
import { AppError } from '@/shared/errors';
import { pageDirection, sliceList } from '@/shared/lists/pagination';
import type { Scope } from '@/shared/scope';
import type { EventListQuery } from './partner.schemas';
import type { EventQuery } from './schemas';

export type EventHead = Omit<Event, 'body'>;

export function listEvents(scope: Scope, query: EventQuery): Promise<Page<EventHead>> {
  const { event } = scopedDb(scope);
  const heads = {
    findFirst: (args: { where: object; select: object }) => event.findFirst(args as never),
    findMany: (args: { where: object; orderBy: object[]; take: number }) =>
      event.findMany({ ...args, omit: { body: true } }),
  };
  const { type, object_id, request_id, from, to } = query;
  const where = {
    ...(type && { type }),
    ...(object_id && { object_id }),
    ...(request_id && { request_id }),
    ...((from || to) && { created_at: { ...(from && { gte: new Date(from) }), ...(to && { lt: new Date(to) }) } }),
  };
  return listKeyset<EventHead>(heads, 'event', 'event', where, query);
}

export function findEvent(scope: Scope, id: string): Promise<Event | null> {
  return scopedDb(scope).event.findFirst({ where: { id } });
}

/** By sequence: a cursor then passes over nothing that commits later with an earlier time. Throws invalid_cursor. */
export async function listRecorded(scope: Scope, query: EventListQuery): Promise<Page<Event>> {
  const { event } = scopedDb(scope);
  const direction = pageDirection(query);
  const backwards = direction === 'before';
  const cursor = query.ending_before ?? query.starting_after;
  const position = cursor ? await event.findFirst({ where: { id: cursor }, select: { sequence: true } }) : null;
  if (cursor && !position)
    throw new AppError('invalid_cursor', { param: backwards ? 'ending_before' : 'starting_after' });
  const rows = await event.findMany({
    where: {
      ...(query.type && { type: query.type }),
      ...(position && { sequence: backwards ? { gt: position.sequence } : { lt: position.sequence } }),
    },
    orderBy: { sequence: backwards ? 'asc' : 'desc' },
    take: query.limit + 1,
  });
  return sliceList(rows, query.limit, direction);
}
