import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hasEventActivityOfSeveralTeams, recordTeamWithEventActivity } from './active-teams';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('a team that wrote within the last two seconds still counts as active', () => {
  vi.advanceTimersByTime(10_000);
  recordTeamWithEventActivity('writes now and then');
  recordTeamWithEventActivity('has a backlog');
  for (let ms = 100; ms <= 1_500; ms += 100) {
    vi.advanceTimersByTime(100);
    recordTeamWithEventActivity('has a backlog');
    expect(hasEventActivityOfSeveralTeams()).toBe(true);
  }
  vi.advanceTimersByTime(600);
  recordTeamWithEventActivity('has a backlog');
  expect(hasEventActivityOfSeveralTeams()).toBe(false);
});
