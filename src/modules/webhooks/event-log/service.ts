/** Reading events. */
import type { Event } from '@/generated/prisma/client';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';
import type { EventQuery } from './schemas';

export function listEvents(scope: Scope, query: EventQuery) {
  return repository.listEvents(scope, query);
}

/** Throws resource_missing. */
export async function retrieveEvent(scope: Scope, id: string): Promise<Event> {
  const row = await repository.findEvent(scope, id);
  if (!row) throw new AppError('resource_missing', { message: `There is no ${scope.mode}-mode event ${id}.` });
  return row;
}
