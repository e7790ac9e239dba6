import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateExternalDatabase } from './external-migrations';
import { listMigrations } from './migrations';

const server = process.env.TEST_DATABASE_URL ?? '';
const name = `threshold_migrate_${randomBytes(6).toString('hex')}`;
const folder = join(process.cwd(), 'prisma/migrations');

async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(sql);
  await client.end();
}

describe.skipIf(!server)(
  `migrating an external PostgreSQL${server ? '' : ' (skipped: needs TEST_DATABASE_URL)'}`,
  () => {
    beforeAll(() => onServer(`CREATE DATABASE ${name}`));
    afterAll(() => onServer(`DROP DATABASE ${name}`));

    it('runs in one of several instances that start together, while the others wait', {
      timeout: 180_000,
    }, async () => {
      const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
      const applied = await Promise.all([1, 2, 3].map(() => migrateExternalDatabase(url, folder)));
      expect(applied.filter((names) => names.length > 0)).toEqual([await listMigrations(folder)]);
      expect(await migrateExternalDatabase(url, folder)).toEqual([]);
      // All connections must be closed, because otherwise afterAll cannot drop the database.
    });
  },
);
