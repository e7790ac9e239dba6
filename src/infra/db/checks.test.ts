import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertOneRowPerTable } from '@/testing/one-row-per-table';
import { insertTeams } from '@/testing/team';

/** Marks the test's only reservation, which is signed, as unsigned. */
const UNSIGNED = 'signed_at = NULL, signature_id = NULL';

/** For each CHECK constraint of the database, a change of one row that violates it. */
const WRONG: Record<string, string> = {
  api_keys_type_check: `type = 'x'`,
  guest_codes_attempts_check: 'attempts = -1',
  guest_codes_purpose_check: `purpose = 'x'`,
  guest_erasures_finished_check: `status = 'done'`,
  guest_erasures_status_check: `status = 'x'`,
  inbound_mails_status_check: `status = 'x'`,
  invitations_role_check: `role = 'x'`,
  mail_messages_attempts_check: 'attempts = -1',
  mail_messages_status_check: `status = 'x'`,
  members_role_check: `role = 'x'`,
  packets_amounts_check: `fees = '[{"amount_cents": 1}, {"amount_cents": -1}]'`,
  packets_archived_at_check: 'archived_at = now()',
  packets_default_is_active_check: `status = 'archived', archived_at = now(), is_default = true`,
  packets_lists_check: `rules = '{}'`,
  packets_status_check: `status = 'x'`,
  properties_metadata_check: `metadata = '[]'`,
  properties_required_acceptances_check: `required_acceptances = '{x}'`,
  property_logos_media_type_check: `media_type = 'x'`,
  push_notices_kind_check: `kind = 'x'`,
  request_logs_status_check: 'status = 0',
  reservations_cancel_reason_check: `${UNSIGNED}, status = 'ignored', cancelled_at = now(), cancel_reason = 'x'`,
  reservations_cancelled_check: `cancelled_at = now(), cancel_reason = 'api'`,
  reservations_clicked_check: `${UNSIGNED}, status = 'clicked', sent_at = now()`,
  reservations_dates_check: 'checkout_date = checkin_date',
  reservations_expired_check: `${UNSIGNED}, status = 'expired'`,
  reservations_feed_misses_check: 'feed_misses = -1',
  reservations_guest_reply_check: `guest_reply = 'x', guest_reply_at = now()`,
  reservations_initial_status_check: `initial_status = 'sent'`,
  reservations_metadata_check: `metadata = '[]'`,
  reservations_opened_check: `${UNSIGNED}, status = 'opened', sent_at = now()`,
  reservations_sent_check: `${UNSIGNED}, status = 'sent'`,
  reservations_signature_check: `status = 'draft', signed_at = NULL`,
  reservations_signed_check: 'signed_at = NULL',
  retired_tokens_reason_check: `reason = 'x'`,
  sessions_signed_in_with_check: `signed_in_with = 'x'`,
  signatures_objects_check: `redacted_at = now(), photo = NULL, pdf = NULL, drawn_signature = NULL, signer_email = NULL, pdf_object = 'x'`,
  signatures_places_check: `pdf = '\\x00', pdf_object = 'x'`,
  signatures_redacted_check: `redacted_at = now(), photo = '\\x00'`,
  signatures_sealed_check: 'sealed_at = now()',
  sync_runs_status_check: `status = 'x'`,
  sync_runs_trigger_check: `trigger = 'x'`,
  sync_sources_failures_check: 'consecutive_failures = -1',
  sync_sources_kind_check: `kind = 'x'`,
  teams_plan_check: `plan = 'x'`,
  test_clocks_target_time_check: `target_time = frozen_time - interval '1 second'`,
  users_image_check: `image = 'x'`,
  webhook_deliveries_attempts_check: 'attempt_number = 0',
  webhook_deliveries_status_check: `status = 'x'`,
  webhook_deliveries_trigger_check: `trigger = 'x'`,
  webhook_endpoints_failures_check: 'consecutive_failures = -1',
  webhook_endpoints_status_check: `status = 'x'`,
};

const rules = () =>
  systemDb().$queryRawUnsafe<{ name: string; table: string }[]>(`
    SELECT conname::text AS name, conrelid::regclass::text AS "table" FROM pg_constraint
    WHERE contype = 'c' AND connamespace = current_schema()::regnamespace ORDER BY 1`);

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);

it('every CHECK constraint rejects a row that violates it', async () => {
  await insertTeams('team_1');
  await insertOneRowPerTable('team_1', 'live');
  const at = new Date();
  await systemDb().user.create({ data: { id: 'user_1', name: 'U', email: 'u@example.com', updatedAt: at } });
  const invitation = {
    id: 'inv_1',
    organizationId: 'team_1',
    email: 'x@example.com',
    inviterId: 'user_1',
    expiresAt: at,
  };
  await systemDb().invitation.create({ data: invitation });
  const session = { id: 'session_1', token: 't', expiresAt: at, userId: 'user_1', updatedAt: at };
  await systemDb().session.create({ data: session });
  const found = await rules();
  expect(found.map(({ name }) => name)).toEqual(Object.keys(WRONG));
  for (const { name, table } of found) {
    const update = systemDb().$executeRawUnsafe(`UPDATE ${table} SET ${WRONG[name]}`);
    await expect(update, name).rejects.toThrow(new RegExp(`check constraint .?"${name}`));
  }
});
