import { expect, it } from 'vitest';
import { doerOf } from './timeline';

it.each([
  ['user user_1', 'Olga'],
  ['user user_2', 'a former member'],
  ['api_key key_1', 'the API'],
  ['system calendar-sync', 'the calendar'],
  ['system auto-send', 'Threshold, by itself'],
  ['guest', null],
  [null, null],
])('%s is %s', (actor, doer) => {
  expect(doerOf(actor, new Map([['user_1', 'Olga']]))).toBe(doer);
});
