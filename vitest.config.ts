import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'inngest/**/*.test.ts', 'e2e/{api,chaos,mail}/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    setupFiles: ['src/testing/setup.ts'],
    // Generous: the tests run beside a database, a browser and whatever else the machine does.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    retry: process.env.CI ? 1 : 0,
    // Two cores: a process each. Its files share the modules and the in-memory PostgreSQL (src/testing/setup.ts and
    // database.ts): loading and warming them up for each file took more time than the tests.
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
  },
});
