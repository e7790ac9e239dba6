import { expect, it } from 'vitest';
import { compareFirstAndLastSoakSamples, type SoakSample } from './judge.rules';

const MB = 1e6;
const steady = (change: (sample: SoakSample, minute: number) => Partial<SoakSample> = () => ({})) =>
  Array.from({ length: 120 }, (_, index) => {
    const sample = {
      at_s: index * 5,
      acknowledged: index * 20,
      // In this sample, memory settles at 500 MB after a minute and then fluctuates.
      rss: (index < 12 ? 300 + index * 15 : 500 + (index % 5)) * MB,
      heap: 100 * MB,
      fds: 60 + (index % 4),
      resources: 30 + (index % 7),
      wal: 80 * MB,
      files: 120 * MB + index * 20 * 5_000,
    };
    return { ...sample, ...change(sample, sample.at_s / 60) };
  });

it('reports no violation for a stable server, and its disk growth per write', () => {
  const { violations, bytes_per_write, before, after } = compareFirstAndLastSoakSamples(steady(), 60);
  expect(violations).toEqual([]);
  expect(bytes_per_write).toBe(5_000);
  expect(before.at_s).toBeLessThan(after.at_s);
});

it.each<[string, Parameters<typeof steady>[0], RegExp]>([
  ['memory', ({ rss }, minute) => ({ rss: rss * (1 + minute / 50) }), /^memory grew from \d+ MB to \d+ MB$/],
  ['open files', ({ fds }, minute) => ({ fds: fds + minute * 4 }), /^open files grew/],
  ['timers', ({ resources }, minute) => ({ resources: resources + minute * 20 }), /^timers and sockets grew/],
  ['the log', (_, minute) => ({ wal: minute > 5 ? 2_000 * MB : 80 * MB }), /^the write-ahead log grew to 2000 MB$/],
  ['silence', ({ acknowledged }) => ({ acknowledged: Math.min(acknowledged, 200) }), /^nothing was acknowledged/],
])('names the growing resource: %s', (_what, change, said) => {
  expect(compareFirstAndLastSoakSamples(steady(change), 60).violations).toEqual([expect.stringMatching(said)]);
});

it('rejects a run with too few samples', () => {
  expect(() => compareFirstAndLastSoakSamples(steady().slice(0, 20), 60)).toThrow(/Too few samples/);
});
