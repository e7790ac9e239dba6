/**
 * The groups of arrival details. They are not imported from the schemas, which would load zod with
 * the page.
 */
import type { ArrivalGroup } from '@/modules/packets/schemas';

/**
 * A record, so that the type check requires every group. Their labels are the messages `arrival_…`
 * of `terms`.
 */
const GROUPS: Record<ArrivalGroup, true> = { wifi: true, door_code: true, checkin_notes: true, parking_notes: true };

export const ARRIVAL_GROUPS = Object.keys(GROUPS) as ArrivalGroup[];
