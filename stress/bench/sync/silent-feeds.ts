/**
 * Measures polls of 500 due calendars on a few hosts by the durable functions on the embedded
 * engine. Alternates this with the same calendars plus 20 calendars whose servers never respond.
 * These 20 calendars have been due the longest.
 */

import { createDurableRunRequester } from '../../../inngest/run-requester';
import { startDurableWorkRuntime } from '../../../inngest/start';
import { startCalendarFeedServers } from '../../../src/modules/sync-sources/testing/many-feeds';
import { formatMedianAndRange, printRatiosAndCheckMedianAgainstTarget, setUpSyncBenchContext } from './bench-context';

const TARGET = 2;

export async function benchSilentFeeds(rounds: number): Promise<boolean> {
  const { scope, source, close } = await setUpSyncBenchContext();
  const feeds = await startCalendarFeedServers(scope, source.property_id, { healthy: 500, silent: 20 });
  const work = await startDurableWorkRuntime();
  const waker = createDurableRunRequester(async (events) => void (await work.engine?.send(events)));
  const ask = (silent: boolean) => feeds.ask({ silent }, () => waker.requestOtherRuns());
  // The first poll creates the reservations and is not measured.
  await ask(false);
  const times = { healthy: [] as number[], silent: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.healthy.push(await ask(false));
    times.silent.push(await ask(true));
  }
  console.log(`500 due calendars on five hosts, ${rounds} times`);
  console.log(`  all asked in ${formatMedianAndRange(times.healthy, ' ms')}`);
  console.log(`  and with 20 silent ones before them in ${formatMedianAndRange(times.silent, ' ms')}`);
  const reached = printRatiosAndCheckMedianAgainstTarget(
    times.silent.map((ms, index) => ms / (times.healthy[index] ?? Number.NaN)),
    TARGET,
  );
  await feeds.close();
  await work.stop();
  await close();
  return reached;
}
