import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hasSeveralTeamsWithRecentEvents, recordEventActivityOfTeam } from './active-teams';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('a team that wrote within the last two seconds still counts as active', () => {
  vi.advanceTimersByTime(10_000);
  recordEventActivityOfTeam('writes now and then');
  recordEventActivityOfTeam('has a backlog');
  for (let ms = 100; ms <= 1_500; ms += 100) {
    vi.advanceTimersByTime(100);
    recordEventActivityOfTeam('has a backlog');
    expect(hasSeveralTeamsWithRecentEvents()).toBe(true);
  }
  vi.advanceTimersByTime(600);
  recordEventActivityOfTeam('has a backlog');
  expect(hasSeveralTeamsWithRecentEvents()).toBe(false);
});
