/**
 * Finds what needs the host's attention: kinds of problems with their counts, and double bookings.
 * Pure.
 */
import type { NamespaceTranslator } from '../i18n/namespace-translator';
import { paths } from '../paths';
import { isBookingRepeatedFromOtherCalendar } from '../reservations/status-words';

/** A kind of problem. `label` contains the count, and `href` is the page that handles it. */
export interface AttentionProblem {
  key: string;
  label: string;
  href: string;
}

/** One page of a list. `has_more` is true when more rows exist. */
interface Page<Row> {
  data: readonly Row[];
  has_more: boolean;
}
interface Named {
  id: string;
}
/** A reservation with the other bookings for the same nights. */
interface Shared {
  same_nights: readonly { as: string; reservation_id: string; both_real: boolean }[];
}
interface Calendar {
  id: string;
  enabled: boolean;
  failing_since: string | null;
  /** The open question to the host about the whole calendar. Null without a question. */
  held: { apply: boolean } | null;
  /** Open questions to the host about particular stays. */
  asked?: readonly unknown[];
  waiting_mails: number;
}
interface Endpoint {
  id: string;
  status: string;
  consecutive_failures: number;
}

export interface HomeDataToCheckForProblems {
  /** Reservations whose guests asked a question or did not agree. */
  guest_replied: Page<Named>;
  same_nights: Page<Named & Shared>;
  address_missing: Page<Named & Shared>;
  dates_changed: Page<Named>;
  calendars: readonly Calendar[];
  endpoints: readonly Endpoint[];
}

/** The anchor of the list of double bookings on the home page. */
export const DOUBLE_BOOKINGS_ANCHOR = 'double-bookings';

const isFailing = ({ enabled, failing_since }: Calendar) => enabled && failing_since !== null;
const asksHost = (source: Calendar) =>
  source.enabled &&
  !isFailing(source) &&
  ((source.held !== null && !source.held.apply) || (source.asked?.length ?? 0) > 0);
const isBroken = ({ status, consecutive_failures }: Endpoint) =>
  status === 'auto_disabled' || (status === 'enabled' && consecutive_failures > 0);

/**
 * Returns one line for each kind of problem. Omits unsigned arrivals, because the list of arrivals
 * shows them.
 */
export function listAttentionProblems(
  input: HomeDataToCheckForProblems,
  today: string,
  t: NamespaceTranslator<'home'>,
): AttentionProblem[] {
  const listed = (attention: 'guest_replied' | 'address_missing' | 'dates_changed', rows: readonly Named[]) => {
    const { has_more } = input[attention];
    const [first] = rows;
    return {
      key: attention,
      count: rows.length,
      more: has_more,
      // Links to the object's page, or to a list when there are several objects.
      href:
        first && rows.length === 1 && !has_more
          ? paths.reservation(first.id)
          : `${paths.reservations}?attention=${attention}&from=${today}&sort=checkin`,
    };
  };
  const kind = <Key extends string>(key: Key, rows: readonly Named[], one: (id: string) => string, all: string) => {
    const [first] = rows;
    return { key, count: rows.length, more: false, href: first && rows.length === 1 ? one(first.id) : all };
  };
  const mails = input.calendars.reduce((sum, { waiting_mails }) => sum + waiting_mails, 0);
  const kinds = [
    {
      key: 'double_bookings',
      count: findDoubleBookings(input.same_nights.data).length,
      more: input.same_nights.has_more,
      href: `#${DOUBLE_BOOKINGS_ANCHOR}`,
    },
    listed('guest_replied', input.guest_replied.data),
    listed('dates_changed', input.dates_changed.data),
    listed(
      'address_missing',
      input.address_missing.data.filter((row) => !isBookingRepeatedFromOtherCalendar(row)),
    ),
    kind('calendars_failing', input.calendars.filter(isFailing), paths.calendar, paths.calendars),
    kind('calendars_ask', input.calendars.filter(asksHost), paths.calendar, paths.calendars),
    { key: 'mails_wait', count: mails, more: false, href: paths.inbox },
    kind('endpoints_failing', input.endpoints.filter(isBroken), paths.webhook, paths.webhooks),
  ] as const;
  return kinds.flatMap(({ key, count, more, href }) =>
    count > 0 ? [{ key, href, label: t(`problem_${key}`, { count, more: more ? '+' : '' }) }] : [],
  );
}

export interface DoubleBookingPair<Row extends Named & Shared> {
  key: string;
  one: Row;
  other: Row['same_nights'][number];
}

/**
 * Returns pairs of bookings for the same nights, once each. Omits pairs that the host has confirmed
 * as two real bookings.
 */
export function findDoubleBookings<Row extends Named & Shared>(rows: readonly Row[]): DoubleBookingPair<Row>[] {
  const pairs = rows.flatMap((one) =>
    one.same_nights
      .filter(({ as, both_real }) => as === 'conflict' && !both_real)
      .map((other) => ({ key: [one.id, other.reservation_id].sort().join(' '), one, other })),
  );
  return pairs.filter(({ key }, at) => pairs.findIndex((pair) => pair.key === key) === at);
}
