/** Reads the request log. src/api/rest/request-log.ts writes it. */

import type { RequestLog } from '@/generated/prisma/client';
import { createResourceMissingError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';

/** The maximum number of groups returned. Further groups are rare. */
const MAX_GROUPS = 50;

export const listRequests = repository.listRequests;

/**
 * Returns a request. Throws resource_missing for unknown ids, for the other mode, and after 30
 * days.
 */
export async function retrieveRequest(scope: Scope, id: string): Promise<RequestLog> {
  const row = await repository.findRequest(scope, id);
  if (!row) throw createResourceMissingError(scope, 'request', id);
  return row;
}

/** Returns the calls made with a key since a time, by operation and program. */
export async function listKeyCalls(scope: Scope, api_key_id: string, since: Date) {
  const rows = await repository.groupKeyCalls(scope, api_key_id, since, MAX_GROUPS);
  return rows.map((row) => ({ ...row, last_at: row.last_at.toISOString() }));
}
