/**
 * Limits every query of a co-host to the assigned properties. Prisma calls get a condition. Raw
 * statements get a common table expression with the condition under each table's name, so that the
 * statements need no condition of their own. Queries that this file cannot limit are refused.
 */
import { Prisma } from '@/generated/prisma/client';
import type { Scope } from '@/shared/scope';

type Limits = Pick<Scope, 'team_id' | 'mode'> & { readonly properties: readonly string[] };
type Bag = Record<string, unknown>;

/** How the rows of a table belong to a property. */
type Belongs =
  /** A column of the table refers to the property. */
  | { by: 'id' | 'property_id' }
  /** A foreign key refers to a row of another table, which belongs to a property. */
  | { through: string; column: string; table: string; key?: string; of?: string }
  /**
   * A column refers to a reservation without a foreign key, because trails and mails outlive the
   * reservation.
   */
  | { by: 'reservation_id' }
  /** The rows belong to no property, and no co-host reads the table. */
  | null;

const OF_RESERVATION = { through: 'reservation', column: 'reservation_id', table: 'reservations' } as const;
const OF_SOURCE = { through: 'sync_source', column: 'sync_source_id', table: 'sync_sources' } as const;

/** How each model belongs to a property. A test compares the models with TENANT_MODELS. */
export const PROPERTY_RELATION_BY_MODEL: Readonly<Record<string, { table: string; belongs: Belongs }>> = {
  ApiKey: { table: 'api_keys', belongs: null },
  Property: { table: 'properties', belongs: { by: 'id' } },
  TestClock: {
    table: 'test_clocks',
    belongs: { through: 'properties', column: 'id', table: 'properties', key: 'test_clock_id', of: 'id' },
  },
  PropertyLogo: { table: 'property_logos', belongs: { by: 'property_id' } },
  MemberProperty: { table: 'member_properties', belongs: { by: 'property_id' } },
  Packet: { table: 'packets', belongs: { by: 'property_id' } },
  PacketRevision: {
    table: 'packet_revisions',
    belongs: { through: 'packet', column: 'packet_id', table: 'packets' },
  },
  Reservation: { table: 'reservations', belongs: { by: 'property_id' } },
  SameNights: { table: 'same_nights', belongs: OF_RESERVATION },
  TrailEntry: { table: 'trail_entries', belongs: { by: 'reservation_id' } },
  RetiredToken: { table: 'retired_tokens', belongs: OF_RESERVATION },
  GuestCode: { table: 'guest_codes', belongs: OF_RESERVATION },
  Snapshot: {
    table: 'snapshots',
    belongs: { through: 'signatures', column: 'id', table: 'signatures', key: 'snapshot_id' },
  },
  Signature: { table: 'signatures', belongs: { by: 'property_id' } },
  GuestErasure: { table: 'guest_erasures', belongs: null },
  SyncSource: { table: 'sync_sources', belongs: { by: 'property_id' } },
  SyncRun: { table: 'sync_runs', belongs: OF_SOURCE },
  InboundMail: { table: 'inbound_mails', belongs: OF_SOURCE },
  SmsMessage: { table: 'sms_messages', belongs: { by: 'reservation_id' } },
  WebhookEndpoint: { table: 'webhook_endpoints', belongs: null },
  WebhookDelivery: { table: 'webhook_deliveries', belongs: null },
  Event: { table: 'events', belongs: null },
  EventCounter: { table: 'event_counters', belongs: null },
  ActivityCount: { table: 'activity_counts', belongs: null },
  IdempotencyRecord: { table: 'idempotency_records', belongs: null },
  RequestLog: { table: 'request_logs', belongs: null },
  AuditLog: { table: 'audit_logs', belongs: null },
  MailMessage: { table: 'mail_messages', belongs: { by: 'reservation_id' } },
  PushNotice: { table: 'push_notices', belongs: OF_RESERVATION },
};

/** Tables that a co-host's actions write and never read. */
const WRITTEN_BLINDLY: ReadonlySet<string> = new Set(['AuditLog']);
/** Relations from one row to many rows. */
const MANY: ReadonlySet<string> = new Set(['properties', 'signatures']);
/** A condition that matches no row. Prisma ignores an empty `OR` within an `AND`. */
const NOTHING: Bag = { team_id: { in: [] } };

type Run = (sql: Prisma.Sql) => Promise<{ id: string }[]>;

/**
 * Adds the property condition to the arguments of a Prisma call, which already contain the scope's
 * team and mode. Throws when a new or changed row belongs to another property.
 */
export async function addPropertyFilterToPrismaArgs(
  limits: Limits,
  model: string,
  operation: string,
  args: Bag,
  run: Run,
): Promise<Bag> {
  const belongs = belongsOf(model);
  const creates = operation.startsWith('create') || operation === 'upsert';
  if (creates) await assertOwnRows(limits, model, [args.data ?? args.create].flat() as Bag[], run);
  for (const changes of [args.update, creates ? undefined : args.data]) {
    const property_id = (changes as Bag | undefined)?.property_id;
    if (property_id !== undefined) assertOwnProperty(limits, property_id);
  }
  if (operation.startsWith('create')) return args;
  const where = (args.where ?? {}) as Bag;
  const condition = await conditionOf(limits, model, belongs, where, run);
  return { ...args, where: { ...where, AND: [condition, ...[where.AND ?? []].flat()] } };
}

function belongsOf(model: string): Belongs {
  const known = PROPERTY_RELATION_BY_MODEL[model];
  if (!known) throw new Error(`How ${model} belongs to a property is not known.`);
  return known.belongs;
}

async function conditionOf(limits: Limits, model: string, belongs: Belongs, where: Bag, run: Run): Promise<Bag> {
  const of = { in: [...limits.properties] };
  if (!belongs) return NOTHING;
  if ('through' in belongs) {
    const { through, of: column = 'property_id' } = belongs;
    return { [through]: MANY.has(through) ? { some: { [column]: of } } : { [column]: of } };
  }
  if (belongs.by !== 'reservation_id') return { [belongs.by]: of };
  // Rows can be checked only if the query names their reservation or their own id. Any other query
  // finds no rows.
  const ids = namedIds(where.reservation_id);
  if (ids.length > 0) return { reservation_id: { in: await visible(limits, 'reservations', ids, run) } };
  const rows = namedIds(where.id);
  if (rows.length === 0) return NOTHING;
  return { id: { in: await visible(limits, PROPERTY_RELATION_BY_MODEL[model]?.table ?? '', rows, run) } };
}

function namedIds(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  const list = (value as { in?: unknown } | null | undefined)?.in;
  return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : [];
}

/** Returns the given ids whose rows are within the scope's limits. */
async function visible({ team_id, mode }: Limits, table: string, ids: readonly string[], run: Run): Promise<string[]> {
  const rows = await run(Prisma.sql`SELECT id FROM ${Prisma.raw(table)}
    WHERE team_id = ${team_id} AND mode = ${mode}::"Mode" AND id = ANY(${[...ids]}::text[])`);
  return rows.map(({ id }) => id);
}

async function assertOwnRows(limits: Limits, model: string, rows: readonly Bag[], run: Run): Promise<void> {
  const belongs = belongsOf(model);
  if (WRITTEN_BLINDLY.has(model)) return;
  if (!belongs || model === 'Property') throw new Error(`A co-host cannot make rows of ${model}.`);
  for (const row of rows) {
    if ('property_id' in row) assertOwnProperty(limits, row.property_id);
  }
  const ids = [...new Set(rows.flatMap(({ reservation_id }) => namedIds(reservation_id)))];
  if (ids.length > 0 && (await visible(limits, 'reservations', ids, run)).length < ids.length)
    throw new Error(`A row of ${model} belongs to a property that is not assigned.`);
}

function assertOwnProperty({ properties }: Limits, property_id: unknown): void {
  if (!properties.some((id) => id === property_id)) throw new Error('The property is not assigned.');
}

const WRITE = /\b(?:INSERT\s+INTO|DELETE\s+FROM|UPDATE(?!\s+SET\b))\s+"?(\w+)/gi;
const LOCK = /\bFOR\s+(?:NO\s+KEY\s+UPDATE|UPDATE|KEY\s+SHARE|SHARE)\b/i;
/** Matches a statement that locks rows of one table, whose name precedes the first parameter. */
const LOCKED = /^(\s*SELECT\s[\w\s,]*\sFROM\s+)(\w+)(\s[\s\S]*)$/i;
/** Tables to which a co-host's actions only add rows. */
const ADDED_TO: ReadonlySet<string> = new Set(['events', 'event_counters', 'reservations', 'trail_entries']);

/**
 * Returns the statement with its tables limited to rows of the assigned properties. Throws when it
 * cannot be limited.
 */
export function addPropertyFilterToSql(limits: Limits, query: Prisma.Sql): Prisma.Sql {
  const { sql, strings, values } = query;
  const [first = '', ...rest] = strings;
  if (LOCK.test(sql)) {
    const [, before, table, after] = LOCKED.exec(first) ?? [];
    if (before === undefined || table === undefined || after === undefined)
      throw new Error('A lock must take rows of one table, to be limited by properties.');
    const tail = new Prisma.Sql([after, ...rest], values);
    return Prisma.sql`${Prisma.raw(before)}(${rowsOf(limits, table)}) ${Prisma.raw(table)}${tail}`;
  }
  const written = [...sql.matchAll(WRITE)].map(([, table = '']) => table);
  if (written.length > 0) {
    const foreign = values.some(
      (value) => typeof value === 'string' && value.startsWith('prop_') && !limits.properties.includes(value),
    );
    if (foreign || !/^\s*(WITH|INSERT)\b/i.test(sql) || !written.every((table) => ADDED_TO.has(table)))
      throw new Error('This statement cannot be limited by properties.');
    if (/\b(?:DELETE\s+FROM|UPDATE(?!\s+SET\b))\s/i.test(sql))
      throw new Error('Nothing is changed by raw statements under limits of properties.');
    return query;
  }
  const [, recursive] = /^\s*WITH\s+(RECURSIVE\b)?/i.exec(first) ?? [];
  if (recursive || !/^\s*(WITH|SELECT|\()/i.test(first))
    throw new Error('This statement cannot be limited by properties.');
  const words = new Set(sql.match(/\w+/g));
  const tables = Object.values(PROPERTY_RELATION_BY_MODEL).flatMap(({ table }) => (words.has(table) ? [table] : []));
  if (tables.length === 0) return query;
  // Each common table expression has the name of its table, so it replaces the table wherever the
  // statement names it.
  const named = tables.map((table) => Prisma.sql`${Prisma.raw(table)} AS NOT MATERIALIZED (${rowsOf(limits, table)})`);
  const [, own] = /^\s*WITH\s+([\s\S]*)$/i.exec(first) ?? [];
  const body = own === undefined ? query : new Prisma.Sql([own, ...rest], values);
  return Prisma.sql`WITH ${Prisma.join(named, ', ')}${Prisma.raw(own === undefined ? ' ' : ', ')}${body}`;
}

function rowsOf(limits: Limits, table: string): Prisma.Sql {
  const { team_id, mode } = limits;
  const known = Object.values(PROPERTY_RELATION_BY_MODEL).find((one) => one.table === table);
  if (!known) throw new Error(`How ${table} belongs to a property is not known.`);
  return Prisma.sql`SELECT * FROM ${Prisma.raw(table)}
    WHERE team_id = ${team_id} AND mode = ${mode}::"Mode" AND ${belongsSql(limits, known.belongs)}`;
}

function belongsSql(limits: Limits, belongs: Belongs): Prisma.Sql {
  if (!belongs) return Prisma.sql`FALSE`;
  const { team_id, mode, properties } = limits;
  const assigned = (column: string) => Prisma.sql`${Prisma.raw(column)} = ANY(${[...properties]}::text[])`;
  if ('by' in belongs && belongs.by !== 'reservation_id') return assigned(belongs.by);
  const { column, table, key = 'id', of = 'property_id' } = 'by' in belongs ? OF_RESERVATION_SQL : belongs;
  return Prisma.sql`${Prisma.raw(column)} IN (SELECT ${Prisma.raw(key)} FROM ${Prisma.raw(table)}
    WHERE team_id = ${team_id} AND mode = ${mode}::"Mode" AND ${assigned(of)})`;
}

const OF_RESERVATION_SQL: { column: string; table: string; key?: string; of?: string } = OF_RESERVATION;
