/** A redaction reaches the embedded database's own files: hourly, after there was one. */
import { clearRemoved } from '@/infra/db/housekeeping';
import { clock } from '@/shared/clock';
import { wasRedactedSince } from '../repository';

/** Twice the time between two looks: one that comes late misses nothing. */
const LOOK_BACK_MS = 2 * 3_600_000;

/** Whether there was something to clear. */
export async function clearRedacted(): Promise<boolean> {
  if (!(await wasRedactedSince(new Date(clock().now().getTime() - LOOK_BACK_MS)))) return false;
  return clearRemoved();
}
