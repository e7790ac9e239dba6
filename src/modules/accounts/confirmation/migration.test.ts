/** The migration sign_in_rules on a database with sessions, pictures and second identities. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { expect, it } from 'vitest';
import { embeddedAdapter } from '@/infra/db/driver/embedded-adapter';
import { applyMigrations, listMigrations } from '@/infra/db/opening/migrations';
import { hashToken } from '@/infra/encryption';

const FOLDER = join(process.cwd(), 'prisma/migrations');

it('hashes tokens, removes second identities with the sessions of their accounts, and counts them', {
  timeout: 240_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'threshold-migrations-'));
  const database = new PGlite();
  const notices: string[] = [];
  const migrateTo = async (last: string) => {
    for (const name of (await listMigrations(FOLDER)).filter((one) => one <= last))
      await cp(join(FOLDER, name), join(folder, name), { recursive: true });
    await applyMigrations(await embeddedAdapter(database, ({ message }) => notices.push(message ?? '')), folder);
  };
  const names = await listMigrations(FOLDER);
  const at = names.findIndex((name) => name.endsWith('_sign_in_rules'));
  await migrateTo(names[at - 1] as string);
  await database.exec(`
    INSERT INTO users (id, name, email, image, updated_at) VALUES
      ('u1', 'U', 'u1@example.com', 'javascript:alert(1)', now()), ('u2', 'U', 'u2@example.com', NULL, now());
    INSERT INTO accounts (id, account_id, provider_id, user_id, created_at, updated_at) VALUES
      ('a1', 'u1', 'credential', 'u1', now(), now()), ('a2', 'sub-1', 'oidc', 'u1', '2026-01-01', now()),
      ('a3', 'sub-2', 'oidc', 'u1', '2026-02-01', now()), ('a4', 'sub-3', 'oidc', 'u2', now(), now());
    INSERT INTO sessions (id, token, expires_at, user_id, updated_at) VALUES
      ('s1', 'token-1', now(), 'u1', now()), ('s2', 'token-2', now(), 'u2', now());`);
  await migrateTo(names[at] as string);
  const rows = async (sql: string) => (await database.query(sql)).rows;
  expect(await rows('SELECT id, token FROM sessions')).toEqual([{ id: 's2', token: hashToken('token-2') }]);
  expect(await rows('SELECT id FROM accounts ORDER BY id')).toEqual([{ id: 'a1' }, { id: 'a2' }, { id: 'a4' }]);
  expect(await rows('SELECT image FROM users')).toEqual([{ image: null }, { image: null }]);
  expect(notices.join()).toContain('1 second identities at a provider were removed');
  await database.close();
  await rm(folder, { recursive: true, force: true });
});
