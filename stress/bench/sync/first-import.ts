/**
 * Measures the first run of a calendar, which creates a reservation for each event, with its trail
 * and outbox event. Alternates it with batch inserts of the same rows by plain SQL. Both use the
 * embedded database, which is emptied after each.
 */
import { systemDb } from '../../../src/infra/db/client';
import { runSyncOfSource } from '../../../src/modules/sync-sources/run/run';
import {
  CALENDAR_EVENT_COUNT,
  formatMedianAndRange,
  measureDuration,
  printRatiosAndCheckMedianAgainstTarget,
  renderIcalendarTextForPollNumber,
  setUpSyncBenchContext,
} from './bench-context';

const TARGET = 2;
const FIRST = 2;
/** The product's batch size, which the plain SQL also uses. */
const BATCH = 50;
const TABLES = ['reservations', 'trail_entries', 'events'] as const;

const run = (sql: string, ...values: unknown[]) => systemDb().$executeRawUnsafe(sql, ...values);

async function forget(): Promise<void> {
  for (const table of [...TABLES].reverse()) await run(`DELETE FROM ${table}`);
  await run(`UPDATE sync_sources SET fingerprint = NULL, last_healthy_count = NULL, running_until = NULL`);
  for (const table of TABLES) await run(`VACUUM ${table}`);
}

/** Returns the imported rows, in their original order. */
async function rowsOf(table: string): Promise<object[]> {
  const rows = await systemDb().$queryRawUnsafe<{ row: object }[]>(
    `SELECT to_jsonb(t) AS row FROM ${table} t ${table === 'events' ? `WHERE type = 'reservation.created'` : ''} ORDER BY id`,
  );
  return rows.map(({ row }) => row);
}

async function insert(rows: Record<string, object[]>): Promise<void> {
  for (let from = 0; from < CALENDAR_EVENT_COUNT; from += BATCH) {
    await systemDb().$transaction(async (tx) => {
      for (const table of TABLES) {
        const batch = rows[table]?.slice(from, from + BATCH) ?? [];
        await tx.$executeRawUnsafe(
          `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
          JSON.stringify(batch),
        );
      }
    });
  }
}

export async function benchFirstImport(rounds: number): Promise<boolean> {
  const { scope, source, serve, close } = await setUpSyncBenchContext();
  await serve(renderIcalendarTextForPollNumber(0));
  await runSyncOfSource(scope, source.id, 'schedule');
  const rows = Object.fromEntries(
    await Promise.all(TABLES.map(async (table) => [table, await rowsOf(table)] as const)),
  );
  const times = { insert: [] as number[], run: [] as number[] };
  for (let round = 0; round < rounds + FIRST; round++) {
    const baseline = async () => {
      await forget();
      await measureDuration(times.insert, () => insert(rows));
    };
    const product = async () => {
      await forget();
      await measureDuration(times.run, () => runSyncOfSource(scope, source.id, 'schedule'));
    };
    await (round % 2 === 0 ? baseline() : product());
    await (round % 2 === 0 ? product() : baseline());
    if ((await systemDb().reservation.count()) !== CALENDAR_EVENT_COUNT)
      throw new Error('Not every event became a reservation.');
  }
  const [inserted, imported] = [times.insert.slice(FIRST), times.run.slice(FIRST)];
  console.log(`first import of ${CALENDAR_EVENT_COUNT} events, ${rounds} times`);
  console.log(`  the same rows inserted in batches of ${BATCH} in ${formatMedianAndRange(inserted, ' ms')}`);
  console.log(`  the whole run in ${formatMedianAndRange(imported, ' ms')}`);
  const reached = printRatiosAndCheckMedianAgainstTarget(
    imported.map((ms, index) => ms / (inserted[index] ?? Number.NaN)),
    TARGET,
  );
  await close();
  return reached;
}
