/** Reads the request log. src/api/rest/request-log.ts writes it. */

import type { RequestLog } from '@/generated/prisma/client';
import { createResourceMissingError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';

/** The maximum number of groups that are returned. The remaining groups have few requests. */
const MAX_GROUPS = 50;

export const listLoggedRequests = repository.listLoggedRequestRows;

/**
 * Returns a logged request. Throws resource_missing for an unknown id, an id of the other mode, and
 * a request older than 30 days.
 */
export async function retrieveLoggedRequest(scope: Scope, id: string): Promise<RequestLog> {
  const row = await repository.findLoggedRequestRow(scope, id);
  if (!row) throw createResourceMissingError(scope, 'request', id);
  return row;
}

/** Returns how often a key was used since a time, by operation and client program. */
export async function listApiKeyUsage(scope: Scope, api_key_id: string, since: Date) {
  const rows = await repository.findApiKeyUsageByRouteAndClient(scope, api_key_id, since, MAX_GROUPS);
  return rows.map((row) => ({ ...row, last_at: row.last_at.toISOString() }));
}
