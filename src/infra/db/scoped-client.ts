/**
 * Where tenancy and mode are enforced: a scoped client adds `team_id` and `mode` to every condition and every row of
 * every tenant table, refuses other tables, and refuses raw SQL that does not carry the scope's team and mode as
 * parameters; that each of its tables is limited by them is shown by the tests, which parse every statement.
 */
import { Prisma, type PrismaClient } from '@/generated/prisma/client';
import type { Scope } from '@/shared/scope';
import { database } from './client';
import { preparedRows } from './driver/prepared';
import { openTransaction } from './open-transaction';

/** Every model that has both `team_id` and `mode`; a test compares this with the schema. */
export const TENANT_MODELS = [
  'ApiKey',
  'Property',
  'TestClock',
  'PropertyLogo',
  'Packet',
  'PacketRevision',
  'Reservation',
  'SameNights',
  'TrailEntry',
  'RetiredToken',
  'GuestCode',
  'Snapshot',
  'Signature',
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

/** No team's, and open to everybody: what a team's transaction adds to the public log. */
const PUBLIC_MODELS = ['LogEpoch', 'LogEntry', 'LogNode'] as const;

type TenantDelegate = Uncapitalize<(typeof TENANT_MODELS)[number] | (typeof PUBLIC_MODELS)[number]>;

/** What code with a scope can reach: the tenant tables, the public ones, and guarded raw SQL. */
export type ScopedDb = Pick<PrismaClient, TenantDelegate | '$queryRaw' | '$executeRaw'>;

type Bag = Record<string, unknown>;
const tenantModels: ReadonlySet<string> = new Set(TENANT_MODELS);
const publicModels: ReadonlySet<string> = new Set(PUBLIC_MODELS);
// AuditLog rows of the team itself (members, plan) carry no mode.
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
  // The scope comes last: a caller's own team_id or mode cannot replace it.
  args.where = { ...(args.where as Bag | undefined), ...condition };
  return args;
}

/**
 * Nothing is written through a relation: `connect` would take over the other row's team and mode, and `create` get none.
 * Reading through one is safe, since the keys behind relations compare both.
 */
function assertOwnColumns(model: string, row: unknown): void {
  const columns = (Prisma as unknown as Record<string, Bag>)[`${model}ScalarFieldEnum`] as Bag;
  const relation = Object.keys(row as Bag).find((key) => !(key in columns));
  if (relation) throw new Error(`A row of ${model} cannot be written through ${relation}.`);
}

/** A row never changes its team or mode: that would hand it to another tenant. */
function assertStays(model: string, changes: unknown): void {
  assertOwnColumns(model, changes);
  if ('team_id' in (changes as Bag) || 'mode' in (changes as Bag)) {
    throw new Error(`A row of ${model} cannot change its team or mode.`);
  }
}

type Inspector = (scope: Scope, query: Prisma.Sql) => void;
let inspector: Inspector = () => {};

/** Has every raw statement of every scoped client looked at before it runs; the tests parse them (testing/scoped-sql.ts). */
export function inspectScopedSql(inspect: Inspector): void {
  inspector = inspect;
}

/**
 * At the beginning of a raw statement that has to reach further than its scope: both modes, the team itself, or what no
 * team owns. Each is in the list of scoped-client.test.ts, with its reason.
 */
export const BEYOND_SCOPE = Prisma.raw('/* beyond the scope */');

function assertScopedSql(scope: Scope, query: Prisma.Sql): void {
  if (query.sql?.startsWith(BEYOND_SCOPE.sql)) {
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

function extend(scope: Scope) {
  return database().prisma.$extends({
    name: 'scope',
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          return query(scopeArguments(scope, model, operation, args as Bag) as typeof args);
        },
      },
      $queryRaw({ args, query }) {
        assertScopedSql(scope, args as Prisma.Sql);
        return query(args);
      },
      $executeRaw({ args, query }) {
        assertScopedSql(scope, args as Prisma.Sql);
        return query(args);
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

/** The client outside of any transaction; for this folder. */
export function clientFor(scope: Scope) {
  let client = clients.get(scope);
  if (!client) {
    client = extend(scope);
    clients.set(scope, client);
  }
  return client;
}

/**
 * The database as this scope may see it: the transaction under way where there is one, which must be this team's and
 * mode's.
 */
export function scopedDb(scope: Scope): ScopedDb {
  const transaction = openTransaction();
  // Before an idempotent request's first write there is none yet.
  if (!transaction?.client) return clientFor(scope) as unknown as ScopedDb;
  transaction.assertOwner(scope);
  return transaction.client as ScopedDb;
}

/** The same for what makes sense in a transaction only: a lock, an event, an entry of a log. Throws outside of one. */
export function transactionDb(scope: Scope): ScopedDb {
  if (!openTransaction()?.client) throw new Error('This must be called in a transaction, within `inTransaction`.');
  return scopedDb(scope);
}

/**
 * Rows of a hot path's statement, prepared once per connection (prepared.ts); inside a transaction it is one of its
 * queries. Refused unless it is limited by the scope's team, as all raw SQL.
 */
export async function scopedRows<Row>(scope: Scope, query: Prisma.Sql): Promise<Row[]> {
  const transaction = openTransaction();
  if (transaction?.client) {
    if (!transaction.runPrepared) return scopedDb(scope).$queryRaw<Row[]>(query);
    transaction.assertOwner(scope);
  }
  assertScopedSql(scope, query);
  return preparedRows<Row>(query, transaction?.runPrepared ?? undefined);
}

/** The same for what makes sense in a transaction only. Throws outside of one. */
export function transactionRows<Row>(scope: Scope, query: Prisma.Sql): Promise<Row[]> {
  transactionDb(scope);
  return scopedRows<Row>(scope, query);
}

export { Prisma };
