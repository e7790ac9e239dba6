/** Queries on events, for a team; the relay's are in src/events/relay.ts. */
import type { Event } from '@/generated/prisma/client';
import { listKeyset, type Page } from '@/infra/db/keyset';
import { scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';
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
