/**
 * Enforces tenancy and mode. A scoped client adds `team_id` and `mode` to every condition and every
 * row of tenant tables and refuses other tables. It also refuses raw SQL that lacks the scope's
 * team and mode as parameters. Tests parse every raw statement and check that each of its tables is
 * limited. The scope of a co-host is also limited to properties (property-filter.ts).
 */
import { Prisma, type PrismaClient } from '@/generated/prisma/client';
import type { Scope } from '@/shared/scope';
import { database } from './client';
import { runPreparedQuery } from './driver/prepared';
import { getCurrentTransaction } from './open-transaction';
import { addPropertyFilterToPrismaArgs, addPropertyFilterToSql } from './property-filter';

/** Every model that has both `team_id` and `mode`. A test compares this list with the schema. */
export const TENANT_MODELS = [
  'ApiKey',
  'Property',
  'TestClock',
  'PropertyLogo',
  'MemberProperty',
  'Packet',
  'PacketRevision',
  'Reservation',
  'SameNights',
  'TrailEntry',
  'RetiredToken',
  'GuestCode',
  'Snapshot',
  'Signature',
  'GuestErasure',
  'SyncSource',
  'SyncRun',
  'InboundMail',
  'SmsMessage',
  'WebhookEndpoint',
  'WebhookDelivery',
  'Event',
  'EventCounter',
  'ActivityCount',
  'IdempotencyRecord',
  'RequestLog',
  'AuditLog',
  'MailMessage',
  'PushNotice',
] as const;

/**
 * Tables that belong to no team and that everybody may read. A team's transaction adds rows to the
 * public log.
 */
const PUBLIC_MODELS = ['LogEpoch', 'LogEntry', 'LogNode'] as const;

type TenantDelegate = Uncapitalize<(typeof TENANT_MODELS)[number] | (typeof PUBLIC_MODELS)[number]>;

/**
 * The database for code with a scope: the tenant tables, the public tables, and guarded raw SQL.
 */
export type ScopedDb = Pick<PrismaClient, TenantDelegate | '$queryRaw' | '$executeRaw'>;

type Bag = Record<string, unknown>;
const tenantModels: ReadonlySet<string> = new Set(TENANT_MODELS);
const publicModels: ReadonlySet<string> = new Set(PUBLIC_MODELS);
// Team-wide rows of AuditLog (members, plan) have no mode.
const modeOptional: ReadonlySet<string> = new Set(['AuditLog']);

function scopeArguments(scope: Scope, model: string, operation: string, input: Bag): Bag {
  if (publicModels.has(model)) return input;
  if (!tenantModels.has(model))
    throw new Error(`${model} is not a tenant table; a scoped client cannot ${operation} it.`);
  const own = { team_id: scope.team_id, mode: scope.mode };
  const args = { ...input };
  const stamp = (row: unknown): Bag => {
    assertOwnColumns(model, row);
    return { ...(row as Bag), ...own };
  };
  switch (operation) {
    case 'create':
      args.data = stamp(args.data);
      return args;
    case 'createMany':
    case 'createManyAndReturn':
      args.data = Array.isArray(args.data) ? args.data.map(stamp) : stamp(args.data);
      return args;
    case 'upsert':
      args.create = stamp(args.create);
      assertStays(model, args.update);
      break;
    case 'update':
    case 'updateMany':
    case 'updateManyAndReturn':
      assertStays(model, args.data);
      break;
  }
  const condition = modeOptional.has(model) ? { team_id: scope.team_id } : own;
  // The scope is spread last, so that a caller's team_id or mode cannot replace it.
  args.where = { ...(args.where as Bag | undefined), ...condition };
  return args;
}

/**
 * Forbids writing through a relation. `connect` would copy team and mode of the other row, and
 * `create` would set neither. Reading through a relation is safe, because its keys include team and
 * mode.
 */
function assertOwnColumns(model: string, row: unknown): void {
  const columns = (Prisma as unknown as Record<string, Bag>)[`${model}ScalarFieldEnum`] as Bag;
  const relation = Object.keys(row as Bag).find((key) => !(key in columns));
  if (relation) throw new Error(`A row of ${model} cannot be written through ${relation}.`);
}

/** Forbids changes of a row's team or mode, because they would move the row to another tenant. */
function assertStays(model: string, changes: unknown): void {
  assertOwnColumns(model, changes);
  if ('team_id' in (changes as Bag) || 'mode' in (changes as Bag)) {
    throw new Error(`A row of ${model} cannot change its team or mode.`);
  }
}

type Inspector = (scope: Scope, query: Prisma.Sql) => void;
let inspector: Inspector = () => {};

/**
 * Registers a function that inspects every raw statement before it runs. Tests use it to parse the
 * statements (testing/scoped-sql.ts).
 */
export function setScopedSqlInspector(inspect: Inspector): void {
  inspector = inspect;
}

/**
 * Marks a raw statement that must exceed its scope: both modes, the team itself, or tables of no
 * team. scoped-client.test.ts lists each of these statements with its reason.
 */
export const UNSCOPED_SQL_COMMENT = Prisma.raw('/* beyond the scope */');

function assertScopedSql(scope: Scope, query: Prisma.Sql): void {
  if (query.sql?.startsWith(UNSCOPED_SQL_COMMENT.sql)) {
    if (query.values.includes(scope.team_id)) return;
    throw new Error('Raw SQL beyond the scope must still name the scope’s team.');
  }
  for (const column of ['team_id', 'mode'] as const) {
    if (!query.values?.includes(scope[column]) || !query.sql?.includes(column)) {
      throw new Error(`Raw SQL on a scoped client must be limited by the scope’s ${column}.`);
    }
  }
  inspector(scope, query);
}

/** Returns the statement limited to the scope. Throws when it lacks the scope's team and mode. */
function scopedSql(scope: Scope, query: Prisma.Sql): Prisma.Sql {
  assertScopedSql(scope, query);
  const { properties } = scope;
  // Statements beyond the scope concern either no property or the whole team: budgets, locks,
  // memberships.
  if (!properties || query.sql.startsWith(UNSCOPED_SQL_COMMENT.sql)) return query;
  return addPropertyFilterToSql({ ...scope, properties }, query);
}

function extend(scope: Scope) {
  return database().prisma.$extends({
    name: 'scope',
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          const scoped = scopeArguments(scope, model, operation, args as Bag);
          const { properties } = scope;
          if (!properties || publicModels.has(model)) return query(scoped as typeof args);
          const run = (sql: Prisma.Sql) => scopedDb(scope).$queryRaw<{ id: string }[]>(sql);
          return addPropertyFilterToPrismaArgs({ ...scope, properties }, model, operation, scoped, run).then(
            (limited) => query(limited as typeof args),
          );
        },
      },
      $queryRaw({ args, query }) {
        return query(scopedSql(scope, args as Prisma.Sql));
      },
      $executeRaw({ args, query }) {
        return query(scopedSql(scope, args as Prisma.Sql));
      },
      $queryRawUnsafe() {
        throw new Error('Unsafe raw SQL is not available on a scoped client.');
      },
      $executeRawUnsafe() {
        throw new Error('Unsafe raw SQL is not available on a scoped client.');
      },
    },
  });
}

const clients = new WeakMap<Scope, ReturnType<typeof extend>>();

/** Returns a scope's client outside any transaction. Only for this folder. */
export function getScopedDatabaseClient(scope: Scope) {
  let client = clients.get(scope);
  if (!client) {
    client = extend(scope);
    clients.set(scope, client);
  }
  return client;
}

/**
 * Returns the database limited to this scope. Inside a transaction it is the transaction's client.
 * Throws when the transaction belongs to another team or mode.
 */
export function scopedDb(scope: Scope): ScopedDb {
  const transaction = getCurrentTransaction();
  // The transaction of an idempotent request has no client before its first write.
  if (!transaction?.client) return getScopedDatabaseClient(scope) as unknown as ScopedDb;
  transaction.assertOwner(scope);
  return transaction.client as ScopedDb;
}

/**
 * Returns the same as `scopedDb`, for calls that need a transaction: locks, events, log entries.
 * Throws outside a transaction.
 */
export function requireTransactionDb(scope: Scope): ScopedDb {
  if (!getCurrentTransaction()?.client)
    throw new Error('This must be called in a transaction, within `inTransaction`.');
  return scopedDb(scope);
}

/**
 * Runs a statement of a hot path, which is prepared once per connection (prepared.ts), and returns
 * its rows. Inside a transaction the statement is part of the transaction. Throws for a statement
 * without the scope's team and mode, as for all raw SQL.
 */
export async function queryRowsInScope<Row>(scope: Scope, query: Prisma.Sql): Promise<Row[]> {
  const transaction = getCurrentTransaction();
  if (transaction?.client) {
    if (!transaction.runPrepared) return scopedDb(scope).$queryRaw<Row[]>(query);
    transaction.assertOwner(scope);
  }
  // The limits of the scope that opened the transaction apply to all code that joins it.
  const properties = transaction?.owner?.properties ?? scope.properties;
  const limited = scopedSql(properties ? { ...scope, properties } : scope, query);
  return runPreparedQuery<Row>(limited, transaction?.runPrepared ?? undefined);
}

/**
 * Returns the same as `queryRowsInScope`, for statements that need a transaction. Throws outside a
 * transaction.
 */
export function queryRowsInOpenScopeTransaction<Row>(scope: Scope, query: Prisma.Sql): Promise<Row[]> {
  requireTransactionDb(scope);
  return queryRowsInScope<Row>(scope, query);
}

export { Prisma };
