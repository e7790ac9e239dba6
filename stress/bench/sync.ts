/**
 * `npx tsx stress/bench/sync.ts [unchanged] [import] [silent] [--rounds=N]`: measures the
 * processing of calendars on the embedded PostgreSQL. Compares each case with the minimum cost of
 * the same work (stress/bench/sync).
 */
import { benchFirstImport } from './sync/first-import';
import { benchSilentFeeds } from './sync/silent-feeds';
import { benchUnchangedFeeds } from './sync/unchanged';

const args = process.argv.slice(2);
const given = Number(args.find((arg) => arg.startsWith('--rounds='))?.split('=')[1]);
const named = args.filter((arg) => !arg.startsWith('--'));
const asked = (name: string) => named.length === 0 || named.includes(name);

process.on('unhandledRejection', (error) => {
  console.error(error);
  process.exit(1);
});

let reached = true;
if (asked('unchanged')) reached = (await benchUnchangedFeeds(given || 40)) && reached;
if (asked('import')) reached = (await benchFirstImport(given || 7)) && reached;
if (asked('silent')) reached = (await benchSilentFeeds(given || 3)) && reached;
// Without this call, the thread that serves the calendars would keep a failed process alive.
process.exit(reached ? 0 : 1);
