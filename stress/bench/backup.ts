/**
 * `tsx stress/bench/backup.ts [--external] [megabytes …]`: measures time and memory of a backup,
 * its check and its restore. Each step runs in its own process with a small JavaScript heap
 * (HEAP_MB, default 128), to show that memory use does not grow with the data. The step `idle` only
 * opens the embedded database, to show how much memory the database itself uses. The data are
 * incompressible rows of 350 KB, like photos. `--external` also restores into a PostgreSQL server
 * and backs that up.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setConfig } from '@/config';
import { startOrConnectBenchPostgres } from './lib/postgres';

const ROW_BYTES = 350_000;
const HEAP_MB = process.env.HEAP_MB ?? '128';

const STEPS: Record<string, (folder: string, megabytes: number) => Promise<unknown>> = {
  fill: async (folder, megabytes) => {
    setConfig({ data_dir: folder });
    const { openDatabase } = await import('@/infra/db/open');
    const { database } = await openDatabase();
    await database.pglite?.query(
      `insert into mail_messages (id, template, "to", "from", subject, content, status, due_at, created_at)
       select 'mail_' || n, 't', 'a@example.com', 'b@example.com', 's', $1, 'sent', now(), now()
       from generate_series(1, $2::int) n`,
      [randomBytes(ROW_BYTES), Math.ceil((megabytes * 1e6) / ROW_BYTES)],
    );
    await database.close();
  },
  idle: async (folder) => {
    setConfig({ data_dir: folder });
    const { openDatabase } = await import('@/infra/db/open');
    await (await openDatabase({ patient: true })).database.close();
  },
  backup: (folder) => command(folder, ['backup', '--out', join(folder, 'backup.tar')]),
  verify: (folder) => command(folder, ['backup', 'verify', join(folder, 'backup.tar')]),
  restore: (folder) => command(join(folder, 'restored'), ['restore', '--in', join(folder, 'backup.tar')]),
};

async function command(data_dir: string, argv: string[]): Promise<unknown> {
  mkdirSync(data_dir, { recursive: true });
  setConfig({ data_dir, log_level: 'silent' });
  const { parseOperatorCommand } = await import('@/operator/command-line/commands');
  const { executeOperatorCommand } = await import('@/operator/run-command');
  return executeOperatorCommand(parseOperatorCommand(argv, '/'));
}

async function child(step: string, folder: string, megabytes: number): Promise<void> {
  const started = performance.now();
  const answer = await STEPS[step]?.(folder, megabytes);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`${step} of ${megabytes} MB: ${seconds} s, ${memory} MB at most`, JSON.stringify(answer) ?? '');
}

const [first, folder, megabytes] = process.argv.slice(2);
if (first && first in STEPS) {
  await child(first, folder ?? '', Number(megabytes));
  process.exit(0);
}
/** Runs the steps on the folder's embedded database, or on the PostgreSQL server of a URL. */
function run(steps: readonly string[], folder: string, size: string, url = ''): void {
  const APP_SECRET = url && readFileSync(join(folder, 'app-secret'), 'utf8').trim();
  const NODE_OPTIONS = `--max-old-space-size=${HEAP_MB} --import tsx`;
  const env = { ...process.env, NODE_OPTIONS, DATABASE_URL: url, APP_SECRET };
  for (const step of steps)
    execFileSync(process.execPath, [import.meta.filename, step, folder, size], { stdio: ['ignore', 1, 2], env });
}

const sizes = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
for (const size of sizes.length > 0 ? sizes : ['50', '300']) {
  const own = mkdtempSync(join(tmpdir(), 'threshold-backup-'));
  try {
    run(['fill', 'idle', 'backup', 'verify', 'restore'], own, size);
    console.log(`file of ${size} MB: ${Math.round(statSync(join(own, 'backup.tar')).size / 1e6)} MB`);
    if (!process.argv.includes('--external')) continue;
    const postgres = await startOrConnectBenchPostgres();
    console.log('PostgreSQL:');
    try {
      run(['restore', 'backup', 'verify'], own, size, postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
