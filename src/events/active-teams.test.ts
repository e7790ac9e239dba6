import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteActive, severalActive } from './active-teams';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('a team that wrote within the last two seconds still counts as active', () => {
  vi.advanceTimersByTime(10_000);
  noteActive('writes now and then');
  noteActive('has a backlog');
  for (let ms = 100; ms <= 1_500; ms += 100) {
    vi.advanceTimersByTime(100);
    noteActive('has a backlog');
    expect(severalActive()).toBe(true);
  }
  vi.advanceTimersByTime(600);
  noteActive('has a backlog');
  expect(severalActive()).toBe(false);
});
