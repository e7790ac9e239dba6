/** The baseline's statements. Each is prepared once per connection. */

const COLUMNS = `r.id, r.property_id, r.packet_id, r.guest_name, r.guest_email, r.checkin_date::text, r.checkout_date::text, r.source, r.status,
  r.sent_at, r.opened_at, r.clicked_at, r.signed_at, r.cancelled_at, r.signature_id, r.manual_override, r.redacted, r.selfie_required,
  r.external_source, r.external_id, r.metadata, r.reminder_24h_sent_at, r.reminder_2h_sent_at, r.late_notified_at, r.arrival_details_held_at,
  r.arrival_details_released_at, r.arrival_details_viewed_at, r.arrival_release_override_at, r.arrival_release_override_by,
  r.arrival_release_override_reason, r.locale, r.guest_locale, r.created_at, r.updated_at`;
const PACKET = `p.arrival_details as details, p.arrival_release as release`;
const JOIN_PACKET = `left join packets p on p.id = r.packet_id
  or (r.packet_id is null and p.property_id = r.property_id and p.is_default and p.status = 'active')`;

export const FIND_API_KEY_STATEMENT = {
  name: 'key',
  text: `select k.id, k.team_id, k.mode, k.hash, k.revoked_at, k.expires_at, t.plan
    from api_keys k join teams t on t.id = k.team_id where k.prefix = $1`,
};

export const READ_RESERVATION_STATEMENT = {
  name: 'read',
  text: `select ${COLUMNS}, ${PACKET} from reservations r ${JOIN_PACKET} where r.id = $1 and r.team_id = $2 and r.mode = $3`,
};

export const FIND_RESERVATION_CURSOR_STATEMENT = {
  name: 'cursor',
  text: 'select created_at, id from reservations where id = $1 and team_id = $2 and mode = $3',
};

export const FIRST_RESERVATION_PAGE_STATEMENT = {
  name: 'first-page',
  text: `select ${COLUMNS}, ${PACKET} from (select * from reservations where team_id = $1 and mode = $2 and status = $3
      order by created_at desc, id desc limit $4) r ${JOIN_PACKET} order by r.created_at desc, r.id desc`,
};

export const NEXT_RESERVATION_PAGE_STATEMENT = {
  name: 'next-page',
  text: `select ${COLUMNS}, ${PACKET} from (select * from reservations where team_id = $1 and mode = $2 and status = $3
      and (created_at, id) < ($5, $6) order by created_at desc, id desc limit $4) r ${JOIN_PACKET} order by r.created_at desc, r.id desc`,
};

export const CLAIM_IDEMPOTENCY_KEY_STATEMENT = {
  name: 'claim',
  text: `insert into idempotency_records (team_id, mode, key, request_hash, created_at, expires_at)
    values ($1, $2, $3, $4, now(), now() + interval '24 hours') on conflict do nothing`,
};

export const READ_IDEMPOTENT_RESPONSE_STATEMENT = {
  name: 'stored',
  text: 'select request_hash, status, response_body from idempotency_records where team_id = $1 and mode = $2 and key = $3',
};

export const FIND_PROPERTY_STATEMENT = {
  name: 'property',
  text: `select q.id, ${PACKET} from properties q left join packets p on p.property_id = q.id and p.is_default and p.status = 'active'
    where q.id = $1 and q.team_id = $2 and q.mode = $3`,
};

export const INSERT_RESERVATION_STATEMENT = {
  name: 'insert',
  text: `insert into reservations as r (id, team_id, mode, property_id, guest_name, guest_email, checkin_date, checkout_date, source, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), now()) returning ${COLUMNS}`,
};

export const INSERT_TRAIL_ENTRY_STATEMENT = {
  name: 'trail',
  text: `insert into trail_entries (id, team_id, mode, reservation_id, seq, type, actor, data, hash, created_at)
    values ($1, $2, $3, $4, 1, 'reservation.created', $5, $6, $7, $8)`,
};

export const INCREMENT_EVENT_COUNTER_STATEMENT = {
  name: 'count',
  text: `insert into event_counters (team_id, mode, value) values ($1, $2, 1)
    on conflict (team_id, mode) do update set value = event_counters.value + 1 returning value`,
};

export const INSERT_EVENT_STATEMENT = {
  name: 'event',
  text: `insert into events (id, team_id, mode, type, object_id, sequence, body, relayed_at, created_at)
    values ($1, $2, $3, 'reservation.created', $4, $5, $6, now(), now())`,
};

export const STORE_IDEMPOTENT_RESPONSE_STATEMENT = {
  name: 'store',
  text: `update idempotency_records set status = $4, response_headers = $5, response_body = $6 where team_id = $1 and mode = $2 and key = $3`,
};
