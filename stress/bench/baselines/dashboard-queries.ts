/**
 * Hand-written SQL for the dashboard's list, one query for each case, on the product's tables and
 * indexes.
 */
import type { DashboardQuery } from '../dashboard-cases';

const COLUMNS = `r.id, r.property_id, r.packet_id, r.guest_name, r.guest_email, r.checkin_date::text, r.checkout_date::text, r.source, r.status,
  r.sent_at, r.opened_at, r.clicked_at, r.signed_at, r.cancelled_at, r.signature_id, r.manual_override, r.redacted, r.selfie_required,
  r.external_source, r.external_id, r.metadata, r.reminder_24h_sent_at, r.reminder_2h_sent_at, r.late_notified_at, r.arrival_details_held_at,
  r.arrival_details_released_at, r.arrival_details_viewed_at, r.arrival_release_override_at, r.arrival_release_override_by,
  r.arrival_release_override_reason, r.dates_changed_after_send_at, r.created_at, r.updated_at`;
const WORDS = `array_to_tsvector(array_remove(string_to_array(translate(lower(r.guest_name || ' ' || coalesce(r.guest_email, '') || ' ' || coalesce(left(r.external_id, 200), '')), '@.,;:+_/()''"#-', '              '), ' ') || ('#' || r.team_id), ''))`;
const KEYS = { created: 'r.created_at', checkin: 'r.checkin_date', guest: 'lower(r.guest_name)' };

/** Returns the SQL and the values for a case's page. Reads one row more than a page contains. */
export function buildBaselineQuerySql(team_id: string, query: DashboardQuery): { text: string; values: unknown[] } {
  const values: unknown[] = [team_id];
  const value = (given: unknown) => `$${values.push(given)}`;
  const key = KEYS[query.sort.by];
  const direction = query.sort.descending ? 'desc' : 'asc';
  const where = [
    `r.team_id = $1 and r.mode = 'live'`,
    query.status && `r.status = ${value(query.status)}`,
    query.property && `r.property_id = ${value(query.property)}`,
    query['checkin_date.gte'] && `r.checkin_date >= ${value(query['checkin_date.gte'])}`,
    query.search && `${WORDS} @@ ${value(`'#${team_id}' & '${query.search.toLowerCase()}':*`)}::tsquery`,
    query.starting_after &&
      `(${key}, r.id) ${query.sort.descending ? '<' : '>'} (select ${key}, r.id from reservations r where r.id = ${value(query.starting_after)})`,
  ].filter(Boolean);
  const order = `${key} ${direction}, r.id ${direction}`;
  return {
    text: `select ${COLUMNS}, p.name as property_name, k.arrival_details as details, k.arrival_release as release
      from (select * from reservations r where ${where.join(' and ')} order by ${order} limit 26) r
      join properties p on p.id = r.property_id
      left join packets k on k.id = r.packet_id or (r.packet_id is null and k.property_id = r.property_id and k.is_default and k.status = 'active')
      order by ${order}`,
    values,
  };
}
