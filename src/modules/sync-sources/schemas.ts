/**
 * SyncSource: a calendar feed or a forwarding address that creates reservations (specification,
 * "SyncSource").
 */
import { z } from 'zod';
import {
  defineListEnvelope,
  idField,
  objectTypeField,
  paginationQueryFields,
  timestampField,
  urlPathIdField,
} from '@/shared/schemas';

export const SYNC_SOURCE_KINDS = ['channel_a_ical', 'channel_b_ical', 'channel_c_ical', 'forward_email'] as const;
export type SyncSourceKind = (typeof SYNC_SOURCE_KINDS)[number];

/**
 * The kinds of sources in the dashboard. `/v1` and events omit kinds that are not in the
 * specification.
 */
export const DASHBOARD_SYNC_SOURCE_KINDS = [...SYNC_SOURCE_KINDS, 'other_ical'] as const;
export type DashboardSyncSourceKind = (typeof DASHBOARD_SYNC_SOURCE_KINDS)[number];

export const SyncSource = z
  .object({
    id: idField('sync_source', 'The sync source’s id.'),
    object: objectTypeField('sync_source'),
    kind: z.enum(SYNC_SOURCE_KINDS).meta({ description: 'A channel’s calendar, or mail that the host forwards.' }),
    property_id: idField('property', 'The property its reservations belong to.'),
    feed_url: z
      .url()
      .nullable()
      .meta({ description: 'Null for forwarded mail.', example: 'https://channel-a.example/calendar/ical/123.ics' }),
    enabled: z.boolean().meta({ description: 'Whether the source is enabled.', example: true }),
    last_synced_at: timestampField('When it last ran.').nullable(),
    last_status: z.string().nullable().meta({ description: 'The result of the last run.', example: 'ok' }),
    last_error: z.string().nullable().meta({ description: 'What was wrong, in words for a host.', example: null }),
    created_at: timestampField('When it was created.'),
    updated_at: timestampField('When it last changed.'),
  })
  .meta({ id: 'SyncSource', description: 'A calendar feed or a forwarding address that creates reservations.' });
export type SyncSource = z.infer<typeof SyncSource>;

export const SyncSourceId = z.strictObject({ id: urlPathIdField('sync_source', 'The sync source’s id.') });
export const SyncSourceListQuery = z.strictObject(paginationQueryFields);
export type SyncSourceListQuery = z.infer<typeof SyncSourceListQuery>;
export const SyncSourceList = defineListEnvelope(SyncSource, 'SyncSourceList');
