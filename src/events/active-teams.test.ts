import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hasSeveralActiveTeams, recordActiveTeam } from './active-teams';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('a team that wrote within the last two seconds still counts as active', () => {
  vi.advanceTimersByTime(10_000);
  recordActiveTeam('writes now and then');
  recordActiveTeam('has a backlog');
  for (let ms = 100; ms <= 1_500; ms += 100) {
    vi.advanceTimersByTime(100);
    recordActiveTeam('has a backlog');
    expect(hasSeveralActiveTeams()).toBe(true);
  }
  vi.advanceTimersByTime(600);
  recordActiveTeam('has a backlog');
  expect(hasSeveralActiveTeams()).toBe(false);
});
