/**
 * The browser tests. One server for all of them, started by e2e/support/global-setup.ts on a port
 * and a data directory that are chosen here, since every worker process reads this file and has to
 * agree.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/lib/browser.mjs';
import { freePort } from './src/testing/server';

process.env.E2E_PORT ??= String(await freePort());
process.env.DATA_DIR = process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'threshold-e2e-'));
// The operator's commands that tests run must reach that server and nothing of the machine's owner.
process.env.ENV_FILE = '';
delete process.env.DATABASE_URL;

/**
 * `npm test` runs the phone's specs and a smoke test of each journey of the desktop's,
 * `npm run test:all` all.
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
// Chromium refuses its own sandbox to root (containers, CI).
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
    // What is looked at must not be in the middle of a transition.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // A recording of every test costs processor time that two cores do not have.
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
