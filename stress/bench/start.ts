/**
 * `npx tsx stress/bench/start.ts [--external] [--rounds=3] [--idle=45] [--variant="NAME=value …"]`:
 * starts the built server on an existing data folder, like `npm start`. Measures the seconds to the
 * first 200 of `/readyz`, and the resident memory after the idle seconds. With `--variant`, every
 * other run has these environment variables, for comparison. Needs the build (`npm run build`).
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../src/testing/server';
import { computeMinMedianAndMax } from './lib/measure';
import { readNumberOption, readTextOption } from './lib/options';
import { startOrConnectBenchPostgres } from './lib/postgres';

interface Started {
  ready_s: number;
  resident_mb: number;
}

/** Returns the resident memory in megabytes, which only Linux reports. */
function residentMb(pid: number | undefined): number {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
}

async function start(environment: Record<string, string>, idle_s: number): Promise<Started> {
  const port = await findFreePort();
  const began = performance.now();
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      ENV_FILE: '',
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...environment,
    } as NodeJS.ProcessEnv,
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  try {
    while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok) {
      if (child.exitCode !== null) throw new Error('The server ended at once.');
      await sleep(25);
    }
    const ready_s = (performance.now() - began) / 1_000;
    await sleep(idle_s * 1_000);
    return { ready_s, resident_mb: residentMb(child.pid) };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function main(): Promise<void> {
  const rounds = readNumberOption('rounds', 3);
  const idle_s = readNumberOption('idle', 45);
  const data_dir = await mkdtemp(join(tmpdir(), 'threshold-bench-'));
  const database = process.argv.includes('--external') ? await startOrConnectBenchPostgres() : null;
  const common: Record<string, string> = {
    DATA_DIR: data_dir,
    ...(database && { DATABASE_URL: database.url, APP_SECRET: randomBytes(32).toString('base64url') }),
  };
  const variant = readTextOption('variant')
    ?.split(' ')
    .map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]);
  const variants = [
    { name: 'as it is', environment: common },
    ...(variant
      ? [{ name: readTextOption('variant') ?? '', environment: { ...common, ...Object.fromEntries(variant) } }]
      : []),
  ].map((variant) => ({ ...variant, starts: [] as Started[] }));
  try {
    // The first start creates the database and is not measured.
    await start(common, 1);
    for (let round = 0; round < rounds; round++)
      for (const { environment, starts } of variants) starts.push(await start(environment, idle_s));
  } finally {
    await database?.stop();
    await rm(data_dir, { recursive: true, force: true });
  }
  for (const { name, starts } of variants) {
    const ready = computeMinMedianAndMax(starts.map(({ ready_s }) => ready_s));
    const resident = computeMinMedianAndMax(starts.map(({ resident_mb }) => resident_mb));
    console.log(
      `${database ? 'external' : 'embedded'}, ${name}: ready after ${ready.median.toFixed(1)} s (${ready.min.toFixed(1)} to ${ready.max.toFixed(1)}), resident ${resident.median.toFixed(0)} MB (${resident.min.toFixed(0)} to ${resident.max.toFixed(0)})`,
    );
  }
}

await main();
