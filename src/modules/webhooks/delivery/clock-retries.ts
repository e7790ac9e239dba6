/** Retries follow a test clock as far as a real receiver can: the one that waits comes nearer. */
import { clock } from '@/shared/clock';
import * as repository from './clock-retries.repository';

/** Brings the waiting retries of events about a clock's properties forward by what it was advanced; how many. */
export const bringRetriesForward = (test_clock_id: string): Promise<number> =>
  repository.bringForward(test_clock_id, clock().now());
