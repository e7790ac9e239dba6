/** Tests idempotent writes under any sequence of keys, bodies and waits, against a naive model. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type ApiCaller,
  type ApiTestContext,
  buildReservationInput,
  createApiCaller,
  DAY_MS,
  HOUR_MS,
  makeProperty,
  openApiTestContext,
  type ResponseBody,
} from './test-context';

let world: ApiTestContext;
let live: ApiCaller;
let property: ResponseBody;

beforeAll(async () => {
  world = await openApiTestContext();
  live = createApiCaller(world.api, world.team.live);
  property = await makeProperty(live);
});
afterAll(() => world.close());

interface Remembered {
  body: number;
  at: number;
  text: string;
  status: number;
}

const command = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('write' as const), key: fc.nat(2), body: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 11, 23, 24) }) },
);
/**
 * Returns a body by index. The server refuses the last two: one with a 404, which it stores, and
 * one with a 400, which it does not store.
 */
const bodyOf = (index: number) =>
  [
    buildReservationInput(world.clock, property.id, { checkin_date: '2030-01-01', checkout_date: '2030-01-02' }),
    buildReservationInput(world.clock, property.id, { checkin_date: '2031-01-01', checkout_date: '2031-01-02' }),
    buildReservationInput(world.clock, 'prop_nothing00', { checkin_date: '2030-01-01', checkout_date: '2030-01-02' }),
    { property_id: property.id },
  ][index];
const STATUS = [201, 201, 404, 400];

it('replays a repeated request byte for byte for 24 hours, rejects another body, then forgets the key', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 14 }), async (commands) => {
      run += 1;
      world.clock.freeze();
      const model = new Map<number, Remembered>();
      for (const step of commands) {
        if (step.kind === 'wait') {
          world.clock.advance(step.hours * HOUR_MS);
          continue;
        }
        const now = world.clock.now().getTime();
        const known = model.get(step.key);
        const remembered = known && known.at + DAY_MS > now ? known : undefined;
        const answer = await live.post('/reservations', bodyOf(step.body), {
          'Idempotency-Key': `run-${run}-${step.key}`,
        });
        const replay = answer.headers.get('idempotent-replay');
        if (remembered && remembered.body !== step.body) {
          expect([answer.status, replay]).toEqual([422, null]);
        } else if (remembered) {
          expect([answer.status, replay]).toEqual([remembered.status, 'true']);
          expect(answer.text).toBe(remembered.text);
        } else {
          expect([answer.status, replay]).toEqual([STATUS[step.body], null]);
          for (const other of model.values()) expect(answer.text).not.toBe(other.text);
          if (answer.status === 400) model.delete(step.key);
          else model.set(step.key, { body: step.body, at: now, text: answer.text, status: answer.status });
        }
      }
    }),
    { numRuns: 20 },
  );
}, 60_000);
