/**
 * Does the work that becomes due by time: automatic sending, reminders, late alerts, expiry. The
 * rules (rules/reminders.ts) are applied twice: to the row that was found, and again inside the
 * change. It is therefore harmless if a row is found late, twice, or by two processes at the same
 * time.
 */
import { logger } from '@/infra/logger';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { createSystemScope } from '@/shared/scope';
import {
  getReservationDateRangeToSweep,
  listDueScheduledActions,
  SCHEDULED_ACTION_KINDS,
  type ScheduledActionKind,
} from '../rules/reminders';
import { findReservationsForScheduledAction, type ReservationForScheduledAction } from './repository';
import { expireReservation, sendLateSigningAlert, sendPacketAutomatically, sendReminder } from './timed-work';

const PAGE = 200;
/** The number of reservations in one run, small enough that the run's history is readable. */
const CHUNK = 50;

/** The due work of one kind for a team. */
export interface DueScheduledActionBatch {
  team_id: string;
  work: ScheduledActionKind;
  reservation_ids: string[];
}

/** The function that performs each kind of scheduled work. */
const ACTIONS: Record<
  ScheduledActionKind,
  (candidate: ReservationForScheduledAction, scope: ReturnType<typeof createSystemScope>) => Promise<boolean>
> = {
  auto_send: sendPacketAutomatically,
  reminder_24h: (candidate, scope) => sendReminder('reminder_24h', candidate, scope),
  reminder_2h: (candidate, scope) => sendReminder('reminder_2h', candidate, scope),
  late_alert: sendLateSigningAlert,
  expire: expireReservation,
};

/** The current time of a test clock, which applies to the clock's properties. */
export interface TestClockTime {
  test_clock_id: string;
  now: Date;
}

/**
 * Returns the work that is due now for all teams, in chunks by team and kind. With a test clock,
 * returns only the work at the clock's properties. Without a test clock, returns only the work at
 * properties in real time.
 */
export async function findDueScheduledActions(
  works: readonly ScheduledActionKind[] = SCHEDULED_ACTION_KINDS,
  at: TestClockTime | null = null,
): Promise<DueScheduledActionBatch[]> {
  const found: DueScheduledActionBatch[] = [];
  for (const work of works) {
    const open = new Map<string, DueScheduledActionBatch>();
    for await (const { id, team_id } of dueCandidates(work, at)) {
      let due = open.get(team_id);
      if (!due || due.reservation_ids.length >= CHUNK) {
        due = { team_id, work, reservation_ids: [] };
        open.set(team_id, due);
        found.push(due);
      }
      due.reservation_ids.push(id);
    }
  }
  return found;
}

async function* dueCandidates(
  work: ScheduledActionKind,
  at: TestClockTime | null,
): AsyncGenerator<ReservationForScheduledAction> {
  const test_clock_id = at?.test_clock_id ?? null;
  const dates = getReservationDateRangeToSweep(work, at?.now ?? clock().now());
  for (let after_id = ''; ; ) {
    const candidates = await findReservationsForScheduledAction(work, dates, { test_clock_id, after_id }, PAGE);
    yield* filterDueReservationsLoggingErrors(candidates, (candidate) => isDue(candidate, work));
    const last = candidates.at(-1);
    if (!last || candidates.length < PAGE) return;
    after_id = last.id;
  }
}

/**
 * Returns the rows that are due. Logs and skips a row that causes an error, so that it does not
 * block the others.
 */
export const filterDueReservationsLoggingErrors = <T extends { id: string }>(
  candidates: readonly T[],
  judge: (candidate: T) => boolean,
): T[] =>
  candidates.filter((candidate) => {
    try {
      return judge(candidate);
    } catch (error) {
      logger().error(
        { err: error, reservation_id: candidate.id },
        'the timed work of a reservation cannot be determined',
      );
      return false;
    }
  });

const isDue = (candidate: ReservationForScheduledAction, work: ScheduledActionKind) =>
  listDueScheduledActions(candidate, candidate, candidate.clock_time ?? clock().now()).includes(work);

/**
 * Does the due work of one reservation. Returns `skipped` when the work is no longer due, another
 * change came first, or the rules refuse it, for example without an active packet.
 */
export async function performDueScheduledActions(
  work: ScheduledActionKind,
  reservation_id: string,
): Promise<'done' | 'skipped'> {
  const [candidate] = await findReservationsForScheduledAction(work, null, { id: reservation_id }, 1);
  if (!candidate || !isDue(candidate, work)) return 'skipped';
  try {
    const scope = createSystemScope(candidate.team_id, candidate.mode, work.replaceAll('_', '-'));
    return (await ACTIONS[work](candidate, scope)) ? 'done' : 'skipped';
  } catch (error) {
    if (error instanceof AppError && error.definition.status < 500) return 'skipped';
    logger().error({ err: error, reservation_id, work }, 'timed work on a reservation failed');
    throw error;
  }
}
