import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { systemDb } from '../client';
import { assertAppSecretUnchanged } from './secret-check';

const [OURS, ANOTHER] = ['the-secret-of-this-database-0123456789', 'another-secret-of-the-same-length-0123'];
const REFUSED = /^APP_SECRET: has to be the one that this database was made with/;

beforeAll(async () => {
  await openTestDatabase();
});
afterAll(closeTestDatabase);
beforeEach(async () => {
  await systemDb().installationKey.deleteMany();
  setConfig({ app_secret: OURS });
});

it('the master secret is recorded at the first start, and a different one is rejected afterwards', async () => {
  await Promise.all([assertAppSecretUnchanged(), assertAppSecretUnchanged()]);
  await assertAppSecretUnchanged();
  setConfig({ app_secret: ANOTHER });
  await expect(assertAppSecretUnchanged()).rejects.toThrow(REFUSED);
  const rows = await systemDb().installationKey.findMany();
  expect(JSON.stringify(rows)).not.toContain(OURS);
});
