/**
 * `npx tsx bench/sync.ts [--rounds=N]`: a scheduled run of a calendar of 1,000 events that did not change, beside what
 * ical.js alone needs to parse the same text, in turns. The run is the product's own: claimed, fetched over HTTP from
 * this machine, compared, its row written, on the embedded PostgreSQL. Target: under twice ical.js, and no writes but the
 * source's row.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import ICAL from 'ical.js';
import { systemDb } from '../src/infra/db/client';
import { closeOutboundConnections } from '../src/infra/outbound/client';
import { PropertyCreate } from '../src/modules/properties/schemas';
import { createProperty } from '../src/modules/properties/service';
import { claimDueSource } from '../src/modules/sync-sources/run/lease.repository';
import { runClaimed, runSource } from '../src/modules/sync-sources/run/run';
import { createSyncSource } from '../src/modules/sync-sources/service';
import { calendar } from '../src/modules/sync-sources/testing/feed-server';
import { closeTestDatabase, openTestDatabase } from '../src/testing/database';
import { insertTeam } from '../src/testing/team';
import { spread } from './lib/measure';

const EVENTS = 1_000;
const TARGET = 2;
const rounds = Number(process.argv.find((arg) => arg.startsWith('--rounds='))?.split('=')[1] ?? 40);

const DAY_MS = 86_400_000;
const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);

/** Each poll stamps anew and changes the order, as channels do. */
function poll(round: number): string {
  const stays = Array.from({ length: EVENTS }, (_, n) => ({
    uid: `7f662ec65913-${String(n).padStart(32, '0')}@channel-a.example`,
    from: day(n * 3 + 1),
    to: day(n * 3 + 3),
    description: `Reservation URL: https://www.channel-a.example/hosting/reservations/details/HM${String(n).padStart(8, '0')}\\nPhone Number (Last 4 Digits): 1234`,
  }));
  const at = round % EVENTS;
  return calendar([...stays.slice(at), ...stays.slice(0, at)], `20260101T${String(100000 + round)}Z`);
}

async function main(): Promise<void> {
  await openTestDatabase();
  const scope = await insertTeam();
  const channel = new Worker(new URL('./lib/feed-thread.mjs', import.meta.url));
  const [feed_url] = (await once(channel, 'message')) as [string];
  const serve = async (text: string) => {
    channel.postMessage(text);
    await once(channel, 'message');
  };
  const property = await createProperty(scope, PropertyCreate.parse({ name: 'Bench' }));
  const source = await createSyncSource(scope, {
    property_id: property.id,
    kind: 'channel_a_ical',
    feed_url,
  });
  await serve(poll(0));
  await runSource(scope, source.id, 'schedule');
  const imported = await systemDb().reservation.count();
  const written = async () =>
    JSON.stringify([
      await systemDb().reservation.aggregate({ _max: { updated_at: true, version: true }, _count: true }),
      await systemDb().event.count(),
      await systemDb().syncRun.count(),
    ]);
  const before = await written();

  const times = { parse: [] as number[], run: [] as number[] };
  const timed = async (into: number[], work: () => unknown) => {
    const started = performance.now();
    await work();
    into.push(performance.now() - started);
  };
  const polls = Array.from({ length: rounds + 5 }, (_, n) => poll(n + 1));
  for (const [round, text] of polls.entries()) {
    await serve(text);
    const parse = () => timed(times.parse, () => new ICAL.Component(ICAL.parse(text)));
    const run = async () => {
      await systemDb().syncSource.updateMany({ data: { next_run_at: new Date(0) } });
      const claimed = await claimDueSource(source.id);
      if (!claimed) throw new Error('The source is not due.');
      await timed(times.run, () => runClaimed(claimed, 'schedule'));
    };
    await (round % 2 === 0 ? parse() : run());
    await (round % 2 === 0 ? run() : parse());
  }
  const after = await written();
  // The first rounds warm the compiler up.
  const [parse, run] = [spread(times.parse.slice(5)), spread(times.run.slice(5))];
  const ratio = spread(times.run.slice(5).map((ms, index) => ms / (times.parse.slice(5)[index] ?? Number.NaN)));
  const shown = ({ min, median, max }: typeof run, unit: string) =>
    `${median.toFixed(1)}${unit} (${min.toFixed(1)} to ${max.toFixed(1)})`;
  console.log(`${imported} reservations of ${EVENTS} events; ${rounds} unchanged polls`);
  console.log(`  ical.js alone parses in  ${shown(parse, ' ms')}`);
  console.log(`  a whole unchanged run in ${shown(run, ' ms')}`);
  console.log(
    `  ratio ${shown(ratio, '')}, target under ${TARGET}: ${ratio.median < TARGET ? 'reached' : 'NOT reached'}`,
  );
  console.log(`  writes beside the source's row: ${before === after ? 'none' : `SOME (${before} -> ${after})`}`);
  await channel.terminate();
  await closeOutboundConnections();
  await closeTestDatabase();
  process.exitCode = before === after && ratio.median < TARGET ? 0 : 1;
}

await main();
