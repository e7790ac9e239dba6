/**
 * `npm run soak -- [--minutes=3] [--seed=N]`: runs the real server under a mixed load
 * (stress/soak). Measures memory, open files, timers and the embedded database's files. Exits with
 * 1 when any of these grew. A longer run, such as an hour, detects slower growth.
 */
import { parseArgs } from 'node:util';
import { formatSoakSample, runSoak } from './run';

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes ?? 3);
const seed = Number(values.seed ?? 1);
if (!(minutes >= 2) || !Number.isInteger(seed)) throw new Error('--minutes is at least 2, --seed a whole number.');

console.log(`${minutes} minutes of mixed load; --seed=${seed} repeats its choices.`);
const report = await runSoak({ minutes, seed, say: (text) => console.log(`  ${text}`) });
console.log(`
  settled  ${formatSoakSample(report.before)}
  end      ${formatSoakSample(report.after)}
  ${report.acknowledged} writes acknowledged, ${report.signed} signatures, ${report.reads} reads; the database kept ${report.bytes_per_write} bytes for each write
`);
for (const violation of report.violations.slice(0, 50)) console.error(`  ✗ ${violation}`);
console.log(
  report.violations.length === 0 ? '  Nothing grew.' : `  ${report.violations.length} things grew or failed.`,
);
process.exit(report.violations.length === 0 ? 0 : 1);
