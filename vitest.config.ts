import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest. They start first, because a core would be idle at the end if they
 * started last. Vitest cannot recognise them by their size.
 */
const LONGEST = [
  'stress/chaos/chaos.test.ts',
  'src/operator/backup/backup.test.ts',
  'src/operator/backup/backup-copy.test.ts',
  'src/infra/db/driver/pglite.test.ts',
  'inngest/durable.test.ts',
  'e2e/image/image.test.ts',
  'e2e/mail/provider-http.test.ts',
  'src/testing/linear-time/linear-readers.test.ts',
  'src/testing/linear-time/regular-expressions.test.ts',
];

const FILES = [
  'src/**/*.test.{ts,tsx}',
  'inngest/**/*.test.ts',
  'e2e/{api,client,image,mail,secrets}/**/*.test.ts',
  'stress/**/*.test.ts',
];

/** Tests that need the embedded database. */
const EMBEDDED = [
  'src/operator/backup/*.test.ts',
  'src/operator/storage-move.test.ts',
  'src/infra/db/opening/migrations.test.ts',
  'src/infra/db/driver/{embedded-adapter,pglite,yielding}.test.ts',
  'inngest/engine/prisma-db.test.ts',
];

/**
 * Tests that `npm run test:all` runs on both databases, because they depend on the database engine.
 * Browser tests use the embedded database.
 */
const ALSO_EMBEDDED = [
  'src/infra/db/**/*.test.ts',
  'inngest/durable.test.ts',
  'e2e/api/queries.test.ts',
  'e2e/api/conformance/*.test.ts',
  'src/operator/engine-runs/runs.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  resolve: {
    alias: {
      '@threshold/client': fileURLToPath(new URL('./packages/client/src/index.ts', import.meta.url)),
      '@': fileURLToPath(new URL('./src', import.meta.url)),
    },
  },
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    globalSetup: ['src/testing/global-setup.ts'],
    setupFiles: ['src/testing/setup.ts'],
    // Generous, because the tests run at the same time as a database, a browser and other work on
    // the machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // Three workers for two cores, because many tests wait for a clock or a socket.
    maxWorkers: 3,
    // Concurrent tests wait for connections that the server closes after a second.
    maxConcurrency: 16,
    tags: [
      {
        name: 'exhaustive',
        description:
          'Repeats other tests at a greater cost, builds an image or installs programs; `npm run test:all` alone.',
      },
      { name: 'matrix', description: 'Generated cases: a sample in `npm test`, all in `npm run test:all`.' },
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared process',
          include: FILES,
          exclude: EMBEDDED,
          // A process for each core. The files that run in it share loaded modules
          // (src/testing/setup.ts), because loading and warming them up for each file would take
          // more time than the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded database',
          include: EMBEDDED,
          isolate: false,
          env: { TEST_DATABASE_URL: '' },
        },
      },
      {
        extends: true,
        test: {
          name: 'both databases',
          include: ALSO_EMBEDDED,
          exclude: [...EMBEDDED, 'src/infra/db/opening/connection-problems.test.ts'],
          isolate: false,
          env: { TEST_DATABASE_URL: '' },
        },
      },
    ],
  },
});
