/** Reading the request log. It is written by src/api/rest/request-log.ts. */

import type { RequestLog } from '@/generated/prisma/client';
import { AppError } from '@/shared/errors';
import { refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import type { HostRequestLogListQuery } from './host.schemas';
import * as repository from './repository';

/** Kinds of calls told apart; beyond this the rest is rare. */
const KINDS_SHOWN = 50;

export function listRequests(scope: Scope, query: HostRequestLogListQuery) {
  return repository.listRequests(scope, query);
}

/** Throws resource_missing: also when the request is of the other mode, older than 30 days, or was refused before its key was known. */
export async function retrieveRequest(scope: Scope, id: string): Promise<RequestLog> {
  const row = await repository.findRequest(scope, id);
  if (!row)
    throw new AppError('resource_missing', {
      message: refusal('no_such_in_mode', { mode: scope.mode, thing: 'request', id }),
    });
  return row;
}

export interface KeyCalls {
  method: string;
  /** The path with ids replaced: `/v1/reservations/{id}`. */
  route: string;
  user_agent: string | null;
  ips: string[];
  count: number;
  last_at: string;
}

/** The calls made with a key since a time, by operation and program. */
export async function callsOfKey(scope: Scope, api_key_id: string, since: Date): Promise<KeyCalls[]> {
  const rows = await repository.groupCallsOfKey(scope, api_key_id, since, KINDS_SHOWN);
  return rows.map((row) => ({ ...row, last_at: row.last_at.toISOString() }));
}
