/**
 * `npm run test:chaos -- [--kills=25] [--seed=N]`: kills the server with SIGKILL repeatedly while
 * partners create and send reservations, guests sign, and receivers fail (stress/chaos). Checks
 * that the server broke none of its guarantees, and exits with 1 otherwise.
 */
import { parseArgs } from 'node:util';
import { runChaosTest } from './chaos-run';

const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const kills = Number(values.kills ?? 25);
if (!Number.isInteger(seed) || !Number.isInteger(kills) || kills < 1)
  throw new Error('--seed and --kills are whole numbers.');
const began = performance.now();
const say = (line: string) =>
  console.log(`  ${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`);

console.log(`A chaos of ${kills} kills; --seed=${seed} repeats its choices.`);
const report = await runChaosTest({
  seed,
  kills,
  life_ms: 4_000,
  partners: 4,
  pause_ms: 200,
  retry_delays_s: [0.5, 0.5, 1, 1, 2, 2, 3, 3, 4],
  lost_answers: 0.03,
  say,
});
console.log(`
  ${report.kills} kills, ${report.kills_signing} while a guest signed, ${report.kills_sealing} while a certificate was on its way
  ${report.acknowledged} writes acknowledged, ${report.repeated} requests repeated
  ${report.bookings} reservations, ${report.signed} signed; ${report.events} events
  ${report.arrivals} deliveries to 3 endpoints, ${report.again} of them again
  ${report.mails} mails for ${report.mail_requests} requests to the mail provider
`);
for (const violation of report.violations.slice(0, 50)) console.error(`  ✗ ${violation}`);
console.log(
  report.violations.length === 0
    ? '  Nothing was lost, doubled or out of order.'
    : `  ${report.violations.length} promises were broken.`,
);
process.exit(report.violations.length === 0 ? 0 : 1);
