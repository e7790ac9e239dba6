/** What needs a person first, in one list, the most pressing on top. Pure. */
import { feedWords } from '../i18n/feed-words';
import type { WordsOf } from '../i18n/words-of';
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
  /** Questions about single stays. */
  asked?: readonly unknown[];
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

type Words = WordsOf<'home'>;
/** What the server says of calendars. */
type Said = WordsOf<'calendar_health'>;

/** Who waits for an answer; whose nights another wants; then what keeps packets from going out; then what keeps systems from hearing. Who arrives unsigned is among the arrivals. */
export function findAttention(input: AttentionInput, t: Words, said: Said): AttentionItem[] {
  const items = [
    ...input.guest_replied.map((row) =>
      reservation(row, t(row.guest_reply === 'question' ? 'has_a_question' : 'does_not_agree')),
    ),
    ...bothOfEach(input.same_nights, t),
    ...input.dates_changed.map((row) => reservation(row, t('dates_changed_after_sending'))),
    ...input.calendars.flatMap((source) => ofCalendar(source, t, said)),
    ...input.endpoints.flatMap((endpoint) => ofEndpoint(endpoint, t)),
    ...input.address_missing.filter((row) => !isRepeat(row)).map((row) => reservation(row, t('no_address_to_send_to'))),
  ];
  const seen = new Set<string>();
  return items.filter(({ key }) => !seen.has(key) && seen.add(key));
}

/** One line for each pair, whichever of the two comes first. */
function bothOfEach(rows: readonly (NamedArrival & Shared)[], t: Words): AttentionItem[] {
  const named = new Set<string>();
  return rows.flatMap((row) => {
    const others = row.same_nights.filter(
      ({ as, both_real, reservation_id }) =>
        as === 'conflict' && !both_real && !named.has(`${reservation_id} ${row.id}`),
    );
    for (const { reservation_id } of others) named.add(`${row.id} ${reservation_id}`);
    const [other] = others;
    if (!other) return [];
    const reason = t('same_nights', { guest: other.guest_name, others: others.length - 1 });
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

function ofCalendar(source: Calendar, t: Words, said: Said): AttentionItem[] {
  const about = { key: source.id, title: source.property_name };
  if (source.enabled && source.failing_since) {
    const why = source.last_error && feedWords(source.last_error, said);
    const reason = why ? t('calendar_cannot_be_read_because', { why }) : t('calendar_cannot_be_read');
    return [{ ...about, broken: true, href: paths.calendar(source.id), reason }];
  }
  if (source.enabled && source.held && !source.held.apply) {
    const reason = t(source.held.reason === 'another_listing' ? 'looks_like_another_listing' : 'all_bookings_are_gone');
    return [{ ...about, broken: true, href: paths.calendar(source.id), reason }];
  }
  if (source.enabled && source.asked && source.asked.length > 0) {
    const reason = t('stays_need_your_answer', { count: source.asked.length });
    return [{ ...about, href: paths.calendar(source.id), reason }];
  }
  if (source.waiting_mails === 0) return [];
  return [{ ...about, href: paths.inbox, reason: t('forwarded_mails_wait', { count: source.waiting_mails }) }];
}

function ofEndpoint(endpoint: Endpoint, t: Words): AttentionItem[] {
  const about = {
    key: endpoint.id,
    broken: true as const,
    href: paths.webhook(endpoint.id),
    title: endpoint.description ?? hostOf(endpoint.url),
  };
  if (endpoint.status === 'auto_disabled') {
    return [{ ...about, reason: t('endpoint_was_disabled', { waiting: endpoint.waiting }) }];
  }
  if (endpoint.status !== 'enabled' || endpoint.consecutive_failures === 0) return [];
  return [{ ...about, reason: t('last_deliveries_failed', { count: endpoint.consecutive_failures }) }];
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
