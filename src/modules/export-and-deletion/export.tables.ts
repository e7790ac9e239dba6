/**
 * The tables of one mode in an export. The type requires an entry for every tenant table, so that
 * no table is forgotten. Omits credentials (hashes, secrets, leases) and internal columns.
 */

import type { MailMessage } from '@/generated/prisma/client';
import type { TENANT_MODELS } from '@/infra/db/scoped-client';
import { getDisplayableMailContent } from '@/modules/mail/content';

export type ExportedPrismaModel = Uncapitalize<(typeof TENANT_MODELS)[number]>;

export interface ExportedTable {
  /** The file's name in the folder of the mode. */
  file: string;
  /** Columns that are not exported. */
  omit: readonly string[];
  /** Converts a row to its exported form. */
  show?: (row: Record<string, unknown>) => Record<string, unknown>;
  /** Two indexed columns that are unique together, for paging. */
  order: readonly [string, string];
}

const table = (
  file: string,
  omit: readonly string[] = [],
  order: readonly [string, string] = ['created_at', 'id'],
): ExportedTable => ({ file, omit, order });

/** Converts a mail to its exported form, without working links and codes. */
function showMail({ content, ...row }: Record<string, unknown>): Record<string, unknown> {
  const { subject, template, mode } = row as Pick<MailMessage, 'subject' | 'template' | 'mode'>;
  return { ...row, ...getDisplayableMailContent({ content: content as Uint8Array | null, subject, template, mode }) };
}

const showLogo = ({ bytes, ...row }: Record<string, unknown>): Record<string, unknown> => ({
  ...row,
  base64: Buffer.from(bytes as Uint8Array).toString('base64'),
});

export const EXPORTED_TABLES: Record<ExportedPrismaModel, ExportedTable | null> = {
  property: table('properties'),
  testClock: table('test_clocks', ['retries_time']),
  propertyLogo: { ...table('property_logos'), show: showLogo },
  memberProperty: table('member_properties', [], ['member_id', 'property_id']),
  packet: table('packets'),
  packetRevision: table('packet_revisions', [], ['packet_id', 'version']),
  reservation: table('reservations', ['signing_token_hash', 'share_token_hash', 'nights_changed']),
  sameNights: table('same_nights', [], ['reservation_id', 'other_id']),
  trailEntry: table('trail_entries', [], ['reservation_id', 'seq']),
  snapshot: table('snapshots'),
  signature: table('certificates', [
    'verify_token_hash',
    'copy_token_hash',
    'pdf',
    'photo',
    'pdf_object',
    'photo_object',
    'drawn_signature',
  ]),
  guestErasure: table('guest_erasures', ['subject']),
  syncSource: table('sync_sources', ['inbound_token', 'running_token']),
  syncRun: table('sync_runs', [], ['sync_source_id', 'id']),
  inboundMail: table('inbound_mails', ['raw'], ['received_at', 'id']),
  smsMessage: table('sms_messages'),
  webhookEndpoint: table('webhook_endpoints', [
    'secret',
    'previous_secrets',
    'custom_headers',
    'digest_at',
    'portal_token_hash',
    'wake_at',
    'after_sequence',
  ]),
  webhookDelivery: table('webhook_deliveries', ['lease_token']),
  event: table('events', ['relay_failures', 'relay_error']),
  mailMessage: { ...table('mail_messages', ['open_token_hash']), show: showMail },
  apiKey: table('api_keys', ['hash']),
  requestLog: table('request_logs'),
  // The audit log is exported separately, because it belongs to both modes.
  auditLog: null,
  // Useless to the host: hashes of links that no longer work, and codes that expire within minutes.
  retiredToken: null,
  guestCode: null,
  // Notices are stored for at most a day.
  pushNotice: null,
  // Event counters are internal and contain none of the host's data.
  eventCounter: null,
  // Activity counts are derived from the exported events.
  activityCount: null,
  idempotencyRecord: null,
};

export const AUDIT_LOG_TABLE: ExportedTable = table('audit_log');
