/**
 * Queries on API keys. Only `findApiKeyByPrefix` has no scope, because the scope comes from the
 * key.
 */
import { type ApiKey, Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { runPreparedQuery } from '@/infra/db/driver/prepared';
import { scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

/** The columns needed to authenticate a request. */
export type ApiKeyAuthenticationRow = Pick<
  ApiKey,
  | 'id'
  | 'team_id'
  | 'mode'
  | 'name'
  | 'type'
  | 'scopes'
  | 'ip_allow'
  | 'hash'
  | 'expires_at'
  | 'successor_id'
  | 'revoked_at'
> & { plan: string };

/** Finds a key by its prefix. Keys are not cached, so that a revocation takes effect at once. */
export async function findApiKeyByPrefix(prefix: string): Promise<ApiKeyAuthenticationRow | null> {
  const rows = await runPreparedQuery<ApiKeyAuthenticationRow>(Prisma.sql`
    SELECT k.id, k.team_id, k.mode, k.name, k.type, k.scopes, k.ip_allow, k.hash, k.expires_at,
      k.successor_id, k.revoked_at, t.plan
    FROM api_keys k JOIN teams t ON t.id = k.team_id WHERE k.prefix = ${prefix}`);
  return rows[0] ?? null;
}

export function listApiKeyRows(scope: Scope): Promise<ApiKey[]> {
  return scopedDb(scope).apiKey.findMany({ orderBy: [{ created_at: 'desc' }, { id: 'desc' }] });
}

export function findApiKey(scope: Scope, id: string): Promise<ApiKey | null> {
  return scopedDb(scope).apiKey.findFirst({ where: { id } });
}

export function insertApiKey(
  scope: Scope,
  data: Omit<Prisma.ApiKeyUncheckedCreateInput, 'team_id' | 'mode'>,
): Promise<ApiKey> {
  return scopedDb(scope).apiKey.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/** Updates a key unless it is revoked. Returns whether the row was updated. */
export async function updateApiKey(
  scope: Scope,
  id: string,
  data: Prisma.ApiKeyUncheckedUpdateManyInput,
): Promise<boolean> {
  return (await scopedDb(scope).apiKey.updateMany({ where: { id, revoked_at: null }, data })).count === 1;
}

/** Sets a key's successor. Returns false when the key already has one. */
export async function setApiKeySuccessor(
  scope: Scope,
  id: string,
  data: { successor_id: string; expires_at: Date },
): Promise<boolean> {
  return (
    (await scopedDb(scope).apiKey.updateMany({ where: { id, revoked_at: null, successor_id: null }, data })).count === 1
  );
}

/** Stores the last time at which each key was used. */
export async function recordApiKeyUses(used: ReadonlyMap<string, Date>): Promise<void> {
  for (const [id, at] of used) {
    await systemDb().apiKey.updateMany({
      where: { id, OR: [{ last_used_at: null }, { last_used_at: { lt: at } }] },
      data: { last_used_at: at },
    });
  }
}
