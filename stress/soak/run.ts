/** Runs the soak: the real server under a mixed load, long enough to detect growth. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '@/testing/random';
import { startTestServer, type TestServer } from '@/testing/server';
import { startMailProvider } from '../../e2e/support/mail-provider';
import { AcknowledgedWrites } from '../chaos/acknowledged-writes';
import type { ChaosContext } from '../chaos/chaos-context';
import { createPropertiesAndEndpoints, makeTeam, startSimulatedPartnersAndGuests } from '../chaos/chaos-run';
import { startFlappingReceiver } from '../chaos/flapping-receiver';
import type { ChaosRunState } from '../chaos/retrying-client';
import { compareFirstAndLastSoakSamples, type SoakSample, type SoakStartAndEndComparison } from './judge.rules';

export interface SoakOptions {
  minutes: number;
  seed: number;
  say: (line: string) => void;
}

export interface SoakReport extends SoakStartAndEndComparison {
  samples: readonly SoakSample[];
  acknowledged: number;
  signed: number;
  reads: number;
}

const TOKEN = 'the soak reads the metrics';
const EVERY_MS = 3_000;
/**
 * Seconds after which the first medians are measured. In a run shorter than 15 minutes, a third of
 * the run is used instead.
 */
const SETTLED_S = 300;
/**
 * Milliseconds after which another team takes over, because a team may send only 500 mails a day.
 */
const TEAM_MS = 40_000;
const PARTNERS = 3;
const READERS = 2;

/**
 * Runs the soak and returns the report. Throws when the server does not start, or an actor gets no
 * answer.
 */
export async function runSoak({ minutes, seed, say }: SoakOptions): Promise<SoakReport> {
  const random = createRandom(seed);
  const provider = await startMailProvider(random.fork(), 0);
  const teams: ChaosContext[] = [];
  const server = await startTestServer({
    with_pages: true,
    built: true,
    env: {
      RESEND_API_KEY: 're_soak',
      RESEND_BASE_URL: provider.url,
      RESEND_REQUESTS_PER_SECOND: '100',
      METRICS_TOKEN: TOKEN,
    },
  });
  try {
    const target: ChaosRunState = { origins: [server.url], violations: [], repeated: 0 };
    const began = performance.now();
    const going = () => performance.now() - began < minutes * 60_000;
    const nextTeam = async () => {
      const chaos = await createTeamContext(server, target, provider, random, teams.length);
      teams.push(chaos);
      return chaos;
    };
    let chaos = await nextTeam();
    const reading = startReaders(server, target, () => chaos.api_key);
    const working = async () => {
      for (;;) {
        const properties = await createPropertiesAndEndpoints(chaos, random.fork(), PARTNERS);
        const actors = startSimulatedPartnersAndGuests(
          chaos,
          { partners: PARTNERS, pause_ms: 400 },
          random,
          properties,
        );
        await Promise.race([sleep(TEAM_MS), actors.failed]);
        await actors.stop();
        if (!going()) return;
        chaos = await nextTeam();
      }
    };
    const samples: SoakSample[] = [];
    const watching = async () => {
      while (going()) {
        samples.push(await measure(server, teams, (performance.now() - began) / 1_000));
        if (samples.length % 20 === 0) say(formatSoakSample(samples.at(-1) as SoakSample));
        await sleep(EVERY_MS);
      }
    };
    await Promise.all([watching(), working()]);
    const reads = await reading.stop();
    const verdict = compareFirstAndLastSoakSamples(samples, Math.min(SETTLED_S, (minutes * 60) / 3));
    verdict.violations.push(...target.violations);
    return { ...verdict, samples, acknowledged: sumOf(teams, 'acknowledged'), signed: sumOf(teams, 'signed'), reads };
  } finally {
    await Promise.all([provider, ...teams.flatMap(({ receivers }) => receivers)].map((listener) => listener.close()));
    await server.stop();
  }
}

const sumOf = (teams: readonly ChaosContext[], field: 'acknowledged' | 'signed') =>
  teams.reduce((sum, { ledger }) => sum + ledger[field], 0);

async function createTeamContext(
  server: TestServer,
  target: ChaosRunState,
  provider: ChaosContext['provider'],
  random: Random,
  number: number,
): Promise<ChaosContext> {
  const receivers = [
    await startFlappingReceiver('steady', random.fork(), { failing: 0, outages: false, hang_ms: 0 }),
    await startFlappingReceiver('flapping', random.fork(), { failing: 0.2, outages: false, hang_ms: 500 }),
  ];
  return {
    ...(await makeTeam(server, `owner${number}@example.com`)),
    target,
    ledger: new AcknowledgedWrites(),
    receivers,
    provider,
  };
}

/** Starts partners who read lists, and visitors who open certificates and pages. */
function startReaders({ url }: TestServer, target: ChaosRunState, apiKey: () => string) {
  let going = true;
  let reads = 0;
  const paths = ['/reservations?limit=50', '/certificates?limit=20', '/webhook_deliveries?limit=20', '/properties'];
  const readers = Array.from({ length: READERS }, async (_, number) => {
    for (let count = number; going; count++) {
      const path = count % 5 === 4 ? '/docs' : `/v1${paths[count % paths.length]}`;
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${apiKey()}` } });
      await response.arrayBuffer();
      if (response.status >= 500) target.violations.push(`GET ${path} answered ${response.status}`);
      reads += 1;
      await sleep(100);
    }
  });
  return {
    async stop() {
      going = false;
      await Promise.all(readers);
      return reads;
    },
  };
}

async function measure(server: TestServer, teams: readonly ChaosContext[], at_s: number): Promise<SoakSample> {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await response.text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  const database = join(server.data_dir, 'postgres');
  return {
    at_s,
    acknowledged: sumOf(teams, 'acknowledged'),
    rss: metric('process_resident_memory_bytes'),
    heap: metric('nodejs_heap_size_used_bytes'),
    fds: metric('process_open_fds'),
    resources: metric('nodejs_active_resources_total'),
    wal: await bytesBelow(join(database, 'pg_wal')),
    files: await bytesBelow(database),
  };
}

async function bytesBelow(folder: string): Promise<number> {
  let total = 0;
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    // The database may remove a file at any time.
    const stats = await lstat(join(folder, name)).catch(() => null);
    if (stats?.isFile()) total += stats.size;
  }
  return total;
}

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
/** Formats a sample as a line of text. */
export const formatSoakSample = ({ at_s, acknowledged, rss, heap, fds, resources, wal, files }: SoakSample): string =>
  `${(at_s / 60).toFixed(1)} min: ${acknowledged} writes; memory ${mb(rss)} (heap ${mb(heap)}); ${fds} open files, ${resources} timers and sockets; database ${mb(files - wal)}, log ${mb(wal)}`;
