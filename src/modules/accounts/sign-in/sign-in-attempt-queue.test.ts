import { expect, it } from 'vitest';
import { SignInAttemptQueue } from './sign-in-attempt-queue';

const outcome = async (waiting: Promise<boolean>) => {
  const started = performance.now();
  const waited = await waiting;
  return !waited ? 'refused' : performance.now() - started > 150 ? 'waited' : 'at once';
};
const MS = 200;

it('a few attempts of one client wait, and more are refused', async () => {
  const room = new SignInAttemptQueue({ per_client: 2, seats: 10 });
  const four = ['a', 'a', 'a', 'b'].map((client) => outcome(room.wait(client, MS)));
  expect(await Promise.all(four)).toEqual(['waited', 'waited', 'refused', 'waited']);
  expect(await outcome(room.wait('a', MS))).toBe('waited');
  expect(await outcome(room.wait('a', 0))).toBe('at once');
});

it('a full waiting room lets further attempts pass at once, and frees its seats afterwards', async () => {
  const room = new SignInAttemptQueue({ per_client: 2, seats: 3 });
  const five = ['a', 'b', 'c', 'd', 'e'].map((client) => outcome(room.wait(client, MS)));
  expect(await Promise.all(five)).toEqual(['waited', 'waited', 'waited', 'at once', 'at once']);
  expect(await outcome(room.wait('d', MS))).toBe('waited');
});
