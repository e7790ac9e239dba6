/**
 * `npx tsx stress/bench/lighthouse.ts [--runs=3] [path …]`: runs Lighthouse with the desktop
 * profile on the documentation, and on the dashboard's Home and list of reservations, signed in
 * with a host's data. Prints medians of the runs. Needs the build (`npm run build`), a Chromium,
 * and a registry from which Lighthouse is fetched once, because it is larger than the product.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { createApiClient } from '../../e2e/support/api-client';
import { installNpmPackages } from '../../e2e/support/npm-packages';
import { findBrowser } from '../../scripts/lib/browser.mjs';
import { findFreePort, startTestServer, type TestServer } from '../../src/testing/server';
import { computeMinMedianAndMax } from './lib/measure';
import { readNumberOption } from './lib/options';

const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };
const PROPERTIES = 7;
const RESERVATIONS = 120;
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const TARGETS = [
  { path: '/', performance: 0.9 },
  { path: '/reservations', performance: 0.9 },
  { path: '/docs', performance: 0.95, accessibility: 1, 'best-practices': 1 },
];

interface Report {
  finalDisplayedUrl: string;
  categories: Record<(typeof CATEGORIES)[number], { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; displayValue?: string; details?: { items?: Item[] } }>;
}

interface Item {
  /** An element that shifted. `score` is the size of the shift. */
  node?: { selector: string };
  score?: number;
  /** The script of a long task, and the task's duration in milliseconds. */
  url?: string;
  duration?: number;
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Creates the data of a host with seven properties. */
async function fill(server: TestServer): Promise<void> {
  const { team } = await server.createTeam({ name: 'Harbour Stays', ...OWNER });
  const { key } = await server.admin<{ key: string }>('key', 'create', '--team', team.id, '--mode', 'live');
  const api = createApiClient(server.url, key);
  const properties: string[] = [];
  for (let number = 1; number <= PROPERTIES; number++) {
    const property = await api.post('/properties', { name: `Harbour Loft ${number}`, timezone: 'Europe/Lisbon' });
    await api.patch(`/properties/${property.id}/packet`, { rules: [{ text: 'No smoking indoors.' }] });
    properties.push(property.id);
  }
  for (let number = 0; number < RESERVATIONS; number++) {
    const { id } = await api.post('/reservations', {
      property_id: properties[number % PROPERTIES],
      guest_name: `Guest Number ${number}`,
      guest_email: `guest${number}@example.com`,
      checkin_date: day(number % 40),
      checkout_date: day((number % 40) + 3),
    });
    if (number % 3) await api.post(`/reservations/${id}/send`);
  }
}

/**
 * Returns a report. Repeats the run if its trace lacks the page's start, which sometimes happens.
 */
async function report(cli: string, port: number, url: string, attempts = 3): Promise<Report> {
  try {
    return await reportOnce(cli, port, url);
  } catch (error) {
    if (attempts <= 1) throw error;
    return report(cli, port, url, attempts - 1);
  }
}

async function reportOnce(cli: string, port: number, url: string): Promise<Report> {
  const args = [
    ...[cli, url, `--port=${port}`, '--preset=desktop', '--disable-storage-reset', '--quiet'],
    ...['--output=json', '--output-path=stdout', `--only-categories=${CATEGORIES.join()}`],
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 100_000_000 }).catch(({ stderr }) =>
    Promise.reject(new Error(`${url}: ${stderr}`)),
  );
  const read = JSON.parse(stdout) as Report;
  if (read.finalDisplayedUrl !== url) throw new Error(`${url} became ${read.finalDisplayedUrl}.`);
  return read;
}

/** Returns the audits that lower the score, worst first. */
function wanting(read: Report): string[] {
  const weighed = CATEGORIES.flatMap((name) => read.categories[name].auditRefs)
    .map(({ id, weight }) => ({ id, weight, ...read.audits[id] }))
    .filter(({ score, weight }) => typeof score === 'number' && score < 0.9 && weight > 0);
  const hints = Object.entries(read.audits)
    .filter(([id, { score }]) => /-insight$|unused|render-blocking|bootup/.test(id) && score !== null && score < 0.9)
    .map(([id, audit]) => ({ id, ...audit }));
  return [...weighed, ...hints].map(({ id, displayValue }) => `${id}${displayValue ? ` (${displayValue})` : ''}`);
}

/** Returns the shifted elements and the scripts that ran long. */
function causes({ audits }: Report): string[] {
  const moved = audits['layout-shifts']?.details?.items ?? [];
  const long = audits['long-tasks']?.details?.items ?? [];
  return [
    ...moved.map(({ node, score }) => `moved by ${score?.toFixed(3)}: ${node?.selector ?? 'unknown'}`),
    ...long.map(({ url, duration }) => `${duration?.toFixed(0)} ms without an answer: ${url}`),
  ];
}

async function main(): Promise<number> {
  const runs = readNumberOption('runs', 3);
  const only = process.argv.slice(2).filter((arg) => arg.startsWith('/'));
  const { missing, file } = await installNpmPackages('lighthouse', { lighthouse: '13.5.0' });
  if (missing) throw new Error(`Lighthouse could not be fetched: ${missing}`);
  const server = await startTestServer({ with_pages: true, built: true });
  const profile = await mkdtemp(join(tmpdir(), 'threshold-lighthouse-'));
  let failed = 0;
  try {
    await fill(server);
    const port = await findFreePort();
    // Lighthouse opens its tab in the browser's default profile, so the profile must be signed in.
    const browser = await chromium.launchPersistentContext(profile, {
      executablePath: findBrowser() ?? undefined,
      args: ['--no-sandbox', `--remote-debugging-port=${port}`],
    });
    const page = await browser.newPage();
    await page.goto(`${server.url}/sign-in`);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await page.close();
    for (const { path, ...targets } of TARGETS.filter((each) => only.length === 0 || only.includes(each.path))) {
      const reports: Report[] = [];
      for (let run = 0; run < runs; run++)
        reports.push(await report(file('lighthouse/cli/index.js'), port, server.url + path));
      console.log(`\n${path}`);
      for (const name of CATEGORIES) {
        const { min, median, max } = computeMinMedianAndMax(reports.map(({ categories }) => categories[name].score));
        const target = (targets as Partial<Record<string, number>>)[name];
        const verdict =
          target === undefined ? '' : median >= target ? ', reached' : `, target ${target * 100}: NOT reached`;
        if (target !== undefined && median < target) failed += 1;
        const points = [median, min, max].map((score) => Math.round(score * 100));
        console.log(`  ${name.padEnd(15)} ${points[0]} (${points[1]} to ${points[2]})${verdict}`);
      }
      const shown = [
        'first-contentful-paint',
        'largest-contentful-paint',
        'total-blocking-time',
        'cumulative-layout-shift',
      ];
      const last = reports.at(-1) as Report;
      console.log(`  ${shown.map((id) => `${id} ${last.audits[id]?.displayValue}`).join(', ')}`);
      console.log(`  wanting: ${wanting(last).join(', ') || 'nothing'}`);
      for (const cause of causes(last)) console.log(`    ${cause}`);
    }
    await browser.close();
  } finally {
    await server.stop();
    await rm(profile, { recursive: true, force: true });
  }
  return failed;
}

process.exitCode = (await main()) > 0 ? 1 : 0;
