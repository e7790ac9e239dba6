/**
 * `npm run fuzz -- [--requests=10000] [--seed=N]`: sends generated requests to `/v1`, the
 * dashboard's procedures, the guests' forms and the inbound routes (stress/fuzz). Exits with 1 on a
 * 5xx, on an answer that takes over a second, or when `/healthz` takes over 100 ms.
 */
import { parseArgs } from 'node:util';
import { runFuzz } from './run';

const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const requests = Number(values.requests ?? 10_000);
if (!Number.isInteger(seed) || !Number.isInteger(requests) || requests < 1)
  throw new Error('--seed and --requests are whole numbers.');

console.log(`${requests} generated requests; --seed=${seed} repeats them.`);
const report = await runFuzz({
  seed,
  requests,
  lanes: 4,
  max_answer_ms: 1_000,
  max_health_ms: 100,
  say: (line) => console.log(`  ${line}`),
});
console.log(`
  answers by status: ${Object.entries(report.by_status)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')}
  slowest answer ${Math.round(report.slowest_ms)} ms (${report.slowest}); /healthz at worst ${Math.round(report.health_worst_ms)} ms
`);
for (const violation of report.violations.slice(0, 50)) console.error(`  ✗ ${violation}`);
console.log(report.violations.length === 0 ? '  Nothing failed.' : `  ${report.violations.length} violations.`);
process.exit(report.violations.length === 0 ? 0 : 1);
