/**
 * Measures a scheduled run of an unchanged calendar. Alternates it with only parsing the same text
 * with ical.js. The product's run is complete: it is claimed, fetched over HTTP from this machine,
 * compared, and stored. Only the source's row is written.
 */
import ICAL from 'ical.js';
import { systemDb } from '../../../src/infra/db/client';
import { claimSyncSource } from '../../../src/modules/sync-sources/run/lease.repository';
import { runSyncOfClaimedSource, runSyncOfSource } from '../../../src/modules/sync-sources/run/run';
import {
  CALENDAR_EVENT_COUNT,
  formatMedianAndRange,
  measureDuration,
  printRatiosAndCheckMedianAgainstTarget,
  renderIcalendarTextForPollNumber,
  setUpSyncBenchContext,
} from './bench-context';

const TARGET = 2;
/** Number of warm-up runs. */
const FIRST = 5;

export async function benchUnchangedFeeds(rounds: number): Promise<boolean> {
  const { scope, source, serve, close } = await setUpSyncBenchContext();
  await serve(renderIcalendarTextForPollNumber(0));
  await runSyncOfSource(scope, source.id, 'schedule');
  const imported = await systemDb().reservation.count();
  const written = async () =>
    JSON.stringify([
      await systemDb().reservation.aggregate({ _max: { updated_at: true, version: true }, _count: true }),
      await systemDb().event.count(),
      await systemDb().syncRun.count(),
    ]);
  const before = await written();
  const times = { parse: [] as number[], run: [] as number[] };
  for (let round = 0; round < rounds + FIRST; round++) {
    const text = renderIcalendarTextForPollNumber(round + 1);
    await serve(text);
    const parse = () => measureDuration(times.parse, () => new ICAL.Component(ICAL.parse(text)));
    const run = async () => {
      await systemDb().syncSource.updateMany({ data: { next_run_at: new Date(0) } });
      const claimed = await claimSyncSource(source.id, 'due');
      if (!claimed) throw new Error('The source is not due.');
      await measureDuration(times.run, () => runSyncOfClaimedSource(claimed, 'schedule'));
    };
    await (round % 2 === 0 ? parse() : run());
    await (round % 2 === 0 ? run() : parse());
  }
  const after = await written();
  const [parse, run] = [times.parse.slice(FIRST), times.run.slice(FIRST)];
  console.log(`${imported} reservations of ${CALENDAR_EVENT_COUNT} events; ${rounds} unchanged polls`);
  console.log(`  ical.js alone parses in  ${formatMedianAndRange(parse, ' ms')}`);
  console.log(`  a whole unchanged run in ${formatMedianAndRange(run, ' ms')}`);
  const reached = printRatiosAndCheckMedianAgainstTarget(
    run.map((ms, index) => ms / (parse[index] ?? Number.NaN)),
    TARGET,
  );
  console.log(`  writes other than the source's row: ${before === after ? 'none' : `SOME (${before} -> ${after})`}`);
  await close();
  return reached && before === after;
}
