/** The clocks that are being advanced, over all teams; where each has come to is in its row. */
import { clock } from '@/shared/clock';
import { type AdvancingClock, endAdvance, findAdvancing, moveOn } from './repository';

export type { AdvancingClock };

/** One that is being advanced; null when it is not, or is gone. */
export const findAdvancingClock = async (id: string): Promise<AdvancingClock | null> =>
  (await findAdvancing(id))[0] ?? null;

export const listAdvancingClocks = (): Promise<AdvancingClock[]> => findAdvancing();

/** Moves it on, never back and no further than its target. */
export const moveClockOn = (id: string, to: Date): Promise<void> => moveOn(id, to);

/** It is ready again. */
export const endClockAdvance = (id: string): Promise<void> => endAdvance(id, clock().now());
