/** The audit log as the dashboard shows it. Not part of `/v1`. */
import { z } from 'zod';
import { calendarDateField, listLimitField } from '@/shared/schemas';
import { AUDIT_ACTION_NAMES } from './actions';

const filters = {
  /** The actor: the id of a user (`user_…`) or key (`key_…`), or a name such as `operator`. */
  actor: z.string().trim().min(1).max(100).optional(),
  action: z.enum(AUDIT_ACTION_NAMES).optional(),
  /** The first and the last day, inclusive, in UTC. */
  from: calendarDateField('The first day, UTC.').optional(),
  to: calendarDateField('The last day, UTC.').optional(),
};

export const AuditEntryFilters = z.strictObject(filters);
export type AuditEntryFilters = z.infer<typeof AuditEntryFilters>;

export const AuditEntryListQuery = z.strictObject({
  ...filters,
  limit: listLimitField,
  starting_after: z.string().max(64).optional(),
  ending_before: z.string().max(64).optional(),
});
export type AuditEntryListQuery = z.infer<typeof AuditEntryListQuery>;

export const AuditEntry = z.object({
  id: z.string(),
  /** Null for an entry about the whole team. */
  mode: z.enum(['live', 'test']).nullable(),
  action: z.string(),
  actor: z.string(),
  actor_name: z.string().nullable(),
  object_id: z.string().nullable(),
  ip: z.string().nullable(),
  /** The changed values. */
  details: z.array(z.object({ name: z.string(), value: z.string() })),
  created_at: z.iso.datetime(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditEntryListPage = z.object({ data: z.array(AuditEntry), has_more: z.boolean() });

/** The actors of the team's entries, for the filter. */
export const AuditActorList = z.array(z.object({ actor: z.string(), name: z.string() }));
