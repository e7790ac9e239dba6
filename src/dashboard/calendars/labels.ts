/** How the words of sync sources, runs and mails read in the interface. */
import type { HostSourceKind } from '@/modules/sync-sources/schemas';
import type { Tone } from '../ui/badge';

export const CHANNELS = [
  {
    value: 'channel_a_ical',
    label: 'Channel A',
    where: 'Listing → Calendar → Availability → Connect to another website',
  },
  { value: 'channel_b_ical', label: 'Channel B', where: 'Calendar → Import & export → Export calendar' },
  { value: 'channel_c_ical', label: 'Channel C', where: 'Rates & availability → Sync calendars → Export' },
  {
    value: 'other_ical',
    label: 'Another calendar (a booking system’s, Google’s)',
    where: 'the calendar’s settings, as its address in iCal format',
  },
] as const;
export type CalendarKind = (typeof CHANNELS)[number]['value'];

export const KIND_LABELS: Record<HostSourceKind, string> = {
  channel_a_ical: 'Channel A calendar',
  channel_b_ical: 'Channel B calendar',
  channel_c_ical: 'Channel C calendar',
  other_ical: 'Other calendar',
  forward_email: 'Forwarded mail',
};

/** The words of `last_status`. */
const STATUS: Record<string, { label: string; tone: Tone }> = {
  ok: { label: 'Healthy', tone: 'success' },
  unchanged: { label: 'Healthy', tone: 'success' },
  ok_with_problems: { label: 'Some events unread', tone: 'warning' },
  incomplete: { label: 'Broke off', tone: 'warning' },
  empty: { label: 'Empty', tone: 'neutral' },
  shrunk: { label: 'Much smaller', tone: 'warning' },
  held: { label: 'Asks you', tone: 'warning' },
  waiting_for_host: { label: 'Mail waits for you', tone: 'warning' },
};

export interface Health {
  enabled: boolean;
  running: boolean;
  last_status: string | null;
  last_error: string | null;
  failing_since: string | null;
  waiting_mails: number;
  forwarding_address: string | null;
}

/** What the badge of a source says. */
export function healthOf(source: Health): { label: string; tone: Tone } {
  if (!source.enabled) return { label: 'Disabled', tone: 'neutral' };
  if (source.running) return { label: 'Syncing', tone: 'info' };
  if (source.failing_since) return { label: 'Not syncing', tone: 'danger' };
  if (source.waiting_mails > 0) return { label: 'Mail waits for you', tone: 'warning' };
  if (source.last_status === null) {
    return source.forwarding_address ? { label: 'No mail yet', tone: 'info' } : { label: 'Not run yet', tone: 'info' };
  }
  if (source.last_status === 'waiting_for_host') return { label: 'Healthy', tone: 'success' };
  return STATUS[source.last_status] ?? { label: 'Needs attention', tone: 'warning' };
}

export const RUN_STATUS: Record<'succeeded' | 'held_back' | 'unchanged' | 'failed', { label: string; tone: Tone }> = {
  succeeded: { label: 'Applied', tone: 'success' },
  // It had something to say, and changed nothing.
  held_back: { label: 'Nothing changed', tone: 'warning' },
  unchanged: { label: 'Nothing new', tone: 'neutral' },
  failed: { label: 'Failed', tone: 'danger' },
};

/** What a run did to a reservation. */
export const CHANGES: Record<'cancelled' | 'moved' | 'updated' | 'restored' | 'created', string> = {
  cancelled: 'Cancelled',
  moved: 'Moved',
  updated: 'Changed',
  restored: 'Back again',
  created: 'New',
};

/** What a run would do to one. */
export const WOULD_DO: Record<'cancel' | 'miss' | 'move' | 'update' | 'restore' | 'adopt' | 'create', string> = {
  cancel: 'Cancel',
  miss: 'Cancel next time, if still gone',
  move: 'Move',
  update: 'Change dates',
  restore: 'Take back',
  adopt: 'Keep in step',
  create: 'Create',
};

/** What a rule on words says. */
export const RULE_WORDS = {
  whole: { booking: 'is a booking', block: 'is a block' },
  contains: { booking: 'in an entry makes it a booking', block: 'in an entry makes it a block' },
} as const;

/** Names of a kind that a line has room for. */
const NAMED = 3;

/** "Cancelled: Ana Lima. New: Ben Okri, Cleo and 2 more"; null when a run changed nothing. */
export function namesOf(changes: readonly { what: keyof typeof CHANGES; guest_name: string }[]): string | null {
  const kinds = Object.keys(CHANGES) as (keyof typeof CHANGES)[];
  const parts = kinds.flatMap((kind) => {
    const names = changes.filter(({ what }) => what === kind).map(({ guest_name }) => guest_name);
    if (names.length === 0) return [];
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
    return `${CHANGES[kind]}: ${names.slice(0, NAMED).join(', ')}${more}`;
  });
  return parts.length > 0 ? parts.join('. ') : null;
}

interface Counts {
  created: number;
  updated: number;
  moved: number;
  restored: number;
  cancelled: number;
  vanished: number;
}

/** "2 new, 1 moved"; null when a run changed nothing. */
export function changesOf(counts: Counts): string | null {
  const parts: [number, string][] = [
    [counts.created, 'new'],
    [counts.updated, 'changed'],
    [counts.moved, 'moved'],
    [counts.restored, 'back again'],
    [counts.cancelled, 'cancelled'],
    [counts.vanished, 'missing for the first time'],
  ];
  const words = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return words.length > 0 ? words.join(', ') : null;
}

/** Why an entry of a calendar created nothing. */
export const SKIP_REASONS: Record<string, string> = {
  block: 'Blocked by the channel',
  marked_as_block: 'You said it is a block',
  ruled_as_block: 'You said that these words are a block',
  closures_are_blocks: 'A closure; they count as blocks here',
  proposed_as_block: 'Over 60 nights: taken for a block',
  tentative: 'Tentative',
  unknown_words: 'Nobody understands these words',
  cancelled: 'Cancelled in the calendar',
  past: 'The stay is over',
  signed: 'Signed: never touched',
  redacted: 'Redacted: never touched',
  legal_hold: 'Under legal hold: never touched',
  expired: 'Expired',
  ignored: 'Cancelled or ignored here',
  kept_out: 'You said to leave it out',
  awaiting_healthy_feed: 'Waits until the whole calendar can be read',
};

/** Why a mail waits, or what became of it. */
export const MAIL_REASONS: Record<string, string> = {
  forwarding_confirmation: 'Your mail provider asks you to confirm the forwarding.',
  not_verified: 'It was forwarded by hand, or nothing proves that the channel sent it.',
  not_a_confirmation: 'It does not read like a booking confirmation.',
  attachment_unread: 'What it brings along is in a format of Outlook’s own, which cannot be read.',
  cancellation: 'It tells of a cancellation. Cancel the reservation if that is right.',
  change: 'It tells of a change. Check the dates of the reservation.',
  unknown_channel: 'It does not say which channel it is from.',
  ambiguous_dates: 'Its dates can be read in more than one way.',
  missing_name: 'It names no guest.',
  missing_dates: 'It has no dates that could be read.',
  dates_differ: 'Its dates differ from those of the reservation.',
  overlaps_another: 'Its days overlap those of another reservation.',
  several_match: 'More than one reservation fits.',
  reservation_ended: 'Its reservation is cancelled or over.',
  stay_over: 'The stay is over.',
  source_disabled: 'The forwarding address was disabled when it came.',
  unreadable: 'It could not be read.',
  too_large: 'It is larger than 10 MB.',
  took_too_long: 'Reading it took too long. Complete it by hand from the mail itself.',
  too_much_memory: 'Reading it needed too much memory. Complete it by hand from the mail itself.',
  reopened: 'You took it back.',
  created: 'It became a reservation.',
  filled_in: 'It completed a reservation.',
  already_known: 'The reservation had all of it already.',
  protected: 'Its reservation is signed or held and stays as it is.',
  by_host: 'Done by hand.',
  loop: 'A mail of our own that came back.',
  bounce: 'A delivery report.',
  automatic_reply: 'An automatic reply.',
};

export const MAIL_STATUS: Record<'applied' | 'inbox' | 'dismissed', { label: string; tone: Tone }> = {
  applied: { label: 'Applied', tone: 'success' },
  inbox: { label: 'Waits for you', tone: 'warning' },
  dismissed: { label: 'Set aside', tone: 'neutral' },
};

/** "14 bookings, 3 blocks" in words that fit the numbers. */
export function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
