/**
 * Creates the rows that belong to the reservations of `seed.ts` after a year of use: trails,
 * certificates, events and deliveries, logs, mails, calendars and forwarded mails. Some words are
 * rare, so that a filter for them matches few of many rows.
 */
import type pg from 'pg';

/**
 * `R` selects a team's reservations and numbers them in order of creation. Statements that use it
 * take the team id as their parameter.
 */
const R = `(select *, row_number() over (order by created_at, id)::int n from reservations where team_id = $1) r`;
const OWN = 'r.team_id, r.mode';

const EVENTS = `insert into events (id, team_id, mode, type, object_id, sequence, body, request_id, relayed_at, created_at)
   select 'evt_01' || s || substr(r.id, 7), ${OWN}, case when s = 2 and n % 5000 = 0 then 'packet.updated' else (array['reservation.created', 'reservation.sent'])[s] end,
     r.id, n * 2 + s, '{"id":"evt_01' || s || substr(r.id, 7) || '","object":"event","type":"reservation.created","created_at":"2026-01-01T00:00:00.000Z","livemode":true,"sequence":' || n * 2 + s
       || ',"data":{"object":{"id":"' || r.id || '"}}}', case when s = 1 then 'req_01' || substr(r.id, 7) end, r.created_at, r.created_at + s * interval '1 minute'
   from ${R} cross join generate_series(1, 2) s`;

const STATEMENTS = [
  `insert into snapshots (id, team_id, mode, content_hash, canonical, created_at)
   select 'snap_' || substr(r.id, 5), ${OWN}, md5(r.id), '{"text":"' || repeat('what was agreed ', 20) || '"}', r.signed_at from ${R} where status = 'signed'`,
  `insert into signatures (id, team_id, mode, reservation_id, property_id, snapshot_id, content_hash, signer_name, signer_email, signed_at, consent_version, locale,
     verify_token_hash, copy_token_hash, pdf_sha256, sealed_at, created_at, updated_at)
   select 'sig_' || substr(r.id, 5), ${OWN}, r.id, r.property_id, 'snap_' || substr(r.id, 5), md5(r.id), r.guest_name, r.guest_email, r.signed_at, '1', 'en',
     'v' || md5(r.id), 'c' || md5(r.id), md5('pdf' || r.id), r.signed_at, r.signed_at, r.signed_at, r.signed_at from ${R} where status = 'signed'`,
  `insert into trail_entries (id, team_id, mode, reservation_id, seq, type, actor, hash, created_at)
   select 'tre_' || s || substr(r.id, 6), ${OWN}, r.id, s, (array['created', 'sent', 'opened'])[s], 'system', md5(r.id || s), r.created_at + s * interval '1 hour'
   from ${R} cross join generate_series(1, 3) s`,
  `insert into event_counters (team_id, mode, value) select $1::text, 'live', 10000000`,
  `insert into webhook_endpoints (id, team_id, mode, url, events, secret, secret_last4, status, created_at, updated_at)
   select 'whe_0' || n || substr(md5($1::text), 1, 24), $1::text, 'live', 'https://hooks.example.com/' || n, '{*}', 'x', 'abcd', 'disabled', now() - interval '2 years', now()
   from generate_series(1, 4) n`,
  `insert into webhook_deliveries (id, team_id, mode, event_id, endpoint_id, event_type, attempt_number, delivery_began_at, status, trigger, due_at, status_code, delivered_at, attempted_at, created_at)
   select 'whd_' || substr(e.id, 5), e.team_id, e.mode, e.id, w.id, e.type, 1, e.created_at, case when e.sequence % 997 = 0 then 'failed' else 'succeeded' end, 'event', e.created_at,
     case when e.sequence % 997 = 0 then 500 else 200 end, e.created_at, e.created_at, e.created_at
   from events e join (select id, row_number() over (order by id) - 1 n from webhook_endpoints where team_id = $1) w on w.n = e.sequence % 4 where e.team_id = $1`,
  `insert into api_keys (id, team_id, mode, name, type, scopes, ip_allow, prefix, hash, last4, created_at)
   select 'key_02' || substr(md5($1::text), 1, 24), $1::text, 'live', 'bench', 'secret', '{}', '{}', md5($1::text), 'x', 'abcd', now()`,
  `insert into request_logs (id, team_id, mode, api_key_id, method, path, object_id, status, error_code, duration_ms, ip, user_agent, created_at)
   select 'req_01' || substr(r.id, 7), ${OWN}, (select min(id) from api_keys where team_id = $1), (array['GET', 'POST', 'GET', 'PATCH'])[1 + n % 4], '/v1/reservations/' || r.id, r.id,
     case when n % 1009 = 0 then 500 when n % 101 = 0 then 404 when n % 23 = 0 then 422 else 200 end, case when n % 5003 = 0 then 'plan_limit_reached' when n % 23 = 0 then 'invalid_field' end,
     5, '192.0.2.1', 'partner/1.0', r.created_at from ${R}`,
  `insert into mail_messages (id, team_id, mode, reservation_id, template, "to", "from", subject, status, due_at, sent_at, created_at)
   select 'mail_01' || substr(r.id, 7), ${OWN}, r.id, case when n % 5003 = 0 then 'sync_failing' when n % 3 = 0 then 'reminder_24h' else 'packet' end, coalesce(r.guest_email, 'x@example.com'), 'stay@example.com',
     'Your stay', case when n % 4999 = 0 then 'failed' else 'sent' end, r.created_at, r.created_at, r.created_at from ${R}`,
  `insert into audit_logs (id, team_id, mode, action, actor, actor_name, object_id, created_at)
   select 'aud_01' || substr(r.id, 7), ${OWN}, case when n % 5003 = 0 then 'api_key.rotated' when n % 2 = 0 then 'user.signed_in' else 'certificate.downloaded' end,
     case when n % 5003 = 0 then 'user:user_rare' else 'user:user_' || n % 20 end, 'Somebody ' || n % 20, r.id, r.created_at from ${R}`,
  `insert into sync_sources (id, team_id, mode, property_id, kind, enabled, created_at, updated_at)
   select 'ss_' || substr(id, 6), team_id, mode, id, case when row_number() over (order by id) % 4 = 0 then 'forward_email' else 'channel_a_ical' end, false, created_at, created_at from properties where team_id = $1`,
  `insert into sync_runs (id, team_id, mode, sync_source_id, trigger, status, started_at, finished_at)
   select 'run_01' || substr(r.id, 7), ${OWN}, 'ss_' || substr(r.property_id, 6), 'schedule', 'unchanged', r.created_at, r.created_at from ${R}`,
  `insert into inbound_mails (id, team_id, mode, sync_source_id, message_id, status, reservation_id, received_at, handled_at)
   select 'inb_01' || substr(r.id, 7), ${OWN}, 'ss_' || substr(r.property_id, 6), r.id, case when n % 5003 = 0 then 'inbox' else 'applied' end, r.id, r.created_at, r.created_at from ${R} where n % 2 = 0`,
  `update reservations set
     guest_email = case when substr(md5(id), 1, 2) = '00' and status in ('draft', 'synced') then null else guest_email end,
     guest_reply = case when substr(md5(id), 1, 2) = '01' and status = 'sent' then 'question' end,
     guest_reply_at = case when substr(md5(id), 1, 2) = '01' and status = 'sent' then updated_at end,
     dates_changed_after_send_at = case when substr(md5(id), 1, 3) = '020' then updated_at end,
     signature_id = case when status = 'signed' then 'sig_' || substr(id, 5) end,
     sync_source_id = case when external_id is not null then 'ss_' || substr(property_id, 6) end,
     external_source = case when external_id is not null then 'channel_a_ical' end
   where team_id = $1`,
  `insert into sms_messages (id, team_id, mode, reservation_id, "to", body, status, created_at)
   select 'sms_01' || substr(r.id, 7), ${OWN}, r.id, '+1', 'code', 'delivered', r.created_at from ${R} where n % 4 = 0`,
  `insert into same_nights (reservation_id, other_id, team_id, mode, created_at)
   select least(a.id, b.id), greatest(a.id, b.id), a.team_id, a.mode, now() from ${R.replace(') r', ') a')} join ${R.replace(') r', ') b')} on b.n = a.n + 1 where a.n % 5003 = 0`,
];

/**
 * Fills the tables that `seedBenchDatabase` does not fill, for each of the teams. The rows are
 * consistent, so foreign key checks are turned off.
 */
export async function seedRemainingBenchTables(client: pg.Client, teams: readonly string[]): Promise<void> {
  // Events are inserted one team at a time before the bulk insert, because a trigger counts them
  // and the bulk insert would bypass it.
  for (const team of teams) await client.query(EVENTS, [team]);
  await client.query('set session_replication_role = replica');
  for (const team of teams) for (const statement of STATEMENTS) await client.query(statement, [team]);
  await client.query('vacuum analyze');
}

/** Inserts the events of a team, without the other dependent rows. */
export async function seedEvents(client: pg.Client, team: string): Promise<void> {
  await client.query(EVENTS, [team]);
  await client.query('vacuum analyze');
}
