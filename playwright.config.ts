/**
 * Configures the browser tests. They share one server, which e2e/support/global-setup.ts starts.
 * Its port and data directory are chosen here and passed on in the environment, because every
 * worker process reads this file.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/lib/browser.mjs';
import { findFreePort } from './src/testing/server';

process.env.E2E_PORT ??= String(await findFreePort());
process.env.DATA_DIR = process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'threshold-e2e-'));
// The operator's commands in tests must reach the test server, and must not read the developer's
// own configuration.
process.env.ENV_FILE = '';
delete process.env.DATABASE_URL;

/**
 * `npm test` runs the phone specs, and the desktop tests with the tag `@smoke`. `npm run test:all`
 * runs all browser tests.
 */
const part = process.env.TEST_PART;
const SMOKE = /@smoke/;

const executablePath = findBrowser() ?? undefined;
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
// As root, as in containers and CI, Chromium cannot use its sandbox.
const args = process.getuid?.() === 0 ? ['--no-sandbox', ...quiet] : quiet;

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: 'test-results',
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: process.env.CI ? 'list' : 'line',
  use: {
    baseURL: `http://localhost:${process.env.E2E_PORT}`,
    launchOptions: { executablePath, args },
    locale: 'en-GB',
    timezoneId: 'Europe/Lisbon',
    // Screenshots must not show unfinished transitions.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Recording every test would slow down a machine with two cores.
    trace: 'on-first-retry',
  },
  projects: [
    {
      name: 'desktop',
      testMatch: 'dashboard/**/*.spec.ts',
      grep: part === 'sample' ? SMOKE : undefined,
      grepInvert: part === 'rest' ? SMOKE : undefined,
      use: { viewport: { width: 1280, height: 800 } },
    },
    {
      name: 'phone',
      testMatch: part === 'rest' ? [] : ['guest/**/*.spec.ts', 'journeys/**/*.spec.ts'],
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
  ],
});
