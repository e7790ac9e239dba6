/**
 * Generates the data of all servers in the database: a Pro team with 200 properties and 100,000
 * reservations over two years, and a second team with a tenth of these rows, so that tenant
 * conditions exclude rows. No background work is due during the measurement: sent and synced
 * reservations are in the future, no property sends packets or reminders automatically, and no
 * reservation is marked for a comparison of its nights.
 */
import type pg from 'pg';
import { generateApiKey } from '../../../src/modules/api-keys/rules';

export interface SeededData {
  /** The API key of the measured team. */
  readonly key: string;
  readonly property_ids: string[];
  /** A random sample of reservation ids. */
  readonly reservation_ids: string[];
  /** The cursor of a page near the end of the list with `status=sent`. */
  readonly deep_cursor: string;
  /**
   * The number of the team's `sent` reservations, and how many of them precede the page at
   * `deep_cursor`.
   */
  readonly sent: number;
  readonly sent_before_deep: number;
}

const PROPERTIES = 200;
const SAMPLE = 5_000;

/** Fills an empty, migrated database with `rows` reservations for the measured team. */
export async function seedBenchDatabase(client: pg.Client, rows: number): Promise<SeededData> {
  const key = generateApiKey('live', 'secret');
  await seedBenchTeam(client, 'team_bench000000000000000000a', 'a', PROPERTIES, rows);
  await seedBenchTeam(client, 'team_bench000000000000000000b', 'b', PROPERTIES / 10, rows / 10);
  await client.query(
    `insert into api_keys (id, team_id, mode, name, type, scopes, ip_allow, prefix, hash, last4, created_at)
     values ('key_bench0000000000000000000', $1, 'live', 'bench', 'secret', '{}', '{}', $2, $3, $4, now())`,
    ['team_bench000000000000000000a', key.prefix, key.hash, key.last4],
  );
  await client.query('vacuum analyze');
  return { key: key.key, ...(await sample(client)) };
}

/** Adds a team. `mark` is a letter that makes its ids unique. */
export async function seedBenchTeam(client: pg.Client, team: string, mark: string, properties: number, rows: number) {
  await client.query(`insert into teams (id, name, slug, plan) values ($1, $1, $1, 'pro')`, [team]);
  await client.query(
    `insert into properties (id, team_id, mode, name, address, timezone, city, created_at, updated_at)
     select 'prop_01${mark}' || lpad(i::text, 7, '0') || substr(md5('p' || i), 1, 16), $1, 'live', 'Harbour loft ' || i,
            i || ' Quay Street', 'Europe/Lisbon', 'Lisbon', now() - interval '2 years', now() - interval '2 years'
     from generate_series(1, $2::int) i`,
    [team, properties],
  );
  await client.query(
    `insert into packets (id, team_id, mode, property_id, name, is_default, rules, fees, arrival_details, arrival_release, created_at, updated_at)
     select 'pkt_' || substr(p.id, 6), p.team_id, 'live', p.id, 'House rules', true,
            '[{"id":"rule_1","text":"No smoking inside.","category":null},{"id":"rule_2","text":"Quiet after ten.","category":null}]',
            '[{"id":"fee_1","label":"Cleaning","amount_cents":6500,"unit":"stay","description":null,"type":"mandatory_cleaning"}]',
            '{"wifi":{"network":"loft","password":"harbour-2024"},"door_code":"4711#","checkin_notes":"Ring twice.","parking_notes":null}',
            case when n % 2 = 0 then '{"wifi":"after_signing","door_code":"after_signing"}'::jsonb else '{}'::jsonb end, p.created_at, p.created_at
     from (select *, row_number() over () n from properties where team_id = $1) p`,
    [team],
  );
  await client.query(RESERVATIONS.replaceAll('MARK', mark), [team, rows]);
}

/**
 * The statuses have realistic shares. Most reservations are signed. About an eighth of all have the
 * status `sent`.
 */
const RESERVATIONS = `
  with numbered as (
    select i, (i::bigint * 7919) % 100 as draw, now() - interval '2 years' + (i * interval '2 years' / ($2::int + 1)) as made
    from generate_series(1, $2::int) i
  ), drawn as (
    select *, case when draw < 55 then 'signed' when draw < 67 then 'sent' when draw < 73 then 'opened' when draw < 78 then 'clicked'
                   when draw < 86 then 'expired' when draw < 92 then 'ignored' when draw < 95 then 'draft' else 'synced' end as status
    from numbered
  ), owned as (select id, row_number() over (order by id) - 1 as n, count(*) over () as total from properties where team_id = $1)
  insert into reservations (id, team_id, mode, property_id, guest_name, guest_email, checkin_date, checkout_date, source, status,
    initial_status, sent_at, opened_at, clicked_at, signed_at, expired_at, cancelled_at, cancel_reason, external_id, arrival_details_held_at,
    arrival_details_released_at, nights_changed, version, created_at, updated_at)
  select 'res_01MARK' || lpad(i::text, 7, '0') || substr(md5('r' || i), 1, 16), $1, 'live', owned.id, 'Guest number ' || i,
    'guest' || i || '@example.com', day, day + 3,
    (array['direct','channel_a','channel_b','channel_c'])[1 + i % 4]::"ReservationSource", status::"ReservationStatus",
    (case when status = 'synced' then 'synced' else 'draft' end)::"ReservationStatus",
    case when status in ('sent','opened','clicked','signed','expired') then made + interval '1 hour' end,
    case when status in ('opened','clicked','signed') then made + interval '2 hours' end,
    case when status in ('clicked','signed') then made + interval '3 hours' end,
    case when status = 'signed' then made + interval '4 hours' end,
    case when status = 'expired' then made + interval '60 days' end,
    case when status = 'ignored' then made + interval '1 day' end, case when status = 'ignored' then 'host' end,
    case when i % 4 > 0 then 'HM' || i end,
    case when status in ('clicked','signed') and owned.n % 2 = 0 then made + interval '3 hours' end,
    case when status = 'signed' and owned.n % 2 = 0 then made + interval '4 hours' end,
    false, 3, made, made + interval '4 hours'
  from drawn join owned on owned.n = (drawn.i * 31) % owned.total
  cross join lateral (select case when status in ('sent','opened','clicked','synced','draft') then current_date + 60 + (i % 300)::int
                                  else (made + interval '30 days')::date end as day) d
  order by i`;

async function sample(client: pg.Client): Promise<Omit<SeededData, 'key'>> {
  const team = 'team_bench000000000000000000a';
  const ids = await client.query<{ id: string }>(
    'select id from reservations where team_id = $1 order by md5(id) limit $2',
    [team, SAMPLE],
  );
  const properties = await client.query<{ id: string }>('select id from properties where team_id = $1', [team]);
  const [count] = (
    await client.query<{ sent: number }>(
      `select count(*)::int as sent from reservations where team_id = $1 and status = 'sent'`,
      [team],
    )
  ).rows;
  const sent = count?.sent ?? 0;
  const sent_before_deep = Math.floor(sent * 0.95);
  const [cursor] = (
    await client.query<{ id: string }>(
      `select id from reservations where team_id = $1 and status = 'sent' order by created_at desc, id desc offset $2 limit 1`,
      [team, sent_before_deep - 1],
    )
  ).rows;
  if (!cursor) throw new Error('The seed made no reservation that is sent.');
  return {
    property_ids: properties.rows.map((row) => row.id),
    reservation_ids: ids.rows.map((row) => row.id),
    deep_cursor: cursor.id,
    sent,
    sent_before_deep,
  };
}
