/** Tests the three kinds of health information: alive, able to serve, and warnings. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { toAppError } from '@/api/trpc/error-translation';
import { systemDb } from '@/infra/db/client';
import { setDurableRunsStoppedReason } from '@/infra/durable-runs';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { checkReadiness } from './readiness';

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
afterEach(() => setDurableRunsStoppedReason(null));

it('stalled durable work is a warning, and the process stays ready', async () => {
  setDurableRunsStoppedReason('The Inngest server is away.');
  expect(await checkReadiness()).toMatchObject({
    ready: true,
    problems: [],
    warnings: expect.arrayContaining(['The Inngest server is away.']),
  });
});

it('a stopping process, or a database without this version’s migrations, is not ready', async () => {
  expect(await checkReadiness(true)).toMatchObject({ ready: false, problems: ['The process is stopping.'] });
  const [newest] = await systemDb().$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 1`;
  const rename = (from: string, to: string) =>
    systemDb().$executeRaw`UPDATE _prisma_migrations SET migration_name = ${to} WHERE migration_name = ${from}`;
  await rename(newest!.name, '20000101000000_older');
  const { ready, problems } = await checkReadiness();
  await rename('20000101000000_older', newest!.name);
  expect(ready).toBe(false);
  expect(problems[0]).toContain(newest!.name);
  expect(await checkReadiness()).toMatchObject({ ready: true, problems: [] });
});

it('a transaction that exceeds its time limit returns 503 with Retry-After', async () => {
  const late = await systemDb()
    .$transaction(
      async (tx) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        await tx.$queryRaw`SELECT 1`;
      },
      { timeout: 100 },
    )
    .catch((error: unknown) => error);
  for (const error of [late, new Error('Transaction is closed')])
    expect(toAppError(error)).toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
});

it.each([
  ['PostgreSQL’s error code', { code: 'P2010', meta: { driverAdapterError: { cause: { originalCode: '53100' } } } }],
  [
    'the operating system’s error code',
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
  ],
  ['the error message', new Error('could not extend file "base/5/16384": No space left on device')],
])('a full disk, detected by %s, is named in the response to a write and in /readyz', async (_what, error) => {
  expect(toAppError(error)).toMatchObject({
    code: 'service_unavailable',
    message: expect.stringContaining('disk is full'),
    retryAfter: 30,
  });
  expect(await checkReadiness()).toMatchObject({ ready: true, warnings: [expect.stringContaining('disk is full')] });
});
