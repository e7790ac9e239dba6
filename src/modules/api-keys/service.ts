/** API keys: authenticating a request, and managing keys (specification, "Authentication"; DESIGN "Scopes"). */

import type { ApiKey } from '@/generated/prisma/client';
import { lockTeam } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { logger } from '@/infra/logger';
import { holdMembership } from '@/modules/accounts/held-membership';
import { type AuditRow, auditRow, recordAudit, writeAuditRows } from '@/modules/audit-log/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { isAllowedByList, normalizeRange } from '@/shared/ip';
import { refusal } from '@/shared/refusals/refusal';
import type { Mode, Scope } from '@/shared/scope';
import * as repository from './repository';
import {
  generateKey,
  isKeyLimitReached,
  isRotationLimitReached,
  judgeKey,
  keyState,
  readAuthorization,
  rotationEnd,
} from './rules';
import { type GrantedScopes, grantedScopes, isScope } from './scopes';

/** Who calls, once a key was accepted. */
export interface ApiPrincipal {
  readonly key_id: string;
  readonly scope: Scope;
  readonly scopes: GrantedScopes;
  readonly plan: string;
  /** The key was rotated and is in its last 24 hours. */
  readonly deprecated: boolean;
}

/** Whose key a request carries, accepted or not: to whom its entry in the request log belongs. */
export type KeyOwner = Pick<ApiPrincipal, 'key_id' | 'scope'>;

/** What was said of these, the key's own text was right: its owner should see that someone still uses it. */
const PROVEN: ReadonlySet<string> = new Set(['api_key_revoked', 'api_key_expired', 'api_key_wrong_environment']);

/**
 * Accepts or refuses a request's key. `identified` hears whose it is as soon as that is proven, also when the key is
 * then refused. Throws the api_key_* errors and ip_not_allowed.
 */
export async function authenticate(
  header: string | undefined,
  ip: string | null,
  identified: (owner: KeyOwner) => void = () => {},
): Promise<ApiPrincipal> {
  const given = readAuthorization(header);
  if (given.kind === 'missing') throw new AppError('api_key_missing');
  if (given.kind === 'malformed') throw new AppError('api_key_malformed');
  const row = await repository.findByPrefix(given.key.prefix);
  const verdict = judgeKey(given.key, row, clock().now());
  if (!row) throw new AppError('api_key_invalid');
  const owner: KeyOwner = {
    key_id: row.id,
    scope: { team_id: row.team_id, mode: row.mode, actor: { kind: 'api_key', id: row.id, name: row.name }, ip },
  };
  if (verdict.ok || PROVEN.has(verdict.code)) identified(owner);
  if (!verdict.ok) throw new AppError(verdict.code);
  if (!isAllowedByList(ip, row.ip_allow)) throw new AppError('ip_not_allowed');
  return { ...owner, scopes: grantedScopes(row), plan: row.plan, deprecated: verdict.deprecated };
}

export interface KeyInput {
  name: string;
  /** Null or absent: a secret key with full access. A list: a restricted key, which needs at least one. */
  scopes?: readonly string[] | null;
  ip_allow?: readonly string[];
  created_by?: string | null;
  /** Null or absent: the key has no end. */
  expires_at?: Date | null;
}

/** The key's row and the key itself, which is never shown again. Throws invalid_field; key_limit is invalid_field with param `mode`. */
export async function createKey(scope: Scope, input: KeyInput): Promise<{ id: string; row: ApiKey; key: string }> {
  const restricted = input.scopes !== undefined && input.scopes !== null;
  const scopes = [...new Set(input.scopes ?? [])];
  if (restricted && scopes.length === 0) {
    throw new AppError('missing_required_field', {
      message: refusal('key_needs_a_scope'),
      param: 'scopes',
    });
  }
  const unknown = scopes.find((name) => !isScope(name));
  if (unknown)
    throw new AppError('invalid_field', { message: refusal('not_a_scope', { scope: unknown }), param: 'scopes' });
  const ip_allow = (input.ip_allow ?? []).map(parseRange);
  return inTransaction(scope, async () => {
    await holdMembership(scope);
    await lockTeam(scope);
    const keys = await repository.listKeys(scope);
    if (isKeyLimitReached(keys, clock().now())) {
      throw new AppError('invalid_field', {
        message: refusal('at_most_three_keys'),
        param: 'mode',
      });
    }
    const made = mint(scope.mode, restricted ? 'restricted' : 'secret');
    const row = await repository.insertKey(scope, {
      ...made.columns,
      name: input.name,
      scopes,
      ip_allow,
      created_by: input.created_by ?? null,
      expires_at: input.expires_at ?? null,
      created_at: clock().now(),
    });
    const data = { name: row.name, scopes, ip_allow };
    await recordAudit(scope, { action: 'api_key.created', object_id: row.id, data });
    return { id: row.id, row, key: made.key };
  });
}

function parseRange(text: string): string {
  const range = normalizeRange(text);
  if (!range) throw new AppError('invalid_field', { message: refusal('not_a_range', { text }), param: 'ip_allow' });
  return range;
}

function mint(mode: Mode, type: 'secret' | 'restricted') {
  const { key, prefix, hash, last4 } = generateKey(mode, type);
  return { key, columns: { id: newId('api_key'), type, prefix, hash, last4 } };
}

/**
 * Mints a successor with the same name, scopes and allowlist; the old key works for 24 hours more.
 * Throws resource_missing, concurrent_edit (it was rotated already), invalid_field, api_key_revoked and
 * api_key_expired.
 */
export async function rotateKey(scope: Scope, id: string): Promise<{ row: ApiKey; key: string; old_expires_at: Date }> {
  return inTransaction(scope, async () => {
    await holdMembership(scope);
    await lockTeam(scope);
    const old = await repository.findKey(scope, id);
    if (!old) throw missingKey(id);
    if (old.revoked_at) throw new AppError('api_key_revoked');
    const now = clock().now();
    if (keyState(old, now) === 'expired' && !old.successor_id) throw new AppError('api_key_expired');
    if (isRotationLimitReached(await repository.listKeys(scope), now))
      throw new AppError('invalid_field', { message: refusal('rotated_keys_still_work'), param: 'id' });
    const old_expires_at = rotationEnd(now, old.expires_at);
    const made = mint(scope.mode, old.type === 'restricted' ? 'restricted' : 'secret');
    const { name, scopes, ip_allow } = old;
    const created_by = scope.actor.kind === 'user' ? scope.actor.id : old.created_by;
    const row = await repository.insertKey(scope, {
      ...made.columns,
      name,
      scopes,
      ip_allow,
      created_by,
      // A rotation changes the text of a key, not until when the owner allowed it.
      expires_at: old.successor_id ? null : old.expires_at,
      created_at: now,
    });
    if (!(await repository.succeedKey(scope, id, { successor_id: row.id, expires_at: old_expires_at }))) {
      throw new AppError('concurrent_edit', { message: refusal('key_was_rotated') });
    }
    const data = { name, successor_id: row.id };
    await recordAudit(scope, { action: 'api_key.rotated', object_id: id, data });
    return { row, key: made.key, old_expires_at };
  });
}

/** Effective with the next request on every instance. Throws resource_missing; revoking again changes nothing. */
export async function revokeKey(scope: Scope, id: string): Promise<void> {
  await inTransaction(scope, async () => {
    const key = await repository.findKey(scope, id);
    if (!key) throw missingKey(id);
    if (await repository.updateKey(scope, id, { revoked_at: clock().now() })) {
      await recordAudit(scope, { action: 'api_key.revoked', object_id: id, data: { name: key.name } });
    }
  });
}

export function listKeys(scope: Scope) {
  return repository.listKeys(scope);
}

const missingKey = (id: string) => new AppError('resource_missing', { message: refusal('no_such_api_key', { id }) });

const FLUSH_AFTER_MS = 1_000;
const TRY_AGAIN_AFTER_MS = 10_000;
/** Beyond this the oldest audit entries are dropped: a database that is down must not fill the memory. */
const KEPT_AT_MOST = 5_000;
let used = new Map<string, Date>();
let audits: AuditRow[] = [];
let timer: NodeJS.Timeout | null = null;

/** Notes that a key was used; a rotated one leaves an audit event per call. Written behind the request. */
export function noteKeyUse(principal: ApiPrincipal, call: { method: string; path: string }): void {
  used.set(principal.key_id, clock().now());
  if (principal.deprecated) {
    const { scope, key_id } = principal;
    const data = { method: call.method, path: call.path };
    audits.push(auditRow(scope, { action: 'api_key.deprecated_use', object_id: key_id, data }));
  }
  timer ??= setTimeout(() => void flushKeyUse(), FLUSH_AFTER_MS).unref();
}

/** Writes what has gathered; called by the timer and at shutdown. What cannot be written is kept for the next time. */
export async function flushKeyUse(): Promise<void> {
  if (timer) clearTimeout(timer);
  timer = null;
  const batch = { used, audits };
  used = new Map();
  audits = [];
  try {
    await repository.recordUse(batch.used);
    await writeAudits(batch.audits);
  } catch (error) {
    logger().error({ err: error }, 'the use of API keys could not be recorded yet');
    used = new Map([...batch.used, ...used]);
    audits = [...batch.audits, ...audits].slice(-KEPT_AT_MOST);
    timer ??= setTimeout(() => void flushKeyUse(), TRY_AGAIN_AFTER_MS).unref();
  }
}

async function writeAudits(rows: AuditRow[]): Promise<void> {
  if (rows.length === 0) return;
  try {
    await writeAuditRows(rows);
  } catch (error) {
    // A team was deleted since: its own entries went with it, and keep no other's from being written.
    if ((error as { code?: string }).code !== 'P2003') throw error;
    if (rows.length > 1) for (const row of rows) await writeAudits([row]);
  }
}
