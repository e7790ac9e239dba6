/** Reading events. */

import type { Event } from '@/generated/prisma/client';
import { AppError } from '@/shared/errors';
import { refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import type { HostEventListQuery } from './host.schemas';
import * as repository from './repository';

/** In the order of commits, the newest first. Throws conflicting_cursors and invalid_cursor. */
export function listEvents(scope: Scope, query: HostEventListQuery) {
  return repository.listEvents(scope, query);
}

/** Throws resource_missing. */
export async function retrieveEvent(scope: Scope, id: string): Promise<Event> {
  const row = await repository.findEvent(scope, id);
  if (!row)
    throw new AppError('resource_missing', {
      message: refusal('no_such_in_mode', { mode: scope.mode, thing: 'event', id }),
    });
  return row;
}
