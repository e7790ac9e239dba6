/**
 * Runs the storm: the real server under load, killed with SIGKILL at random moments (even during
 * its start), with failing receivers and a slow mail provider. Then waits until all work is done.
 * verdict.ts compares the result with the acknowledged actions.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '@/testing/random';
import { startTestServer, type TestServer } from '@/testing/server';
import { type SentMail, startMailProvider } from '../../e2e/support/mail-provider';
import { readStoredData, type StoredData } from './aftermath';
import { type ChaosContext, OWNER_EMAIL } from './cast';
import { startFlappingReceiver } from './flapping-receiver';
import { AcknowledgedWrites } from './ledger';
import { type ActorContext, actAsGuest, actAsPartner } from './load';
import { type ChaosTarget, createRetryingPartnerClient } from './retrying';
import { checkDataOverApi, checkStoredData } from './verdict';

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
  /** Violated promises. Empty when none was broken. */
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
 * Runs the storm and returns the report. Throws when the server does not start, or an actor gets no
 * answer.
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
    const target: ChaosTarget = { origins: [server.url], violations: [], repeated: 0 };
    const keys = await makeTeam(server);
    const storm: ChaosContext = { ...keys, target, ledger: new AcknowledgedWrites(), receivers, provider };
    const blows = await rage(server, storm, options, random, say);
    const aftermath = await settle(server, storm, options, say);
    say('reading everything back');
    await server.restart();
    const violations = [...target.violations, ...(await checkDataOverApi(storm, random.fork(), aftermath))];
    violations.push(...checkStoredData(storm, aftermath));
    return report(storm, aftermath, blows, violations);
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
  const { team } = await server.createTeam({ name: 'Storm', email: owner_email, password: 'correct horse battery' });
  const { key } = await server.admin<{ key: string }>('key', 'create', '--team', team.id, '--mode', 'live');
  return { team_id: team.id, api_key: key };
}

/** Creates properties and webhook endpoints. Returns the properties. */
export async function createPropertiesAndEndpoints(
  storm: ChaosContext,
  random: Random,
  properties: number,
): Promise<[string, ...string[]]> {
  const partner = createRetryingPartnerClient(storm.target, random, storm.api_key);
  for (const receiver of storm.receivers) {
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
export function startActors(
  storm: ChaosContext,
  options: Pick<ChaosOptions, 'partners' | 'pause_ms'>,
  random: Random,
  properties: [string, ...string[]],
) {
  let going = true;
  const { target, ledger, api_key } = storm;
  const stage: ActorContext = { target, ledger, api_key, properties, going: () => going };
  const partners = Array.from({ length: options.partners }, (_, number) =>
    actAsPartner(stage, random.fork(), number, options.pause_ms),
  );
  const inbox: SentMail[] = [];
  const choice = random.fork();
  storm.provider.onMail = (mail) => {
    if (choice.chance(0.35)) inbox.push(mail);
  };
  const guests = Array.from({ length: SIGNERS }, async () => {
    const own = random.fork();
    while (going || inbox.length > 0) {
      const mail = inbox.shift();
      if (mail) await actAsGuest(stage, own, mail);
      await sleep(own.between(20, 400));
    }
  });
  // If an actor fails, the storm must end at once.
  const all = Promise.all([...partners, ...guests]);
  return {
    failed: all.then(() => new Promise<never>(() => {})),
    async stop() {
      going = false;
      await all;
    },
  };
}

async function rage(
  server: TestServer,
  storm: ChaosContext,
  options: ChaosOptions,
  random: Random,
  say: (line: string) => void,
): Promise<Blows> {
  const blows = { kills: options.kills, kills_signing: 0, kills_sealing: 0 };
  const properties = await createPropertiesAndEndpoints(storm, random.fork(), options.partners);
  const actors = startActors(storm, options, random, properties);
  let told = 0;
  const killing = async () => {
    for (let kills = 1; kills <= options.kills; kills++) {
      // Waits for an acknowledged write before each kill. On a busy machine the server might
      // otherwise never accept a write.
      const before = storm.ledger.acknowledged;
      for (let waited = 0; waited < AWAKE_MS && storm.ledger.acknowledged === before; waited += 20) await sleep(20);
      // The first kill comes later, when there is work to interrupt. Every fifth kill happens
      // during the server's start.
      await sleep(random.between(kills === 1 ? 1_500 : 200, options.life_ms));
      // One kill in three waits until a guest is signing, and another until a certificate is in
      // progress.
      const aim = [() => storm.ledger.signing, () => unsealed(storm), () => 1][kills % 3] ?? (() => 1);
      for (let waited = 0; waited < AIM_MS && aim() <= 0; waited += 5) await sleep(5);
      if (storm.ledger.signing > 0) blows.kills_signing += 1;
      if (unsealed(storm) > 0) blows.kills_sealing += 1;
      await server.kill();
      say(`kill ${kills} of ${options.kills}: ${storm.ledger.acknowledged} writes acknowledged`);
      if (storm.target.violations.length > told) {
        told = storm.target.violations.length;
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
  say('the storm is over');
  await actors.stop();
  for (const receiver of storm.receivers) await receiver.recover();
  return blows;
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

type Blows = Pick<ChaosReport, 'kills' | 'kills_signing' | 'kills_sealing'>;

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
  storm: ChaosContext,
  { retry_delays_s, lost_answers }: ChaosOptions,
  say: (line: string) => void,
): Promise<StoredData> {
  // A mail is retried half a minute after its answer was lost.
  const quiet_ms = Math.max(Math.max(...retry_delays_s) * 1_250 + 1_000, lost_answers > 0 ? 36_000 : 0);
  for (let round = 1; ; round++) {
    await waitUntilRequestsStop(storm, quiet_ms);
    const code = await server.stopProcess();
    if (code !== 0) throw new Error(`The server did not shut down cleanly (${code}):\n${server.output()}`);
    const aftermath = await readStoredData({ data_dir: server.data_dir }, storm.team_id);
    const left = Object.entries(aftermath.unfinished).filter(([, count]) => count > 0);
    if (left.length === 0 || round === 4) return aftermath;
    say(`not settled yet: ${left.map(([what, count]) => `${count} ${what}`).join(', ')}`);
    for (const row of aftermath.waiting) say(`  ${JSON.stringify(row)}`);
    if (aftermath.waiting.length > 0) say(server.output());
    await server.restart();
  }
}

/** Resolves when the receivers and the mail provider have had no request for `quiet_ms`. */
export async function waitUntilRequestsStop({ receivers, provider }: ChaosContext, quiet_ms: number): Promise<void> {
  const began = performance.now();
  for (;;) {
    const last = Math.max(began, provider.last_at, ...receivers.map((receiver) => receiver.last_at));
    const left = last + quiet_ms - performance.now();
    if (left <= 0) return;
    await sleep(left);
  }
}

function report(storm: ChaosContext, aftermath: StoredData, blows: Blows, violations: string[]): ChaosReport {
  const { ledger, target, receivers, provider } = storm;
  const arrivals = receivers.flatMap((receiver) => receiver.arrivals);
  const distinct = receivers.map((receiver) => new Set(receiver.arrivals.map(({ event_id }) => event_id)).size);
  return {
    ...blows,
    acknowledged: ledger.acknowledged,
    repeated: target.repeated,
    bookings: ledger.bookings.size,
    signed: ledger.signed,
    events: aftermath.events.length,
    arrivals: arrivals.length,
    again: arrivals.length - distinct.reduce((sum, count) => sum + count, 0),
    mails: provider.sent.length,
    mail_requests: provider.sent.reduce((sum, { requests }) => sum + requests, 0),
    violations,
  };
}
