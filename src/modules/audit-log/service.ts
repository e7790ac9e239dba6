/**
 * The audit log: who did what, when and from where. The entry about a change of data is written in
 * the transaction of the change, so that both are committed or neither is. Entries never change.
 */

import { z } from 'zod';
import type { AuditLog } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import { defineJsonColumn } from '@/shared/json-column';
import type { Mode, Scope } from '@/shared/scope';
import {
  type AuditAction,
  type AuditEntryDetails,
  formatAuditEntryDetails,
  getAuditActionLabel,
  getAuditEntryDetailLabel,
} from './actions';
import { formatCsvLine } from './csv';
import * as repository from './repository';
import type { AuditEntry, AuditEntryFilters, AuditEntryListQuery } from './schemas';

export interface AuditEntryInput {
  action: AuditAction;
  object_id?: string | null;
  data?: AuditEntryDetails;
}

/** Builds an entry with the scope's actor. */
export function buildNewAuditEntryRow(scope: Scope, { action, object_id = null, data = {} }: AuditEntryInput) {
  const { actor, team_id, mode, ip = null } = scope;
  return {
    id: newId('audit'),
    team_id,
    mode: mode as Mode | null,
    action,
    // Users and keys are identified by id, other actors (the operator, jobs) by name.
    actor: 'id' in actor ? actor.id : 'name' in actor ? actor.name : actor.kind,
    actor_name: 'name' in actor ? actor.name : null,
    object_id,
    ip,
    data: auditEntryDataJsonColumn.write(data),
    created_at: clock().now(),
  };
}
export type NewAuditEntryRow = ReturnType<typeof buildNewAuditEntryRow>;

/** Records a change of data. Runs in the transaction of the change. */
export function recordAuditEntry(scope: Scope, input: AuditEntryInput): Promise<void> {
  return repository.insertAuditEntry(scope, buildNewAuditEntryRow(scope, input));
}

export interface TeamAuditEntryInput extends AuditEntryInput {
  team_id: string;
  actor: string;
  actor_name?: string;
  ip?: string | null;
}

/** Records entries about the whole team (members, plan, sessions), which have no mode. */
export async function recordTeamAuditEntry(...inputs: TeamAuditEntryInput[]): Promise<void> {
  if (inputs.length === 0) return;
  const row = ({ object_id = null, data = {}, ...input }: TeamAuditEntryInput) => ({
    id: newId('audit'),
    mode: null,
    object_id,
    data: auditEntryDataJsonColumn.write(data),
    created_at: clock().now(),
    ...input,
  });
  await repository.insertAuditEntries(inputs.map(row));
}

/** Inserts entries that were collected during requests. Skips entries that exist already. */
export const writeCollectedAuditEntries = (rows: NewAuditEntryRow[]): Promise<void> =>
  repository.insertAuditEntries(rows);

function serialize(row: AuditLog): AuditEntry {
  return {
    id: row.id,
    mode: row.mode,
    action: row.action,
    actor: row.actor,
    actor_name: row.actor_name,
    // An invitation's id is omitted, because it means nothing to the reader of the log.
    object_id: row.object_id?.startsWith('inv_') ? null : row.object_id,
    ip: row.ip,
    details: formatAuditEntryDetails(auditEntryDataJsonColumn.read(row.data)),
    created_at: row.created_at.toISOString(),
  };
}

/** Returns a page of entries, newest first. Throws conflicting_cursors and invalid_cursor. */
export async function listAuditEntries(
  scope: Scope,
  query: AuditEntryListQuery,
): Promise<{ data: AuditEntry[]; has_more: boolean }> {
  const { data, has_more } = await repository.listAuditEntryRows(scope, query);
  return { data: data.map(serialize), has_more };
}

const MAX_ACTORS = 200;

/** Returns the actors for the log's filter, the most recent first. */
export async function listAuditActors(scope: Scope): Promise<{ actor: string; name: string }[]> {
  const rows = await repository.findAuditActors(scope, MAX_ACTORS);
  return rows.map(({ actor, actor_name }) => ({ actor, name: actor_name ?? actor }));
}

const COLUMNS = ['Time (UTC)', 'Actor', 'Actor id', 'Action', 'What', 'Object', 'Details', 'Address', 'Mode', 'Id'];
const CSV_PAGE = 500;

/** Yields the filtered log as CSV, newest first, in pages. First records the export in the log. */
export async function* streamAuditCsv(scope: Scope, filters: AuditEntryFilters): AsyncGenerator<string> {
  await inTransaction(scope, () =>
    recordAuditEntry(scope, { action: 'audit_log.exported', data: filters as AuditEntryDetails }),
  );
  // Excel reads the file as UTF-8 only if it begins with a byte order mark.
  yield `\uFEFF${formatCsvLine(COLUMNS)}`;
  let after: string | undefined;
  for (;;) {
    const { data, has_more } = await listAuditEntries(scope, { ...filters, limit: CSV_PAGE, starting_after: after });
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
    getAuditActionLabel(entry.action),
    entry.object_id,
    entry.details.map(({ name, value }) => `${getAuditEntryDetailLabel(name)}: ${value}`).join(' · '),
    entry.ip,
    entry.mode,
    entry.id,
  ]);

/** An entry's details: names, numbers and lists of words. */
export const auditEntryDataJsonColumn = defineJsonColumn(
  'AuditLog.data',
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string()).readonly()])),
);
