/**
 * `npx tsx stress/bench/plans.ts [--rows=N] [--only=OPERATION] [--all]`: calls every query of the
 * product, with each filter and each sort, on 100,000 reservations with all dependent rows.
 * PostgreSQL (auto_explain) reports how it executed each statement. Fails when a statement scans a
 * whole big table, or reads far more rows than a page shows. Takes the queries from the router, so
 * new lists, filters and sorts are included automatically.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';
import { appRouter } from '@/api/router';
import { HostAndPartnerSchemaPair } from '@/api/trpc/host-part';
import { setConfig } from '@/config';
import { closeDatabase, database } from '@/infra/db/client';
import { connectExternalDatabase } from '@/infra/db/driver/connect';
import { migrateExternalDatabase } from '@/infra/db/opening/external-migrations';
import type { Scope } from '@/shared/scope';
import { seedRemainingBenchTables } from './lib/dependent-rows';
import { readNumberOption, readTextOption } from './lib/options';
import { startOrConnectBenchPostgres, withConnectedPostgresClient } from './lib/postgres';
import { seedBenchDatabase, seedBenchTeam } from './lib/seed';

/**
 * Maximum number of rows that a statement may read. It allows for a page, for search hits that are
 * collected before sorting (reservations/list.repository.ts), and for rows that a date excludes.
 */
const READ_AT_MOST = 3_000;
const BIG_TABLE = 5_000;
/**
 * Number of executions. From the sixth on, PostgreSQL may plan a prepared statement without its
 * values.
 */
const TIMES = 7;

const BIG_TEAM = 'team_bench000000000000000000a';
const SMALL_TEAM = 'team_bench000000000000000000b';

const EXPLAINING = [
  'session_preload_libraries=auto_explain',
  'auto_explain.log_min_duration=0',
  'auto_explain.log_analyze=on',
  'auto_explain.log_timing=off',
  'auto_explain.log_format=json',
  // PostgreSQL sends the plans as messages to the session that runs the query.
  'auto_explain.log_level=notice',
].map((setting) => `-c ${setting}`);

/** Operations whose statements may read more than READ_AT_MOST rows, with the reasons. */
const KNOWN: Record<string, string> = {
  'team_data.deletion_preview': 'counts all there is before it goes',
  'stay_calendar.page': 'all stays of its properties and days',
  'reservations.list search':
    'a word that every guest has: the planner collects or walks the list, whichever it takes for less',
  'certificates.list search': 'the same',
  'request_logs.list method': 'kept for 30 days, and written at every request: no index for it',
  'request_logs.list path': 'kept for 30 days, and written at every request: no index for it',
  'request_logs.list status': 'kept for 30 days, and written at every request: no index for it',
  'request_logs.list statuses': 'kept for 30 days, and written at every request: no index for it',
  'reservations.list checkin_date.lte': 'the newest first: those that arrive later are passed over',
  'events.list from': 'in the order of commits, for the dashboard alone',
  'events.list to': 'in the order of commits, for the dashboard alone',
  'webhook_endpoints.list_event_deliveries status':
    'what became of each event, from all its attempts, for the dashboard alone',
};

/** Statements that may read more than READ_AT_MOST rows in any operation. */
const KNOWN_STATEMENTS = [
  // Overlapping stays: the statement reads each property's stays from today to the end of the
  // listed stays, which are hundreds in this data.
  'SELECT DISTINCT o.id, o.property_id, o.version',
  // The palette's search for a word that every guest's name contains. It stops after two thousand
  // hits.
  'WITH whole AS MATERIALIZED',
];

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

interface Finding {
  /** Number of rows read, including rows that a filter removed. */
  read: number;
  /** Big tables that were scanned as a whole. */
  whole: string[];
  sql: string;
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const child of plan.Plans ?? []) yield* nodesOf(child);
}

function findingOf(explained: { 'Query Text': string; Plan: Plan }, big: ReadonlySet<string>): Finding {
  // A join may scan a small table repeatedly. When the table grows, PostgreSQL uses an index
  // instead, so small tables are ignored.
  const scans = [...nodesOf(explained.Plan)].filter((node) => big.has(node['Relation Name'] ?? ''));
  const read = scans.reduce((sum, node) => {
    const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = node;
    return sum + (node['Actual Rows'] + filtered + rechecked) * node['Actual Loops'];
  }, 0);
  const whole = scans
    // A scan that stops early because it has enough rows is not a full scan.
    .filter((node) => node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0 && read > READ_AT_MOST)
    .map((node) => node['Relation Name'] ?? '');
  return { read, whole, sql: explained['Query Text'] };
}

type Schema = {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
};
type Input = Record<string, unknown>;

/**
 * Returns values for a field, by its name and schema: every enumerated value, early and late times,
 * and rare and missing values.
 */
async function valuesOf(
  client: pg.Client,
  team: string,
): Promise<(field: string, of: string, schema: Schema) => unknown[]> {
  const ids = async (table: string, where = 'true') =>
    (
      await client.query<{ id: string }>(
        `select id from ${table} where team_id = $1 and ${where} order by md5(id) limit 2`,
        [team],
      )
    ).rows.map(({ id }) => id);
  const by_noun: Record<string, string[]> = {
    properties: await ids('properties'),
    packets: await ids('packets'),
    reservations: await ids('reservations', `status = 'signed'`),
    certificates: await ids('signatures'),
    sync_sources: await ids('sync_sources'),
    inbox: await ids('inbound_mails'),
    sms_messages: await ids('sms_messages'),
    webhook_endpoints: await ids('webhook_endpoints'),
    api_keys: await ids('api_keys'),
    events: await ids('events'),
    request_logs: await ids('request_logs'),
    mail: await ids('mail_messages'),
    audit_log: await ids('audit_logs'),
    deliveries: await ids('webhook_deliveries'),
  };
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const by_name: Record<string, unknown[]> = {
    property: by_noun.properties ?? [],
    property_id: by_noun.properties ?? [],
    properties: [by_noun.properties],
    reservation: by_noun.reservations ?? [],
    object_id: [...(by_noun.reservations ?? []), 'res_nobody'],
    event_id: by_noun.events ?? [],
    evt_id: by_noun.events ?? [],
    request_id: [...(by_noun.request_logs ?? []), 'req_nobody'],
    sync_source_id: by_noun.sync_sources ?? [],
    api_key: [...(by_noun.api_keys ?? []), 'key_nobody'],
    search: ['guest', 'HM77', 'nobody', 'gu'],
    text: ['guest', 'HM77', 'nobody', 'gu'],
    subdomain: ['nobody'],
    timezone: ['Europe/Lisbon'],
    actor: ['user:user_rare', 'user:user_1', 'user:user_nobody'],
    error_code: ['plan_limit_reached', 'invalid_field', 'internal_error'],
    path: ['/v1/reservations', 'nowhere'],
    template: ['packet', 'sync_failing', 'late_signature'],
    since: [day(-300)],
  };
  return (field, of, schema) => {
    const [noun = '', operation = ''] = of.split('.');
    const own =
      operation === 'retrieve_attempt'
        ? by_noun.deliveries
        : noun === 'packets' && operation !== 'revisions'
          ? []
          : by_noun[noun];
    const listed =
      operation === 'list_deliveries' || operation === 'list_event_deliveries' ? by_noun.deliveries : by_noun[noun];
    if (field === 'starting_after' || field === 'ending_before') return listed?.slice(0, 1) ?? [];
    if (field === 'id') {
      if (noun === 'packets')
        return (
          (operation === 'list' || operation === 'retrieve_default' ? by_noun.properties : by_noun.packets)?.slice(
            0,
            1,
          ) ?? []
        );
      return own?.slice(0, 1) ?? [];
    }
    if (by_name[field]) return by_name[field] as unknown[];
    if (schema.enum) return schema.enum;
    if (schema.type === 'boolean') return [true, false];
    if (schema.type === 'array' && schema.items?.enum)
      return [schema.items.enum.slice(0, 2), schema.items.enum.slice(-1)];
    if (schema.properties?.by)
      return (schema.properties.by.enum ?? []).flatMap((by) => [true, false].map((descending) => ({ by, descending })));
    const format = (schema as { format?: string }).format;
    if (format === 'date')
      return field === 'to' ? [day(56).slice(0, 10)] : [day(0).slice(0, 10), day(-700).slice(0, 10)];
    if (format === 'date-time') return [day(-700), day(-1), day(1)];
    return [];
  };
}

/**
 * Returns inputs for a schema: one with only the required fields, one for each value of each field,
 * and each of these with each sort.
 */
function inputsOf(
  of: string,
  schema: Schema,
  values: (field: string, of: string, schema: Schema) => unknown[],
): Input[] {
  const { properties = {}, required = [] } = schema;
  const base = Object.fromEntries(required.map((field) => [field, values(field, of, properties[field] ?? {})[0]]));
  const more = Object.entries(properties)
    .filter(([field]) => field !== 'limit' && field !== 'sort')
    .flatMap(([field, own]) => values(field, of, own).map((value) => ({ ...base, [field]: value })));
  const sorts = properties.sort ? values('sort', of, properties.sort) : [];
  const alone: Input[] = [base, ...more];
  return [...alone, ...alone.flatMap((input) => sorts.map((sort) => ({ ...input, sort })))];
}

type Procedure = { _def: { type: string; inputs: unknown[]; meta?: { openapi?: unknown } } };

function schemaOf(procedure: Procedure, side: 'partner' | 'host'): Schema {
  const parts = procedure._def.inputs.map((input) => {
    const schema = input instanceof HostAndPartnerSchemaPair ? input[side] : (input as z.ZodType);
    return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  });
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  };
}

type Calls = Record<string, Record<string, (input: Input) => Promise<unknown>>>;

/** Returns one caller of each kind for a team: its host, and its partner with a key. */
function callers(team: string) {
  const scope: Scope = { team_id: team, mode: 'live', actor: { kind: 'system', name: 'bench' } };
  const context = {
    request_id: 'req_bench',
    scope,
    ip: null,
    user_agent: null,
    if_match: null,
    reply: { headers: {} },
  };
  const user = {
    id: 'user_bench',
    name: 'Bench',
    email: 'bench@example.com',
    role: 'owner',
    session_id: 'sess_bench',
  } as const;
  return {
    host: appRouter.createCaller({ ...context, surface: 'dashboard', user }) as unknown as Calls,
    partner: appRouter.createCaller({ ...context, surface: 'rest', user: null }) as unknown as Calls,
  };
}

interface Slow extends Finding {
  operation: string;
  input: Input;
  side: string;
  team: string;
}

async function main(): Promise<void> {
  const rows = readNumberOption('rows', 100_000);
  const postgres = await startOrConnectBenchPostgres();
  try {
    await migrateExternalDatabase(postgres.url, join(process.cwd(), 'prisma/migrations'));
    setConfig({ app_secret: randomBytes(32).toString('base64url'), log_level: 'silent', database_url: postgres.url });
    const url = new URL(postgres.url);
    url.searchParams.set('options', EXPLAINING.join(' '));
    await withConnectedPostgresClient(postgres.url, async (client) => {
      // The benchmark's own server needs no durable data, so nothing is flushed to disk. A given
      // server is not changed.
      for (const setting of process.env.DATABASE_URL ? [] : ['fsync = off', `max_wal_size = '8GB'`])
        await client.query(`alter system set ${setting}`);
      await client.query('select pg_reload_conf()');
      await seedBenchDatabase(client, rows);
      const others = ['c', 'd', 'e', 'f'].map((mark) => ({ mark, team: `team_bench000000000000000000${mark}` }));
      for (const { mark, team } of others) await seedBenchTeam(client, team, mark, 20, rows / 10);
      await seedRemainingBenchTables(client, [BIG_TEAM, SMALL_TEAM, ...others.map(({ team }) => team)]);
      connectExternalDatabase(url.href.replaceAll('+', '%20'), { patient: true });
      await look(client, rows);
    });
  } finally {
    await closeDatabase();
    await postgres.stop();
  }
}

async function look(client: pg.Client, rows: number): Promise<void> {
  const tables = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > $1`,
    [BIG_TABLE],
  );
  const big = new Set(tables.rows.map(({ name }) => name));
  let heard: Finding[] = [];
  database().pool?.on('connect', (connection) =>
    connection.on('notice', ({ message = '' }) => {
      const plan = /^duration: .*? plan:\n(.*)$/s.exec(message)?.[1];
      if (plan) heard.push(findingOf(JSON.parse(plan), big));
    }),
  );
  const only = readTextOption('only');
  const slow: Slow[] = [];
  const refused = new Set<string>();
  let [asked, statements] = [0, 0];
  for (const team of [BIG_TEAM, SMALL_TEAM]) {
    const values = await valuesOf(client, team);
    const by_side = callers(team);
    for (const [operation, procedure] of Object.entries(
      appRouter._def.procedures as unknown as Record<string, Procedure>,
    )) {
      if (procedure._def.type !== 'query' || (only && operation !== only)) continue;
      const [noun = '', name = ''] = operation.split('.');
      for (const side of ['host', 'partner'] as const) {
        for (const input of inputsOf(operation, schemaOf(procedure, side), values)) {
          heard = [];
          try {
            for (let time = 0; time < TIMES; time++) await by_side[side][noun]?.[name]?.(input);
            asked++;
          } catch (error) {
            if (side === 'host') refused.add(`${operation}: ${(error as Error).message.slice(0, 80)}`);
          }
          statements += heard.length;
          const worst = heard.filter(({ read }) => read > READ_AT_MOST);
          const texts = new Map(worst.map((finding) => [finding.sql, finding]));
          for (const finding of texts.values()) slow.push({ ...finding, operation, input, side, team });
        }
      }
    }
  }
  console.log(
    `${asked} questions, ${statements} statements at ${rows} reservations; ${big.size} big tables: ${[...big].sort().join(', ')}`,
  );
  for (const text of refused) console.log(`not answered: ${text}`);
  const isKnown = ({ operation, input, sql }: Slow) =>
    operation in KNOWN ||
    KNOWN_STATEMENTS.some((text) => sql.replace(/\s+/g, ' ').includes(text)) ||
    Object.keys(input).some((field) => `${operation} ${field}` in KNOWN);
  const bad = slow.filter((one) => !isKnown(one));
  console.log(`${slow.length} read more than ${READ_AT_MOST} rows, of which are known: ${slow.length - bad.length}`);
  for (const { operation, input, side, team, read, whole, sql } of process.argv.includes('--all') ? slow : bad) {
    console.log(
      `\n${operation} ${JSON.stringify(input)} (${side}, ${team === BIG_TEAM ? 'large' : 'small'} team): ${read} rows read${whole.length > 0 ? `, all of ${whole.join(', ')}` : ''}`,
    );
    console.log(`  ${sql.replace(/\s+/g, ' ').slice(0, 400)}`);
  }
  if (bad.length > 0) throw new Error(`${bad.length} questions read far more than they show.`);
}

await main();
