/** Reads events. */
import type { Event } from '@/generated/prisma/client';
import { createResourceMissingError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import type { HostEvent } from './host.schemas';
import * as repository from './repository';
import { isObjectIdOfWebhookTestEvent } from './test-event.rules';

/**
 * Lists events, newest first, by sequence number. Throws conflicting_cursors and invalid_cursor.
 */
export const { listEvents } = repository;

/** Returns an event. Throws resource_missing. */
export async function retrieveEvent(scope: Scope, id: string): Promise<Event> {
  const row = await repository.findEvent(scope, id);
  if (!row) throw createResourceMissingError(scope, 'event', id);
  return row;
}

export const serializeEvent = (row: Event): HostEvent => ({
  ...JSON.parse(row.body),
  object_id: row.object_id,
  test: isObjectIdOfWebhookTestEvent(row.object_id),
  request_id: row.request_id,
});
