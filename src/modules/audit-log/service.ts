/**
 * The audit log: who did what, when, from where, to what an owner answers for. An entry about data is written in the
 * transaction of the change, so that neither is there without the other. Entries never change.
 */
import type { AuditLog } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Mode, Scope } from '@/shared/scope';
import { type AuditAction, type AuditDetails, actionWords, detailName, detailsOf } from './actions';
import { csvLine } from './csv';
import { auditDetails } from './json-columns.schemas';
import * as repository from './repository';
import type { AuditEntry, AuditFilters, AuditQuery } from './schemas';

export interface AuditNote {
  action: AuditAction;
  object_id?: string | null;
  data?: AuditDetails;
}

/** A whole entry, of whoever the scope acts for. */
export function auditRow(scope: Scope, { action, object_id = null, data = {} }: AuditNote) {
  const { actor, team_id, mode, ip = null } = scope;
  return {
    id: newId('audit'),
    team_id,
    mode: mode as Mode | null,
    action,
    // The operator and the service's own jobs are told apart by their names: they have no ids.
    actor: 'id' in actor ? actor.id : 'name' in actor ? actor.name : actor.kind,
    actor_name: 'name' in actor ? actor.name : null,
    object_id,
    ip,
    data: auditDetails.write(data),
    created_at: clock().now(),
  };
}
export type AuditRow = ReturnType<typeof auditRow>;

/** Notes a change of the scope's mode, in the change's own transaction. */
export function recordAudit(scope: Scope, note: AuditNote): Promise<void> {
  return repository.insertEntry(scope, auditRow(scope, note));
}

export interface TeamNote extends AuditNote {
  team_id: string;
  actor: string;
  actor_name: string | null;
  ip: string | null;
}

/** Notes what concerns a team as a whole (members, plan, sessions), in no mode. */
export async function recordTeamAudit(...notes: TeamNote[]): Promise<void> {
  if (notes.length === 0) return;
  const row = ({ object_id = null, data = {}, ...note }: TeamNote) => ({
    id: newId('audit'),
    mode: null,
    object_id,
    data: auditDetails.write(data),
    created_at: clock().now(),
    ...note,
  });
  await repository.insertEntries(notes.map(row));
}

/** Writes entries that gathered behind requests; those that are written already are left. */
export const writeAuditRows = (rows: AuditRow[]): Promise<void> => repository.insertEntries(rows);

function serialize(row: AuditLog): AuditEntry {
  return {
    id: row.id,
    mode: row.mode,
    action: row.action,
    actor: row.actor,
    actor_name: row.actor_name,
    // An invitation's id says nothing to whom the file is passed on.
    object_id: row.object_id?.startsWith('inv_') ? null : row.object_id,
    ip: row.ip,
    details: detailsOf(auditDetails.read(row.data)),
    created_at: row.created_at.toISOString(),
  };
}

/** A page, newest first. Throws conflicting_cursors and invalid_cursor. */
export async function listAudit(scope: Scope, query: AuditQuery): Promise<{ data: AuditEntry[]; has_more: boolean }> {
  const { data, has_more } = await repository.listEntries(scope, query);
  return { data: data.map(serialize), has_more };
}

const MOST_ACTORS = 200;

/** Who is in the log, for its filter; whoever acted last comes first. */
export async function listActors(scope: Scope): Promise<{ actor: string; name: string }[]> {
  const rows = await repository.findActors(scope, MOST_ACTORS);
  return rows.map(({ actor, actor_name }) => ({ actor, name: actor_name ?? actor }));
}

const COLUMNS = ['Time (UTC)', 'Actor', 'Actor id', 'Action', 'What', 'Object', 'Details', 'Address', 'Mode', 'Id'];
const CSV_PAGE = 500;

/** The filtered log as CSV, newest first, a page of lines at a time. That it was taken is noted first. */
export async function* auditCsv(scope: Scope, filters: AuditFilters): AsyncGenerator<string> {
  await inTransaction(scope, () => recordAudit(scope, { action: 'audit_log.exported', data: filters as AuditDetails }));
  // Excel takes a file without the mark for the system's old encoding.
  yield `\uFEFF${csvLine(COLUMNS)}`;
  let after: string | undefined;
  for (;;) {
    const { data, has_more } = await listAudit(scope, { ...filters, limit: CSV_PAGE, starting_after: after });
    yield data.map(csvOf).join('');
    after = data.at(-1)?.id;
    if (!has_more || !after) return;
  }
}

const csvOf = (entry: AuditEntry) =>
  csvLine([
    entry.created_at,
    entry.actor_name,
    entry.actor,
    entry.action,
    actionWords(entry.action),
    entry.object_id,
    entry.details.map(({ name, value }) => `${detailName(name)}: ${value}`).join(' · '),
    entry.ip,
    entry.mode,
    entry.id,
  ]);
