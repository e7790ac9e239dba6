import type { TimedWork } from '@/modules/reservations/rules/reminders';
import { type SweepReport, sweepReservations } from '@/modules/reservations/timed/sweeps';

/** One sweep. What failed makes the run fail, so that an operator sees it; the next sweep tries again by itself. */
export async function sweep(work: TimedWork): Promise<SweepReport> {
  const report = await sweepReservations(work);
  const [first] = report.failed;
  if (first) {
    throw new Error(`${report.failed.length} failed, ${report.done} done. ${first.reservation_id}: ${first.message}`);
  }
  return report;
}
