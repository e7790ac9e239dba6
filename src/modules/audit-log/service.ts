/**
 * The audit log: who did what, when and from where. An entry about data is written in the
 * transaction of the change, so that neither exists without the other. Entries never change.
 */

import { z } from 'zod';
import type { AuditLog } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import { jsonColumn } from '@/shared/json-column';
import type { Mode, Scope } from '@/shared/scope';
import { type AuditAction, type AuditDetails, getActionLabel, getDetailLabel, listAuditDetails } from './actions';
import { formatCsvLine } from './csv';
import * as repository from './repository';
import type { AuditEntry, AuditFilters, AuditQuery } from './schemas';

export interface AuditInput {
  action: AuditAction;
  object_id?: string | null;
  data?: AuditDetails;
}

/** Builds a complete entry from the scope's actor. */
export function buildAuditRow(scope: Scope, { action, object_id = null, data = {} }: AuditInput) {
  const { actor, team_id, mode, ip = null } = scope;
  return {
    id: newId('audit'),
    team_id,
    mode: mode as Mode | null,
    action,
    // The operator and the service's own jobs have names instead of ids.
    actor: 'id' in actor ? actor.id : 'name' in actor ? actor.name : actor.kind,
    actor_name: 'name' in actor ? actor.name : null,
    object_id,
    ip,
    data: auditDetails.write(data),
    created_at: clock().now(),
  };
}
export type AuditRow = ReturnType<typeof buildAuditRow>;

/** Records a change of data in the change's transaction. */
export function recordAudit(scope: Scope, input: AuditInput): Promise<void> {
  return repository.insertEntry(scope, buildAuditRow(scope, input));
}

export interface TeamAuditInput extends AuditInput {
  team_id: string;
  actor: string;
  actor_name?: string;
  ip?: string | null;
}

/** Records entries about teams as a whole (members, plan, sessions), without a mode. */
export async function recordTeamAudit(...inputs: TeamAuditInput[]): Promise<void> {
  if (inputs.length === 0) return;
  const row = ({ object_id = null, data = {}, ...input }: TeamAuditInput) => ({
    id: newId('audit'),
    mode: null,
    object_id,
    data: auditDetails.write(data),
    created_at: clock().now(),
    ...input,
  });
  await repository.insertEntries(inputs.map(row));
}

/** Writes entries collected after requests. Skips those already written. */
export const writeAuditRows = (rows: AuditRow[]): Promise<void> => repository.insertEntries(rows);

function serialize(row: AuditLog): AuditEntry {
  return {
    id: row.id,
    mode: row.mode,
    action: row.action,
    actor: row.actor,
    actor_name: row.actor_name,
    // The id of an invitation is of no use to a reader of the exported file.
    object_id: row.object_id?.startsWith('inv_') ? null : row.object_id,
    ip: row.ip,
    details: listAuditDetails(auditDetails.read(row.data)),
    created_at: row.created_at.toISOString(),
  };
}

/** Returns a page, newest first. Throws conflicting_cursors and invalid_cursor. */
export async function listAudit(scope: Scope, query: AuditQuery): Promise<{ data: AuditEntry[]; has_more: boolean }> {
  const { data, has_more } = await repository.listEntries(scope, query);
  return { data: data.map(serialize), has_more };
}

const MAX_ACTORS = 200;

/** Returns the actors for the log's filter, the most recent first. */
export async function listActors(scope: Scope): Promise<{ actor: string; name: string }[]> {
  const rows = await repository.findActors(scope, MAX_ACTORS);
  return rows.map(({ actor, actor_name }) => ({ actor, name: actor_name ?? actor }));
}

const COLUMNS = ['Time (UTC)', 'Actor', 'Actor id', 'Action', 'What', 'Object', 'Details', 'Address', 'Mode', 'Id'];
const CSV_PAGE = 500;

/** Yields the filtered log as CSV, newest first, in pages. Records the export first. */
export async function* streamAuditCsv(scope: Scope, filters: AuditFilters): AsyncGenerator<string> {
  await inTransaction(scope, () => recordAudit(scope, { action: 'audit_log.exported', data: filters as AuditDetails }));
  // Without the byte order mark Excel assumes the system's legacy encoding.
  yield `\uFEFF${formatCsvLine(COLUMNS)}`;
  let after: string | undefined;
  for (;;) {
    const { data, has_more } = await listAudit(scope, { ...filters, limit: CSV_PAGE, starting_after: after });
    yield data.map(csvOf).join('');
    after = data.at(-1)?.id;
    if (!has_more || !after) return;
  }
}

const csvOf = (entry: AuditEntry) =>
  formatCsvLine([
    entry.created_at,
    entry.actor_name,
    entry.actor,
    entry.action,
    getActionLabel(entry.action),
    entry.object_id,
    entry.details.map(({ name, value }) => `${getDetailLabel(name)}: ${value}`).join(' · '),
    entry.ip,
    entry.mode,
    entry.id,
  ]);

/** An entry's details: names, numbers and lists of words. */
export const auditDetails = jsonColumn(
  'AuditLog.data',
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string()).readonly()])),
);
