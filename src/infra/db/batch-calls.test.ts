import { describe, expect, test } from 'vitest';
import { batchCalls } from './batch-calls';

/**
 * Returns a batched function that doubles its input, a function that releases the next batch, and
 * the batches so far.
 */
function doubling() {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const double = batchCalls(async (asks: number[]) => {
    batches.push(asks);
    await new Promise<void>((open) => gates.push(open));
    if (asks.includes(13)) throw new Error('unlucky');
    return asks.map((ask) => ask * 2);
  }, 4);
  return { batches, double, open: () => gates.shift()!() };
}

/** Waits for pending promises. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('batchCalls', () => {
  test('runs the first call immediately, and batches those that arrive meanwhile', async () => {
    const { batches, double, open } = doubling();
    const answers = Promise.all([1, 2, 3].map(double));
    expect(batches).toEqual([[1]]);
    open();
    await turn();
    expect(batches).toEqual([[1], [2, 3]]);
    open();
    expect(await answers).toEqual([2, 4, 6]);
    // Nothing is running, so the next call starts a new batch.
    void double(4);
    expect(batches.at(-1)).toEqual([4]);
    open();
  });

  test('no batch exceeds the limit, and no call is lost', async () => {
    const { batches, double, open } = doubling();
    const asks = Array.from({ length: 10 }, (_, index) => index);
    const answers = Promise.all(asks.map(double));
    for (let round = 0; round < 4; round++) {
      await turn();
      open();
    }
    expect(await answers).toEqual(asks.map((ask) => ask * 2));
    expect(batches.map((batch) => batch.length)).toEqual([1, 4, 4, 1]);
  });

  test('a failing call fails alone, and later calls succeed', async () => {
    const { double, open, batches } = doubling();
    const answers = Promise.allSettled([1, 2, 13, 4, 5, 6].map(double));
    while (batches.flat().length < 6 + 4 || batches.length < 6) {
      await turn();
      open();
    }
    await turn();
    expect((await answers).map((answer) => (answer.status === 'fulfilled' ? answer.value : 'failed'))).toEqual([
      2,
      4,
      'failed',
      8,
      10,
      12,
    ]);
  });
});
