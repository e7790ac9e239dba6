import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hasSeveralTeamsWithRecentEvents, recordTeamWithRecentEvent } from './active-teams';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('a team that wrote within the last two seconds still counts as active', () => {
  vi.advanceTimersByTime(10_000);
  recordTeamWithRecentEvent('writes now and then');
  recordTeamWithRecentEvent('has a backlog');
  for (let ms = 100; ms <= 1_500; ms += 100) {
    vi.advanceTimersByTime(100);
    recordTeamWithRecentEvent('has a backlog');
    expect(hasSeveralTeamsWithRecentEvents()).toBe(true);
  }
  vi.advanceTimersByTime(600);
  recordTeamWithRecentEvent('has a backlog');
  expect(hasSeveralTeamsWithRecentEvents()).toBe(false);
});
