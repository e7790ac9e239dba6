/**
 * Detects double bookings (several bookings for the same nights) and notifies the owners once for
 * each pair. New reservations, and reservations whose nights changed, are marked with
 * `nights_changed`. A sweep compares marked rows after their commit. If two rows are written at the
 * same time, the later of the two comparisons finds the pair. The mail is queued in the transaction
 * that inserts the pair, so concurrent comparisons send it only once.
 */
import { config } from '@/config';
import { renderDoubleBookingEmail } from '@/emails/double-booking';
import { lockPropertyNights } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { logger } from '@/infra/logger';
import { findOwnerEmailAddresses } from '@/modules/accounts/team.service';
import { queueMail } from '@/modules/mail/service';
import { clock } from '@/shared/clock';
import { createSystemScope, type Scope } from '@/shared/scope';
import * as repository from './repository';
import { sortReservationIdPair } from './same-nights.rules';
import { findOverlapsByStayId, type StayWithOverlaps } from './service';

const BATCH = 200;
const ATTEMPTS = 3;

type Clash = { one: repository.StayRowForDoubleBookingCheck; other: repository.StayRowForDoubleBookingCheck };

/**
 * Compares all changed nights of all teams. If a comparison fails, the next sweep repeats it.
 * Returns the number of compared reservations and the number of reported pairs.
 */
export async function detectDoubleBookings(): Promise<{ looked: number; told: number }> {
  const total = { looked: 0, told: 0 };
  for (let after = ''; ; ) {
    const [first] = await repository.findReservationsForDoubleBookingCheck({ after }, 1);
    if (!first) return total;
    after = first.property_id;
    try {
      const { looked, told } = await detectDoubleBookingsOfProperty(
        createSystemScope(first.team_id, first.mode, 'same-nights'),
        after,
      );
      total.looked += looked;
      total.told += told;
    } catch (error) {
      logger().error({ err: error, property_id: after }, 'a property could not be checked for double bookings');
    }
  }
}

/** Compares bookings of one property whose nights changed with the property's other bookings. */
export async function detectDoubleBookingsOfProperty(
  scope: Scope,
  property_id: string,
): Promise<{ looked: number; told: number }> {
  const total = { looked: 0, told: 0 };
  for (;;) {
    const rows = await repository.findReservationsForDoubleBookingCheck({ property_id }, BATCH);
    if (rows.length === 0) return total;
    total.told += await look(scope, property_id, rows);
    total.looked += rows.length;
    // Rows that changed during the comparison remain marked, and the next sweep compares them.
    if (rows.length < BATCH) return total;
  }
}

/** The mails about a set of pairs. */
interface PairMails {
  readonly pairs: string;
  send(): Promise<void>;
}

const NO_MAILS: PairMails = { pairs: '', send: async () => {} };

async function look(
  scope: Scope,
  property_id: string,
  rows: readonly repository.ReservationForDoubleBookingCheck[],
): Promise<number> {
  let mails = NO_MAILS;
  for (let attempt = 1; ; attempt += 1) {
    const step = await inTransaction(scope, async (): Promise<number | Clash[]> => {
      // Waits for a calendar run that is adding bookings (see `isOnlySyncSourceOfProperty`).
      if (!(await lockPropertyNights(scope, property_id))) return 0;
      const { fresh, over } = await compare(
        scope,
        rows.map(({ id }) => id),
      );
      // The mails for these pairs are rendered outside the transaction. The next iteration compares
      // again, and stores the pairs only if they are still the same.
      if (pairsOf(fresh) !== mails.pairs) return fresh;
      const pairs = fresh.map(({ one, other }) => sortReservationIdPair(one.id, other.id));
      if (pairs.length > 0) await repository.insertDoubleBookingPairs(scope, pairs, clock().now());
      await repository.deleteDoubleBookingPairs(scope, over);
      await repository.markAsCheckedForDoubleBookings(scope, rows);
      await mails.send();
      return fresh.length;
    });
    if (typeof step === 'number') return step;
    if (attempt === ATTEMPTS) throw new Error('The nights kept changing.');
    mails = { pairs: pairsOf(step), send: await prepareMail(scope, property_id, step) };
  }
}

const pairsOf = (clashes: readonly Clash[]) =>
  clashes.map(({ one, other }) => sortReservationIdPair(one.id, other.id).join(' ')).join();

/** Returns the pairs that are not stored yet, and the stored pairs that no longer share nights. */
async function compare(scope: Scope, ids: readonly string[]) {
  const clashes = clashesOf(await findOverlapsByStayId(scope, ids));
  const pairs = await repository.listDoubleBookingPairs(scope, ids);
  const known = new Set(pairs.map(({ reservation_id, other_id }) => `${reservation_id} ${other_id}`));
  return {
    fresh: [...clashes].filter(([key]) => !known.has(key)).map(([, clash]) => clash),
    over: pairs.filter(({ reservation_id, other_id }) => !clashes.has(`${reservation_id} ${other_id}`)),
  };
}

/** Returns the double bookings, keyed by the two ids in their stored order. */
function clashesOf(compared: ReadonlyMap<string, StayWithOverlaps>): Map<string, Clash> {
  const clashes = new Map<string, Clash>();
  for (const { stay: one, related } of compared.values()) {
    for (const { as, other } of related) {
      if (as === 'conflict') clashes.set(sortReservationIdPair(one.id, other.id).join(' '), { one, other });
    }
  }
  return clashes;
}

async function prepareMail(scope: Scope, property_id: string, clashes: readonly Clash[]): Promise<() => Promise<void>> {
  const property_name = clashes.length > 0 ? await repository.findPropertyName(scope, property_id) : null;
  const [first] = clashes;
  if (!first || property_name === null) return async () => {};
  const { app_url } = config();
  const content = await renderDoubleBookingEmail({
    property_name,
    pairs: clashes.map(({ one, other }) => ({ one: named(one), other: named(other) })),
    dashboard_url:
      clashes.length === 1
        ? `${app_url}/reservations/${first.one.id}`
        : `${app_url}/reservations?attention=same_nights&property=${property_id}`,
  });
  const owners = await findOwnerEmailAddresses(scope.team_id);
  return async () => {
    for (const to of owners) await queueMail(scope, { ...content, template: 'same_nights', to });
  };
}

const sourceLabel = (source: repository.StayRowForDoubleBookingCheck['source']) =>
  source === 'direct' ? 'another calendar' : config().channel_names[source];

const named = (stay: repository.StayRowForDoubleBookingCheck) => ({
  ...stay,
  source_label: stay.sync_source_id ? sourceLabel(stay.source) : 'made in the dashboard or through the API',
});
