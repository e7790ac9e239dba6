/**
 * The groups of what a guest needs to get in. From here and not from the schemas, which bring all
 * of zod into a page.
 */
import type { ArrivalGroup } from '@/modules/packets/schemas';

/** Each once: the compiler asks for every one. Their words are `arrival_…` of `terms`. */
const GROUPS: Record<ArrivalGroup, true> = { wifi: true, door_code: true, checkin_notes: true, parking_notes: true };

export const ARRIVAL_GROUPS = Object.keys(GROUPS) as ArrivalGroup[];
