/**
 * Runs the chaos test: the real server under load, killed with SIGKILL at random moments (even
 * during its start), with failing receivers and a slow mail provider. Then waits until all work is
 * done. final-checks.ts compares the result with the acknowledged actions.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '@/testing/random';
import { startTestServer, type TestServer } from '@/testing/server';
import { type SentMail, startMailProvider } from '../../e2e/support/mail-provider';
import { AcknowledgedWrites } from './acknowledged-writes';
import { type ChaosContext, OWNER_EMAIL } from './chaos-context';
import { checkStoredChaosData, findLostAcknowledgedWritesOverApi } from './final-checks';
import { startFlappingReceiver } from './flapping-receiver';
import { type ChaosActorContext, simulateGuestReactionToMail, simulatePartnerApiCalls } from './load';
import { type ChaosRunState, createRetryingPartnerClient } from './retrying-client';
import { readStoredChaosData, type StoredChaosData } from './stored-data';

export interface ChaosOptions {
  seed: number;
  kills: number;
  /** The longest time between two kills, in ms. */
  life_ms: number;
  partners: number;
  /** The longest pause of each partner, in ms. */
  pause_ms: number;
  /** The seconds between delivery attempts (WEBHOOK_RETRY_DELAYS_S). */
  retry_delays_s: number[];
  /** The share of the mail provider's answers that are lost. */
  lost_answers: number;
  say?: (line: string) => void;
}

export interface ChaosReport {
  kills: number;
  /**
   * Number of kills while a guest waited for the answer to a signature. Number of kills while a
   * certificate was being sealed or announced.
   */
  kills_signing: number;
  kills_sealing: number;
  acknowledged: number;
  repeated: number;
  bookings: number;
  signed: number;
  events: number;
  /** Number of requests at all receivers, and the number of those that repeated an event. */
  arrivals: number;
  again: number;
  mails: number;
  mail_requests: number;
  /** The guarantees that the server broke, as sentences. Empty when it broke none. */
  violations: string[];
}

const SIGNERS = 3;
/** After this time in milliseconds, a server is killed even if it has acknowledged no write. */
const AWAKE_MS = 30_000;
/**
 * A kill may be planned for the moment when a guest is signing or a certificate is in progress.
 * This is the longest wait for that moment, in milliseconds.
 */
const AIM_MS = 15_000;

/**
 * Runs the chaos test and returns the report. Throws when the server does not start, or an actor
 * gets no answer.
 */
export async function runChaosTest(options: ChaosOptions): Promise<ChaosReport> {
  const say = options.say ?? (() => {});
  const random = createRandom(options.seed);
  const provider = await startMailProvider(random.fork(), options.lost_answers);
  const receivers = [
    await startFlappingReceiver('steady', random.fork(), { failing: 0, outages: false, hang_ms: 0 }),
    await startFlappingReceiver('flapping', random.fork(), { failing: 0.4, outages: false, hang_ms: 1_500 }),
    await startFlappingReceiver('absent', random.fork(), { failing: 0.1, outages: true, hang_ms: 500 }),
  ];
  const server = await startTestServer({
    with_pages: true,
    built: true,
    env: {
      RESEND_API_KEY: 're_storm',
      RESEND_BASE_URL: provider.url,
      RESEND_REQUESTS_PER_SECOND: '100',
      WEBHOOK_RETRY_DELAYS_S: options.retry_delays_s.join(','),
    },
  });
  try {
    const target: ChaosRunState = { origins: [server.url], violations: [], repeated: 0 };
    const keys = await makeTeam(server);
    const chaos: ChaosContext = { ...keys, target, ledger: new AcknowledgedWrites(), receivers, provider };
    const disruptions = await disrupt(server, chaos, options, random, say);
    const stored = await settle(server, chaos, options, say);
    say('reading everything back');
    await server.restart();
    const violations = [
      ...target.violations,
      ...(await findLostAcknowledgedWritesOverApi(chaos, random.fork(), stored)),
    ];
    violations.push(...checkStoredChaosData(chaos, stored));
    return report(chaos, stored, disruptions, violations);
  } finally {
    await Promise.all([provider.close(), ...receivers.map((receiver) => receiver.close())]);
    await server.stop();
  }
}

/** Creates a team with a live key, whose guests get mail through the provider. */
export async function makeTeam(
  server: TestServer,
  owner_email = OWNER_EMAIL,
): Promise<{ team_id: string; api_key: string }> {
  const { team } = await server.createTeam({ name: 'Chaos', email: owner_email, password: 'correct horse battery' });
  const { key } = await server.admin<{ key: string }>('key', 'create', '--team', team.id, '--mode', 'live');
  return { team_id: team.id, api_key: key };
}

/** Creates properties and webhook endpoints. Returns the properties. */
export async function createPropertiesAndEndpoints(
  chaos: ChaosContext,
  random: Random,
  properties: number,
): Promise<[string, ...string[]]> {
  const partner = createRetryingPartnerClient(chaos.target, random, chaos.api_key);
  for (const receiver of chaos.receivers) {
    const endpoint = await partner.must('POST', '/webhook_endpoints', { url: receiver.url, events: ['*'] });
    receiver.secret = endpoint.signing_secret;
  }
  const ids: string[] = [];
  for (let count = 0; count < properties; count++) {
    ids.push((await partner.must('POST', '/properties', { name: `House ${count}`, timezone: 'Europe/Lisbon' })).id);
  }
  return ids as [string, ...string[]];
}

/** Starts the actors. `stop` waits until they have finished their current action. */
export function startSimulatedPartnersAndGuests(
  chaos: ChaosContext,
  options: Pick<ChaosOptions, 'partners' | 'pause_ms'>,
  random: Random,
  properties: [string, ...string[]],
) {
  let going = true;
  const { target, ledger, api_key } = chaos;
  const stage: ChaosActorContext = { target, ledger, api_key, properties, going: () => going };
  const partners = Array.from({ length: options.partners }, (_, number) =>
    simulatePartnerApiCalls(stage, random.fork(), number, options.pause_ms),
  );
  const inbox: SentMail[] = [];
  const choice = random.fork();
  chaos.provider.onMail = (mail) => {
    if (choice.chance(0.35)) inbox.push(mail);
  };
  const guests = Array.from({ length: SIGNERS }, async () => {
    const own = random.fork();
    while (going || inbox.length > 0) {
      const mail = inbox.shift();
      if (mail) await simulateGuestReactionToMail(stage, own, mail);
      await sleep(own.between(20, 400));
    }
  });
  // If an actor fails, the chaos run must end at once.
  const all = Promise.all([...partners, ...guests]);
  return {
    failed: all.then(() => new Promise<never>(() => {})),
    async stop() {
      going = false;
      await all;
    },
  };
}

async function disrupt(
  server: TestServer,
  chaos: ChaosContext,
  options: ChaosOptions,
  random: Random,
  say: (line: string) => void,
): Promise<Disruptions> {
  const disruptions = { kills: options.kills, kills_signing: 0, kills_sealing: 0 };
  const properties = await createPropertiesAndEndpoints(chaos, random.fork(), options.partners);
  const actors = startSimulatedPartnersAndGuests(chaos, options, random, properties);
  let told = 0;
  const killing = async () => {
    for (let kills = 1; kills <= options.kills; kills++) {
      // Waits for an acknowledged write before each kill. On a busy machine the server might
      // otherwise never accept a write.
      const before = chaos.ledger.acknowledged;
      for (let waited = 0; waited < AWAKE_MS && chaos.ledger.acknowledged === before; waited += 20) await sleep(20);
      // The first kill comes later, when there is work to interrupt. Every fifth kill happens
      // during the server's start.
      await sleep(random.between(kills === 1 ? 1_500 : 200, options.life_ms));
      // One kill in three waits until a guest is signing, and another until a certificate is in
      // progress.
      const aim = [() => chaos.ledger.signing, () => unsealed(chaos), () => 1][kills % 3] ?? (() => 1);
      for (let waited = 0; waited < AIM_MS && aim() <= 0; waited += 5) await sleep(5);
      if (chaos.ledger.signing > 0) disruptions.kills_signing += 1;
      if (unsealed(chaos) > 0) disruptions.kills_sealing += 1;
      await server.kill();
      say(`kill ${kills} of ${options.kills}: ${chaos.ledger.acknowledged} writes acknowledged`);
      if (chaos.target.violations.length > told) {
        told = chaos.target.violations.length;
        say(`${told} promises broken so far; this life's errors:\n${errorsOf(server)}`);
      }
      if (random.chance(0.2) && kills < options.kills) {
        const starting = server.restart();
        const failed = starting.catch(() => {});
        await sleep(random.between(0, 2_000));
        await server.kill();
        await failed;
        kills += 1;
        say(`kill ${kills} of ${options.kills}, while it was starting`);
      }
      await server.restart();
    }
    await sleep(1_000);
  };
  await Promise.race([killing(), actors.failed]);
  say('the chaos run is over');
  await actors.stop();
  for (const receiver of chaos.receivers) await receiver.recover();
  return disruptions;
}

/**
 * Returns the last lines of a server's output: logged errors, and all text that is not a log entry.
 */
const errorsOf = (server: TestServer) =>
  server
    .output()
    .split('\n')
    .filter((line) => line && !/^\{"level":[1-4]0,/.test(line))
    .slice(-20)
    .join('\n');

type Disruptions = Pick<ChaosReport, 'kills' | 'kills_signing' | 'kills_sealing'>;

/**
 * Returns the number of signatures that guests saw confirmed, but whose certificate has not been
 * announced yet.
 */
function unsealed({ ledger, receivers }: ChaosContext): number {
  const heard = receivers[0]?.arrivals.filter(({ body }) => body.includes('"certificate.created"')) ?? [];
  return ledger.signed - new Set(heard.map(({ event_id }) => event_id)).size;
}

/**
 * Waits until there is no activity, stops the server gracefully, and inspects the database. Repeats
 * this while work is unfinished.
 */
async function settle(
  server: TestServer,
  chaos: ChaosContext,
  { retry_delays_s, lost_answers }: ChaosOptions,
  say: (line: string) => void,
): Promise<StoredChaosData> {
  // A mail is retried half a minute after its answer was lost.
  const quiet_ms = Math.max(Math.max(...retry_delays_s) * 1_250 + 1_000, lost_answers > 0 ? 36_000 : 0);
  for (let round = 1; ; round++) {
    await waitUntilServerSendsNoMoreRequests(chaos, quiet_ms);
    const code = await server.stopProcess();
    if (code !== 0) throw new Error(`The server did not shut down cleanly (${code}):\n${server.output()}`);
    const stored = await readStoredChaosData({ data_dir: server.data_dir }, chaos.team_id);
    const left = Object.entries(stored.unfinished).filter(([, count]) => count > 0);
    if (left.length === 0 || round === 4) return stored;
    say(`not settled yet: ${left.map(([what, count]) => `${count} ${what}`).join(', ')}`);
    for (const row of stored.waiting) say(`  ${JSON.stringify(row)}`);
    if (stored.waiting.length > 0) say(server.output());
    await server.restart();
  }
}

/** Resolves when the receivers and the mail provider have had no request for `quiet_ms`. */
export async function waitUntilServerSendsNoMoreRequests(
  { receivers, provider }: ChaosContext,
  quiet_ms: number,
): Promise<void> {
  const began = performance.now();
  for (;;) {
    const last = Math.max(began, provider.last_at, ...receivers.map((receiver) => receiver.last_at));
    const left = last + quiet_ms - performance.now();
    if (left <= 0) return;
    await sleep(left);
  }
}

function report(
  chaos: ChaosContext,
  stored: StoredChaosData,
  disruptions: Disruptions,
  violations: string[],
): ChaosReport {
  const { ledger, target, receivers, provider } = chaos;
  const arrivals = receivers.flatMap((receiver) => receiver.arrivals);
  const distinct = receivers.map((receiver) => new Set(receiver.arrivals.map(({ event_id }) => event_id)).size);
  return {
    ...disruptions,
    acknowledged: ledger.acknowledged,
    repeated: target.repeated,
    bookings: ledger.bookings.size,
    signed: ledger.signed,
    events: stored.events.length,
    arrivals: arrivals.length,
    again: arrivals.length - distinct.reduce((sum, count) => sum + count, 0),
    mails: provider.sent.length,
    mail_requests: provider.sent.reduce((sum, { requests }) => sum + requests, 0),
    violations,
  };
}
