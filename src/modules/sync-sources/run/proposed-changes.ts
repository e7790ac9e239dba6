/** Lists the changes of a plan, for display to the host. Pure. */
import { getGuestNameForNewReservation } from '../plan/guest-identity';
import type { BookingChange } from '../plan/planner';
import type { SyncPlanWithInputs } from './make-plan';

/** The maximum number of shown changes. A listing has far fewer future bookings. */
export const MAX_PREVIEWED_RESERVATION_CHANGES = 500;

/** `miss`: the booking is missing and is cancelled if the next run does not find it either. */
type What = 'cancel' | 'miss' | 'move' | 'update' | 'restore' | 'adopt' | 'create';

/**
 * Returns the changes that a plan makes or asks the host to approve, the most severe first. `was`
 * holds the dates before the change.
 */
export function listProposedReservationChanges({ plan, known }: Pick<SyncPlanWithInputs, 'plan' | 'known'>) {
  const by_id = new Map(known.map((row) => [row.id, row]));
  const change = (what: What, { id, checkin_date, checkout_date }: Partial<BookingChange>) => {
    const row = by_id.get(id ?? '');
    const now = { checkin_date: row?.checkin_date ?? '', checkout_date: row?.checkout_date ?? '' };
    return {
      what,
      reservation_id: id ?? null,
      guest_name: row?.guest_name ?? '',
      checkin_date: checkin_date ?? now.checkin_date,
      checkout_date: checkout_date ?? now.checkout_date,
      was: isDated({ checkin_date, checkout_date }) ? now : null,
      external: null,
    };
  };
  if (plan.health.reason === 'asks') {
    return (plan.held.question?.would ?? []).map(({ external_ids: _, guest_name, ...one }) => ({
      ...one,
      guest_name: guest_name ?? by_id.get(one.reservation_id ?? '')?.guest_name ?? '',
      was: null,
      external: null,
    }));
  }
  return [
    ...plan.cancels.map((one) => change('cancel', one)),
    ...plan.vanished.map(({ id }) => change('miss', { id })),
    ...plan.moved.map((one) => change('move', one)),
    ...plan.updates.filter(isDated).map((one) => change('update', one)),
    ...plan.returned.map((one) => change('restore', one)),
    ...plan.creates.map((entry) => ({
      what: 'create' as const,
      reservation_id: null,
      guest_name: getGuestNameForNewReservation(entry),
      checkin_date: entry.checkin_date,
      checkout_date: entry.checkout_date,
      was: null,
      /** The code and UID of a new reservation. */
      external: { id: entry.external_id, uid: entry.uid },
    })),
    ...plan.updates.filter((one) => one.adopt && !isDated(one)).map((one) => change('adopt', one)),
  ];
}

const isDated = ({ checkin_date, checkout_date }: Partial<BookingChange>) =>
  checkin_date !== undefined || checkout_date !== undefined;
