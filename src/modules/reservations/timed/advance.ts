/**
 * Advances a test clock. The clock stops at each moment at which work becomes due for a stay of its
 * properties, and that work is done as if the time had really passed. The clock's row stores the
 * progress, so that a repeated call continues an interrupted advance.
 */
import { logger } from '@/infra/logger';
import { type AdvancingTestClock, advanceTestClockTo, findAdvancingTestClock } from '@/modules/test-clocks/service';
import { createSystemScope } from '@/shared/scope';
import { detectDoubleBookingsOfProperty } from '../double-bookings/detect';
import {
  getScheduledActionDueTimes,
  getStayDateBoundsForScheduledActions,
  SCHEDULED_ACTION_KINDS,
  type ScheduledActionKind,
} from '../rules/reminders';
import { findDueScheduledActions, performDueScheduledActions } from './due-work';
import { findStaysOfTestClock } from './repository';

const PAGE = 200;
/**
 * The maximum number of stops in one call of `advanceTestClockInSteps`, which must be safe to
 * repeat. At each stop, scheduled work may become due.
 */
const STOPS = 50;

/** A moment at which one kind of scheduled work for a reservation may become due. */
interface Stop {
  at: Date;
  work: ScheduledActionKind;
  reservation_id: string;
}

/**
 * Advances the clock by at most STOPS stops. Returns whether it has reached its target. A clock
 * that was deleted or is not advancing counts as having reached it.
 */
export async function advanceTestClockInSteps(test_clock_id: string): Promise<{ arrived: boolean; done: number }> {
  const clock = await findAdvancingTestClock(test_clock_id);
  if (!clock) return { arrived: true, done: 0 };
  let done = 0;
  const scope = createSystemScope(clock.team_id, clock.mode, 'test-clock');
  for (const property_id of clock.property_ids) await detectDoubleBookingsOfProperty(scope, property_id);
  // First does work that is already due at the clock's current time.
  for (const { work, reservation_ids } of await findDueScheduledActions(SCHEDULED_ACTION_KINDS, {
    test_clock_id,
    now: clock.frozen_time,
  })) {
    for (const id of reservation_ids) done += await doOne(work, id);
  }
  const stops = await stopsAhead(clock);
  for (const { at, work, reservation_id } of stops.slice(0, STOPS)) {
    await advanceTestClockTo(test_clock_id, at);
    done += await doOne(work, reservation_id);
  }
  if (stops.length > STOPS) return { arrived: false, done };
  await advanceTestClockTo(test_clock_id, clock.target_time);
  return { arrived: true, done };
}

/** Does the work for one reservation. A failure does not stop the clock. */
async function doOne(work: ScheduledActionKind, reservation_id: string): Promise<number> {
  try {
    return (await performDueScheduledActions(work, reservation_id)) === 'done' ? 1 : 0;
  } catch (error) {
    logger().error({ err: error, reservation_id, work }, 'a test clock went on without it');
    return 0;
  }
}

async function stopsAhead(clock: AdvancingTestClock): Promise<Stop[]> {
  const stops: Stop[] = [];
  const dates = getStayDateBoundsForScheduledActions(clock.frozen_time, clock.target_time);
  for (let after_id = ''; ; ) {
    const stays = await findStaysOfTestClock(clock.id, dates, after_id, PAGE);
    for (const stay of stays) {
      const moments = getScheduledActionDueTimes(stay, stay);
      for (const work of SCHEDULED_ACTION_KINDS) {
        const at = moments[work];
        if (at > clock.frozen_time && at <= clock.target_time) stops.push({ at, work, reservation_id: stay.id });
      }
    }
    after_id = stays.at(-1)?.id ?? '';
    if (stays.length < PAGE) break;
  }
  return stops.sort((a, b) => a.at.getTime() - b.at.getTime());
}
