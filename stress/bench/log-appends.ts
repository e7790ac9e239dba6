/**
 * `npx tsx stress/bench/log-appends.ts [--seconds=N] [--processes=N]`: measures appends to the
 * public log by several processes on one PostgreSQL server, compared with single-row inserts by the
 * same processes into another table. A lock serializes appends. Their rate is therefore the maximum
 * rate at which the installation can seal certificates.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setConfig } from '../../src/config';
import { closeDatabase, systemDb } from '../../src/infra/db/client';
import { connectExternalDatabase } from '../../src/infra/db/driver/connect';
import { migrateExternalDatabase } from '../../src/infra/db/opening/external-migrations';
import { scopedDb } from '../../src/infra/db/scoped-client';
import { inTransaction } from '../../src/infra/db/transaction';
import { addSealedFileToLog } from '../../src/modules/public-log/service';
import { newId } from '../../src/shared/ids';
import type { Scope } from '../../src/shared/scope';
import { readNumberOption } from './lib/options';
import { startOrConnectBenchPostgres } from './lib/postgres';

const SECONDS = readNumberOption('seconds', 10);
const PROCESSES = readNumberOption('processes', 4);
const CALLERS = 8;

const WORK: Record<string, (scope: Scope) => Promise<unknown>> = {
  insert: (scope) =>
    inTransaction(scope, () =>
      scopedDb(scope).auditLog.create({
        data: { id: newId('audit'), ...scopeOf(scope), action: 'bench', actor: 'bench', created_at: new Date() },
      }),
    ),
  append: (scope) => inTransaction(scope, () => addSealedFileToLog(scope, randomBytes(32).toString('hex'))),
};
const scopeOf = ({ team_id, mode }: Scope) => ({ team_id, mode });

async function child(kind: string, url: string, team_id: string): Promise<void> {
  setConfig({ app_secret: 'the secret of this benchmark alone', database_url: url });
  connectExternalDatabase(url, { pooled: false });
  const scope: Scope = { team_id, mode: 'live', actor: { kind: 'guest' } };
  const work = WORK[kind] as (scope: Scope) => Promise<unknown>;
  process.send?.('ready');
  await once(process, 'message');
  const until = performance.now() + SECONDS * 1_000;
  let done = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() < until) {
        await work(scope);
        done += 1;
      }
    }),
  );
  process.send?.(done);
  await closeDatabase();
}

async function perSecond(kind: string, url: string, team_id: string): Promise<number> {
  const children = Array.from({ length: PROCESSES }, () =>
    fork(fileURLToPath(import.meta.url), ['--child', kind, url, team_id, `--seconds=${SECONDS}`], {
      execArgv: ['--import', 'tsx'],
    }),
  );
  await Promise.all(children.map((each: ChildProcess) => once(each, 'message')));
  const counts = children.map(async (each) => Number((await once(each, 'message'))[0]));
  for (const each of children) each.send('go');
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0) / SECONDS;
}

const at = process.argv.indexOf('--child');
if (at > 0) {
  const [kind = '', url = '', team_id = ''] = process.argv.slice(at + 1);
  await child(kind, url, team_id);
  process.exit(0);
}

const postgres = await startOrConnectBenchPostgres();
setConfig({ app_secret: 'the secret of this benchmark alone', database_url: postgres.url });
await migrateExternalDatabase(postgres.url, join(process.cwd(), 'prisma/migrations'));
connectExternalDatabase(postgres.url, { pooled: false });
const team_id = newId('team');
await systemDb().team.create({ data: { id: team_id, name: 'Bench', slug: team_id, plan: 'pro' } });
for (let round = 1; round <= 3; round += 1) {
  const inserts = await perSecond('insert', postgres.url, team_id);
  const appends = await perSecond('append', postgres.url, team_id);
  console.log(
    `round ${round}: ${appends.toFixed(0)} appends a second by ${PROCESSES} processes; ` +
      `${inserts.toFixed(0)} plain inserts; ratio ${(appends / inserts).toFixed(2)}`,
  );
}
console.log(`entries: ${await systemDb().logEntry.count()}`);
await closeDatabase();
await postgres.stop();
