/**
 * What time makes due, done: auto-send, reminders, late alerts, expiry. The rules (reminders.rules.ts) decide twice:
 * for the row the sweep found, and again inside the change, so that a sweep may run late, twice or beside another.
 */
import { logger } from '@/infra/logger';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { systemScope } from '@/shared/scope';
import { candidateDates, dueWork, type TimedWork } from '../rules/reminders';
import { type Candidate, findCandidates } from './repository';
import { autoSend, expireReservation, lateAlert, remind } from './timed-work';

const BATCH = 200;

export interface SweepReport {
  done: number;
  /** Due, but refused by the rules of a change (no active packet, say) or changed by someone else meanwhile. */
  skipped: number;
  failed: { reservation_id: string; message: string }[];
}

/** The kinds of work that one sweep can do. */
const ACTIONS: Record<TimedWork, (candidate: Candidate, scope: ReturnType<typeof systemScope>) => Promise<boolean>> = {
  auto_send: autoSend,
  reminder_24h: (candidate, scope) => remind('reminder_24h', candidate, scope),
  reminder_2h: (candidate, scope) => remind('reminder_2h', candidate, scope),
  late_alert: lateAlert,
  expire: expireReservation,
};

/** Does everything of one kind that is due now, for all teams. One that fails keeps none of the others from it. */
export async function sweepReservations(work: TimedWork): Promise<SweepReport> {
  const report: SweepReport = { done: 0, skipped: 0, failed: [] };
  const dates = candidateDates(work, clock().now());
  let after_id = '';
  for (;;) {
    const candidates = await findCandidates(work, dates, after_id, BATCH);
    for (const candidate of candidates) {
      if (dueWork(candidate, candidate, clock().now()).includes(work)) await doOne(work, candidate, report);
    }
    const last = candidates.at(-1);
    if (!last || candidates.length < BATCH) return report;
    after_id = last.id;
  }
}

async function doOne(work: TimedWork, candidate: Candidate, report: SweepReport): Promise<void> {
  try {
    const scope = systemScope(candidate.team_id, candidate.mode, work.replaceAll('_', '-'));
    report[(await ACTIONS[work](candidate, scope)) ? 'done' : 'skipped'] += 1;
  } catch (error) {
    if (error instanceof AppError && error.definition.status < 500) {
      report.skipped += 1;
      return;
    }
    logger().error({ err: error, reservation_id: candidate.id, work }, 'timed work failed');
    report.failed.push({
      reservation_id: candidate.id,
      message: error instanceof Error ? error.message : String(error),
    });
  }
}
