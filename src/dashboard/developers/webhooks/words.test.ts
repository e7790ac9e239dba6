import { describe, expect, it } from 'vitest';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import { EVENT_GROUPS, subscription } from './event-groups';
import { outcomeOf } from './outcome';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const attempt = {
  status: 'failed' as const,
  status_code: null,
  error_kind: null,
  due_at: new Date(NOW).toISOString(),
  endpoint_status: 'enabled',
};

describe('the outcome of an attempt', () => {
  it.each([
    ['accepted', { status: 'succeeded' as const, status_code: 204 }, 'Accepted, 204'],
    ['refused', { status_code: 500 }, 'Refused, 500'],
    ['not answered', { error_kind: 'timeout' }, 'Timed out'],
    ['cut off after the status line', { status_code: 200, error_kind: 'reset' }, 'Connection lost'],
    ['failed in a new way', { error_kind: 'something' }, 'Could not be sent'],
    ['due', { status: 'pending' as const }, 'Being sent'],
    ['due later', { status: 'pending' as const, due_at: new Date(NOW + 1).toISOString() }, 'Scheduled'],
    [
      'due on a disabled endpoint',
      { status: 'pending' as const, endpoint_status: 'auto_disabled' },
      'Waits until enabled',
    ],
  ])('%s', (_name, change, label) => expect(outcomeOf({ ...attempt, ...change }, NOW).label).toBe(label));
});

it('every event type is in exactly one group', () => {
  const types = EVENT_GROUPS.flatMap((group) => group.types.map((item) => item.type));
  expect([...types].sort()).toEqual([...EVENT_TYPE_NAMES].sort());
  expect(EVENT_GROUPS.map((group) => group.label)).not.toContain('Other');
});

it('a subscription in words', () => {
  expect(subscription(['*'])).toBe('All events');
  expect(subscription(['packet.updated'])).toBe('packet.updated');
  expect(subscription(['packet.updated', 'property.created'])).toBe('2 event types');
});
