/** What needs a person first, in one list, the most pressing on top. Pure. */
import { paths } from '../paths';
import { isRepeat } from '../reservations/status-words';

export interface AttentionItem {
  key: string;
  href: string;
  title: string;
  reason: string;
  /** A calendar or an endpoint that does not work: guests must not crowd it out. */
  broken?: true;
  /** Two bookings of which the host can say right here that both are real. */
  pair?: { id: string; other_id: string };
}

interface NamedArrival {
  id: string;
  guest_name: string;
}
interface Replied extends NamedArrival {
  guest_reply: 'question' | 'declined' | null;
}
/** Reservations that want the same nights as it. */
interface Shared {
  same_nights: readonly { as: string; reservation_id: string; guest_name: string; both_real: boolean }[];
}
interface Calendar {
  id: string;
  property_name: string;
  enabled: boolean;
  failing_since: string | null;
  last_error: string | null;
  /** What it asks before it does it. */
  held: { reason: 'all_gone' | 'another_listing'; apply: boolean } | null;
  waiting_mails: number;
}
interface Endpoint {
  id: string;
  url: string;
  /** What its host calls it. */
  description?: string | null;
  status: string;
  consecutive_failures: number;
  waiting: number;
}

export interface AttentionInput {
  /** Who asked something, or does not agree. */
  guest_replied: readonly Replied[];
  same_nights: readonly (NamedArrival & Shared)[];
  address_missing: readonly (NamedArrival & Shared)[];
  dates_changed: readonly NamedArrival[];
  calendars: readonly Calendar[];
  endpoints: readonly Endpoint[];
}

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** Who waits for an answer; whose nights another wants; then what keeps packets from going out; then what keeps systems from hearing. Who arrives unsigned is among the arrivals. */
export function findAttention(input: AttentionInput): AttentionItem[] {
  const items = [
    ...input.guest_replied.map((row) =>
      reservation(
        row,
        row.guest_reply === 'question'
          ? 'Has a question for you before signing'
          : 'Does not agree with what is to be signed',
      ),
    ),
    ...bothOfEach(input.same_nights),
    ...input.dates_changed.map((row) => reservation(row, 'The dates changed after the packet was sent: send it again')),
    ...input.calendars.flatMap(ofCalendar),
    ...input.endpoints.flatMap(ofEndpoint),
    ...input.address_missing
      .filter((row) => !isRepeat(row))
      .map((row) => reservation(row, 'No e-mail address: the packet cannot be sent')),
  ];
  const seen = new Set<string>();
  return items.filter(({ key }) => !seen.has(key) && seen.add(key));
}

/** One line for each pair, whichever of the two comes first. */
function bothOfEach(rows: readonly (NamedArrival & Shared)[]): AttentionItem[] {
  const named = new Set<string>();
  return rows.flatMap((row) => {
    const others = row.same_nights.filter(
      ({ as, both_real, reservation_id }) =>
        as === 'conflict' && !both_real && !named.has(`${reservation_id} ${row.id}`),
    );
    for (const { reservation_id } of others) named.add(`${row.id} ${reservation_id}`);
    const [other] = others;
    if (!other) return [];
    const more = others.length > 1 ? ` and ${others.length - 1} more` : '';
    const reason = `${other.guest_name}${more} has a booking for the same nights: cancel one, or say that both are real`;
    return [
      {
        ...reservation(row, reason),
        ...(others.length === 1 && { pair: { id: row.id, other_id: other.reservation_id } }),
      },
    ];
  });
}

const reservation = (row: NamedArrival, reason: string): AttentionItem => ({
  key: row.id,
  href: paths.reservation(row.id),
  title: row.guest_name,
  reason,
});

function ofCalendar(source: Calendar): AttentionItem[] {
  const about = { key: source.id, title: source.property_name };
  if (source.enabled && source.failing_since) {
    const why = source.last_error ? `: ${source.last_error}` : '';
    return [{ ...about, broken: true, href: paths.calendar(source.id), reason: `Its calendar cannot be read${why}` }];
  }
  if (source.enabled && source.held && !source.held.apply) {
    const what =
      source.held.reason === 'another_listing'
        ? 'Its calendar looks like another listing’s'
        : 'All bookings ahead are gone from its calendar';
    return [
      { ...about, broken: true, href: paths.calendar(source.id), reason: `${what}: apply it, or keep everything` },
    ];
  }
  if (source.waiting_mails === 0) return [];
  const mails = count(source.waiting_mails, 'forwarded mail waits', 'forwarded mails wait');
  return [{ ...about, href: paths.inbox, reason: `${mails} for you` }];
}

function ofEndpoint(endpoint: Endpoint): AttentionItem[] {
  const about = {
    key: endpoint.id,
    broken: true as const,
    href: paths.webhook(endpoint.id),
    title: endpoint.description ?? hostOf(endpoint.url),
  };
  if (endpoint.status === 'auto_disabled') {
    const waiting = endpoint.waiting > 0 ? `; ${count(endpoint.waiting, 'delivery waits', 'deliveries wait')}` : '';
    return [{ ...about, reason: `The webhook endpoint was disabled because its deliveries kept failing${waiting}` }];
  }
  if (endpoint.status !== 'enabled' || endpoint.consecutive_failures === 0) return [];
  const failures = endpoint.consecutive_failures;
  const last = failures === 1 ? 'The last delivery' : `The last ${failures} deliveries`;
  return [{ ...about, reason: `${last} to this webhook endpoint failed` }];
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
