/** Reads the request log. src/api/rest/request-log.ts writes it. */

import type { RequestLog } from '@/generated/prisma/client';
import { resourceMissing } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';

/** The most groups of calls returned. The rest is rare. */
const MAX_GROUPS = 50;

export const listRequests = repository.listRequests;

/** Throws resource_missing, also for another mode, after 30 days and for unknown keys. */
export async function retrieveRequest(scope: Scope, id: string): Promise<RequestLog> {
  const row = await repository.findRequest(scope, id);
  if (!row) throw resourceMissing(scope, 'request', id);
  return row;
}

/** The calls made with a key since a time, by operation and program. */
export async function callsOfKey(scope: Scope, api_key_id: string, since: Date) {
  const rows = await repository.groupCallsOfKey(scope, api_key_id, since, MAX_GROUPS);
  return rows.map((row) => ({ ...row, last_at: row.last_at.toISOString() }));
}
