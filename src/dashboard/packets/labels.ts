/**
 * Lists the groups of arrival details. Importing them from the schemas would load zod with the
 * page.
 */
import type { ArrivalDetailGroup } from '@/modules/packets/schemas';

/**
 * An object instead of a list, so that type checking fails when a group is missing. The labels are
 * the messages `arrival_…` in the namespace `terms`.
 */
const GROUPS: Record<ArrivalDetailGroup, true> = {
  wifi: true,
  door_code: true,
  checkin_notes: true,
  parking_notes: true,
};

export const ARRIVAL_FIELD_GROUPS = Object.keys(GROUPS) as ArrivalDetailGroup[];
