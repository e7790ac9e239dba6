import { expect, it } from 'vitest';
import { formatTimeSince } from './since';

it.each([
  ['2026-12-24T11:59:30Z', 'just now'],
  ['2026-12-24T12:00:30Z', 'just now'],
  ['2026-12-24T11:58:59Z', '1 minute ago'],
  ['2026-12-24T11:00:00Z', '1 hour ago'],
  ['2026-12-23T12:01:00Z', '23 hours ago'],
  ['2026-12-21T12:00:00Z', '3 days ago'],
])('%s was %s', (moment, words) => {
  expect(formatTimeSince(moment, new Date('2026-12-24T12:00:00Z'), { formats: 'en-GB', just_now: 'just now' })).toBe(
    words,
  );
});
