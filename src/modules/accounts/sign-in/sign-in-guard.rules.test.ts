import { describe, expect, it } from 'vitest';
import { computeSignInAttemptDelayMs } from './sign-in-guard.rules';

describe('the delay before a password is checked', () => {
  it.each([
    [{ account: 1, client: 0 }, 0],
    [{ account: 3, client: 20 }, 0],
    [{ account: 4, client: 0 }, 250],
    [{ account: 5, client: 0 }, 500],
    [{ account: 8, client: 0 }, 4_000],
    [{ account: 9, client: 0 }, 5_000],
    [{ account: 1e9, client: 0 }, 5_000],
    [{ account: 1, client: 21 }, 250],
    [{ account: 1, client: 1e9 }, 5_000],
  ])('after %j is %i ms', (failures, wait) => {
    expect(computeSignInAttemptDelayMs(failures)).toBe(wait);
  });

  it('never shrinks as failures grow', () => {
    for (let count = 1; count < 50; count++) {
      for (const kind of ['account', 'client'] as const) {
        const at = (n: number) => computeSignInAttemptDelayMs({ account: 0, client: 0, [kind]: n });
        expect(at(count + 1)).toBeGreaterThanOrEqual(at(count));
      }
    }
  });
});
