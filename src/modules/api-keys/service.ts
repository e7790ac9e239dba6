/** Authenticates requests and manages keys (specification, "Authentication"). */
import type { ApiKey } from '@/generated/prisma/client';
import { lockTeam } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { logger } from '@/infra/logger';
import { lockMembership } from '@/modules/accounts/lock-membership';
import type { SessionContext } from '@/modules/accounts/session';
import {
  buildNewAuditEntryRow,
  type NewAuditEntryRow,
  recordAuditEntry,
  writeCollectedAuditEntries,
} from '@/modules/audit-log/service';
import { listApiKeyUsage } from '@/modules/request-log/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { isIpAddressAllowed, normalizeIpRange } from '@/shared/ip';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Mode, Scope } from '@/shared/scope';
import * as repository from './repository';
import {
  API_KEY_ROTATION_GRACE_MS,
  computeApiKeyRotationEnd,
  generateApiKey,
  getApiKeyState,
  isApiKeyLimitReached,
  isApiKeyRotationLimitReached,
  parseAuthorizationHeader,
  verifyApiKey,
} from './rules';
import type { ApiKeyUsage } from './schemas';
import { type GrantedScopes, getGrantedScopes, isApiKeyScopeName } from './scopes';

/** The authenticated caller. */
export interface ApiPrincipal {
  /** The id of the API key. Null for an assistant. */
  readonly key_id: string | null;
  readonly scope: Scope;
  readonly scopes: GrantedScopes;
  readonly plan: string;
  /** Whether the key was rotated and is in its last 24 hours. */
  readonly deprecated: boolean;
  /** The assistant's name. Undefined when the caller uses an API key. */
  readonly assistant?: string;
  /** The member for whom the assistant acts. Undefined when the caller uses an API key. */
  readonly user?: SessionContext['user'];
}

/** The owner of the presented key. A refused request also appears in the owner's request log. */
export type ApiKeyOwner = Pick<ApiPrincipal, 'key_id' | 'scope'>;

/** Refusals of a genuine key. The owner sees them in the request log. */
const PROVEN_REFUSALS: ReadonlySet<string> = new Set([
  'api_key_revoked',
  'api_key_expired',
  'api_key_wrong_environment',
]);

/**
 * Authenticates a request. Calls `identified` once the key is known to be genuine, even if the key
 * is then refused. Throws the api_key_* errors and ip_not_allowed.
 */
export async function authenticateApiKey(
  header: string | undefined,
  ip: string | null,
  identified: (owner: ApiKeyOwner) => void = () => {},
): Promise<ApiPrincipal> {
  const given = parseAuthorizationHeader(header);
  if (given.kind === 'missing') throw new AppError('api_key_missing');
  if (given.kind === 'malformed') throw new AppError('api_key_malformed');
  const row = await repository.findApiKeyByPrefix(given.key.prefix);
  const verdict = verifyApiKey(given.key, row, clock().now());
  if (!row) throw new AppError('api_key_invalid');
  const owner: ApiKeyOwner = {
    key_id: row.id,
    scope: { team_id: row.team_id, mode: row.mode, actor: { kind: 'api_key', id: row.id, name: row.name }, ip },
  };
  if (verdict.ok || PROVEN_REFUSALS.has(verdict.code)) identified(owner);
  if (!verdict.ok) throw new AppError(verdict.code);
  if (!isIpAddressAllowed(ip, row.ip_allow)) throw new AppError('ip_not_allowed');
  return { ...owner, scopes: getGrantedScopes(row), plan: row.plan, deprecated: verdict.deprecated };
}

export interface NewApiKeyInput {
  name: string;
  /** Null or absent creates a secret key with full access. A list creates a restricted key. */
  scopes?: readonly string[] | null;
  ip_allow?: readonly string[];
  created_by?: string | null;
  /** Null or absent means that the key does not expire. */
  expires_at?: Date | null;
}

/**
 * Creates a key. Returns its row and the key itself, which is never shown again. Throws
 * missing_required_field and invalid_field. At the limit of keys, the param of invalid_field is
 * `mode`.
 */
export async function createApiKey(
  scope: Scope,
  input: NewApiKeyInput,
): Promise<{ id: string; row: ApiKey; key: string }> {
  const restricted = input.scopes !== undefined && input.scopes !== null;
  const scopes = [...new Set(input.scopes ?? [])];
  if (restricted && scopes.length === 0) {
    throw new AppError('missing_required_field', { message: createRefusal('key_needs_a_scope'), param: 'scopes' });
  }
  const unknown = scopes.find((name) => !isApiKeyScopeName(name));
  if (unknown)
    throw new AppError('invalid_field', { message: createRefusal('not_a_scope', { scope: unknown }), param: 'scopes' });
  const ip_allow = (input.ip_allow ?? []).map(parseRange);
  return inTransaction(scope, async () => {
    await lockMembership(scope);
    await lockTeam(scope);
    const keys = await repository.listApiKeyRows(scope);
    if (isApiKeyLimitReached(keys, clock().now())) {
      throw new AppError('invalid_field', { message: createRefusal('at_most_three_keys'), param: 'mode' });
    }
    const generated = mint(scope.mode, restricted ? 'restricted' : 'secret');
    const row = await repository.insertApiKey(scope, {
      ...generated.columns,
      name: input.name,
      scopes,
      ip_allow,
      created_by: input.created_by ?? null,
      expires_at: input.expires_at ?? null,
      created_at: clock().now(),
    });
    const data = { name: row.name, scopes, ip_allow };
    await recordAuditEntry(scope, { action: 'api_key.created', object_id: row.id, data });
    return { id: row.id, row, key: generated.key };
  });
}

function parseRange(text: string): string {
  const range = normalizeIpRange(text);
  if (!range)
    throw new AppError('invalid_field', { message: createRefusal('not_a_range', { text }), param: 'ip_allow' });
  return range;
}

function mint(mode: Mode, type: 'secret' | 'restricted') {
  const { key, prefix, hash, last4 } = generateApiKey(mode, type);
  return { key, columns: { id: newId('api_key'), type, prefix, hash, last4 } };
}

/**
 * Creates a successor with the same name, scopes and IP allowlist. The old key works for 24 more
 * hours. Throws resource_missing, concurrent_edit when the key was already rotated, invalid_field,
 * api_key_revoked and api_key_expired.
 */
export async function rotateApiKey(
  scope: Scope,
  id: string,
): Promise<{ row: ApiKey; key: string; old_expires_at: Date }> {
  return inTransaction(scope, async () => {
    await lockMembership(scope);
    await lockTeam(scope);
    const old = await repository.findApiKey(scope, id);
    if (!old) throw missingKey(id);
    if (old.revoked_at) throw new AppError('api_key_revoked');
    const now = clock().now();
    if (getApiKeyState(old, now) === 'expired' && !old.successor_id) throw new AppError('api_key_expired');
    if (isApiKeyRotationLimitReached(await repository.listApiKeyRows(scope), now))
      throw new AppError('invalid_field', { message: createRefusal('rotated_keys_still_work'), param: 'id' });
    const old_expires_at = computeApiKeyRotationEnd(now, old.expires_at);
    const generated = mint(scope.mode, old.type === 'restricted' ? 'restricted' : 'secret');
    const { name, scopes, ip_allow } = old;
    const created_by = scope.actor.kind === 'user' ? scope.actor.id : old.created_by;
    const row = await repository.insertApiKey(scope, {
      ...generated.columns,
      name,
      scopes,
      ip_allow,
      created_by,
      // The successor expires when the old key would have, so that a rotation does not extend the
      // lifetime that the owner chose.
      expires_at: old.successor_id ? null : old.expires_at,
      created_at: now,
    });
    if (!(await repository.setApiKeySuccessor(scope, id, { successor_id: row.id, expires_at: old_expires_at }))) {
      throw new AppError('concurrent_edit', { message: createRefusal('key_was_rotated') });
    }
    const data = { name, successor_id: row.id };
    await recordAuditEntry(scope, { action: 'api_key.rotated', object_id: id, data });
    return { row, key: generated.key, old_expires_at };
  });
}

/**
 * Revokes a key. The revocation takes effect at once on every instance. A repeated call changes
 * nothing. Throws resource_missing.
 */
export async function revokeApiKey(scope: Scope, id: string): Promise<void> {
  await inTransaction(scope, async () => {
    const key = await repository.findApiKey(scope, id);
    if (!key) throw missingKey(id);
    if (await repository.updateApiKey(scope, id, { revoked_at: clock().now() })) {
      await recordAuditEntry(scope, { action: 'api_key.revoked', object_id: id, data: { name: key.name } });
    }
  });
}

export const listApiKeys = repository.listApiKeyRows;

const missingKey = (id: string) =>
  new AppError('resource_missing', { message: createRefusal('no_such_api_key', { id }) });

const FLUSH_AFTER_MS = 1_000;
const RETRY_AFTER_MS = 10_000;
/**
 * The maximum number of unwritten audit entries. The oldest are dropped, so that a database outage
 * cannot exhaust memory.
 */
const MAX_PENDING_AUDITS = 5_000;
let used = new Map<string, Date>();
let audits: NewAuditEntryRow[] = [];
let timer: NodeJS.Timeout | null = null;

/** Records that a request used the key. Adds an audit entry when the key was rotated. */
export function recordApiKeyUse(principal: ApiPrincipal, call: { method: string; path: string }): void {
  if (principal.key_id === null) return;
  used.set(principal.key_id, clock().now());
  if (principal.deprecated) {
    const { scope, key_id } = principal;
    const data = { method: call.method, path: call.path };
    audits.push(buildNewAuditEntryRow(scope, { action: 'api_key.deprecated_use', object_id: key_id, data }));
  }
  timer ??= setTimeout(() => void writeBufferedApiKeyUses(), FLUSH_AFTER_MS).unref();
}

/**
 * Writes the recorded uses, on a timer and at shutdown. After a failure, the next call writes them.
 */
export async function writeBufferedApiKeyUses(): Promise<void> {
  if (timer) clearTimeout(timer);
  timer = null;
  const batch = { used, audits };
  used = new Map();
  audits = [];
  try {
    await repository.recordApiKeyUses(batch.used);
    await writeAudits(batch.audits);
  } catch (error) {
    logger().error({ err: error }, 'the use of API keys could not be recorded yet');
    used = new Map([...batch.used, ...used]);
    audits = [...batch.audits, ...audits].slice(-MAX_PENDING_AUDITS);
    timer ??= setTimeout(() => void writeBufferedApiKeyUses(), RETRY_AFTER_MS).unref();
  }
}

async function writeAudits(rows: NewAuditEntryRow[]): Promise<void> {
  if (rows.length === 0) return;
  try {
    await writeCollectedAuditEntries(rows);
  } catch (error) {
    // A team was deleted, so its entries violate a foreign key. The rows are written one by one to
    // drop only those entries.
    if ((error as { code?: string }).code !== 'P2003') throw error;
    if (rows.length > 1) for (const row of rows) await writeAudits([row]);
  }
}

/**
 * Returns the calls made with a key in the 24 hours before its expiry, or before now when it has no
 * expiry. Throws resource_missing.
 */
export async function getApiKeyUsage(scope: Scope, id: string): Promise<ApiKeyUsage> {
  const key = await repository.findApiKey(scope, id);
  if (!key) throw missingKey(id);
  const until = key.expires_at ?? clock().now();
  const since = new Date(until.getTime() - API_KEY_ROTATION_GRACE_MS);
  const calls = await listApiKeyUsage(scope, id, since);
  return {
    since: since.toISOString(),
    total: calls.reduce((sum, call) => sum + call.count, 0),
    last_at: calls.map((call) => call.last_at).reduce<string | null>((a, b) => (a !== null && a > b ? a : b), null),
    calls,
  };
}
