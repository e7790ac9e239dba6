/** Tests that the use of API keys is recorded after the requests. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { type ApiPrincipal, createApiKey, recordApiKeyUse, writeBufferedApiKeyUses } from './service';

let scope: Scope;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam();
});

/** Simulates a call with a rotated key. */
async function call(path: string, owner = scope): Promise<string> {
  const { id, row } = await createApiKey(owner, { name: 'Old' });
  const caller = { ...owner, actor: { kind: 'api_key', id, name: row.name } } as Scope;
  const principal = { key_id: id, scope: caller, scopes: 'all', plan: 'pro', deprecated: true } as unknown;
  recordApiKeyUse(principal as ApiPrincipal, { method: 'GET', path });
  return id;
}
const used = async (id: string) => (await systemDb().apiKey.findUniqueOrThrow({ where: { id } })).last_used_at;
const calls = async () =>
  (await systemDb().auditLog.findMany({ where: { action: 'api_key.deprecated_use' }, orderBy: { id: 'asc' } })).map(
    ({ data }) => (data as { path: string }).path,
  );
const rename = (from: string, to: string) => systemDb().$executeRawUnsafe(`ALTER TABLE ${from} RENAME TO ${to}`);

it.each(['api_keys', 'audit_logs'])(
  'the use of a key is retained while %s cannot be written, and stored later',
  async (table) => {
    const id = await call('/v1/me');
    await rename(table, 'away');
    try {
      await writeBufferedApiKeyUses();
      await writeBufferedApiKeyUses();
    } finally {
      await rename('away', table);
    }
    const other = await call('/v1/properties');
    await writeBufferedApiKeyUses();
    await writeBufferedApiKeyUses();
    expect(await used(id)).not.toBeNull();
    expect(await used(other)).not.toBeNull();
    expect(await calls()).toEqual(['/v1/me', '/v1/properties']);
  },
);

it('the use of a key of a deleted team does not block other teams’ entries', async () => {
  const gone = await insertTeam('live', 'gone@example.com');
  await call('/v1/gone', gone);
  const id = await call('/v1/me');
  await systemDb().team.delete({ where: { id: gone.team_id } });
  await writeBufferedApiKeyUses();
  expect(await calls()).toEqual(['/v1/me']);
  expect(await used(id)).not.toBeNull();
});
