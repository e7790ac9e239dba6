/**
 * When a backlog gives way: this process is busy, and something was committed a moment ago. Each attempt of a long backlog
 * takes a turn of the event loop, and what was just committed has some thirty turns to wait for until it is delivered.
 */
import { performance } from 'node:perf_hooks';
import { sinceNudge } from '@/events/nudge';

/** A run has a backlog when it has begun this many attempts. */
export const BACKLOG = 64;
/** While it gives way, it begins this many at a time, and no sooner than after the pause. */
export const GIVE_WAY = { attempts: 2, pause_ms: 20 };

const JUST_NOW_MS = 500;
const BUSY = 0.6;
const SAMPLE_MS = 50;

let sampled_at = Number.NEGATIVE_INFINITY;
let sample = performance.eventLoopUtilization();
let busy = false;

/** Whether a backlog has to leave this process to others for now. */
export function givesWay(): boolean {
  if (sinceNudge() > JUST_NOW_MS) return false;
  const now = performance.now();
  if (now - sampled_at >= SAMPLE_MS) {
    const next = performance.eventLoopUtilization();
    busy = performance.eventLoopUtilization(next, sample).utilization > BUSY;
    [sample, sampled_at] = [next, now];
  }
  return busy;
}
