import { clock } from '@/shared/clock';

/** Milliseconds from now to a moment: what an engine with another clock waits correctly. */
export const waitUntil = (moment: Date): number => Math.max(0, moment.getTime() - clock().now().getTime());
