/**
 * Shows how real files would be read, without a database: a calendar's entries, a mail's
 * reservation. Used for support, and for testing the parsers with a folder of real files (`npm run
 * calendars -- FOLDER`). Pure: takes bytes and returns lines.
 */
import { type MailParseJob, runMailParseJob } from '@/modules/forwarded-mail/mail/mail-job';
import { decideForwardedMailAction } from '@/modules/forwarded-mail/mail/merge.rules';
import { fingerprintAndParseCalendar } from '@/modules/sync-sources/feed/calendar-job';
import type { CalendarFeedKind } from '@/modules/sync-sources/feed/classify';
import type { FeedEntryInterpretationSettings } from '@/modules/sync-sources/json-columns.schemas';
import { decideFeedEntryOutcomes, type FeedEntryOutcomes } from '@/modules/sync-sources/plan/entries';
import { getGuestNameForNewReservation } from '@/modules/sync-sources/plan/guest-identity';
import { createRefusalFromKeyAndValues } from '@/shared/refusals/refusal';

export const ALL_CALENDAR_FEED_KINDS: readonly CalendarFeedKind[] = [
  'channel_a_ical',
  'channel_b_ical',
  'channel_c_ical',
  'other_ical',
];

/** The settings for reading a file. */
export interface CalendarOrMailFileReadingSettings
  extends Pick<MailParseJob, 'own' | 'channel_domains' | 'authserv_id'> {
  /**
   * The calendar's channel. Null selects the channel whose known terms match most of the calendar.
   */
  readonly kind: CalendarFeedKind | null;
  readonly time_zone: string;
  readonly today: string;
}

export interface FileReadingReport {
  /** The file's type and a summary of its content. */
  readonly title: string;
  /** One entry, reason or problem per line. */
  readonly lines: readonly string[];
  readonly readable: boolean;
}

const stayOf = ({ checkin_date, checkout_date }: { checkin_date: string | null; checkout_date: string | null }) =>
  `${checkin_date ?? '?'} to ${checkout_date ?? '?'}`;

/**
 * Reads a calendar as if it had just been added as a source of its kind. Closures count as
 * bookings.
 */
export function buildCalendarFileReport(
  bytes: Uint8Array,
  settings: CalendarOrMailFileReadingSettings,
): FileReadingReport {
  const { time_zone, today } = settings;
  const readings = (settings.kind ? [settings.kind] : ALL_CALENDAR_FEED_KINDS.slice(0, -1)).map((kind) => {
    const opened = fingerprintAndParseCalendar({ bytes, content_type: null, context: { kind, time_zone, today } });
    // The dashboard proposes the same default.
    const reading: FeedEntryInterpretationSettings = {
      otherwise: kind === 'other_ical' ? 'booking' : 'skip',
      rules: [],
    };
    if (!opened.ok || !opened.feed) return { kind, opened, decisions: null };
    return {
      kind,
      opened,
      decisions: decideFeedEntryOutcomes({ feed: opened.feed, closures_are_blocks: false, marks: [], reading, today }),
    };
  });
  const unknown = ({ decisions }: { decisions: FeedEntryOutcomes | null }) =>
    decisions?.skipped.filter(({ reason }) => reason === 'unknown_words').length ?? 0;
  const booked = ({ decisions }: { decisions: FeedEntryOutcomes | null }) => decisions?.bookings.length ?? 0;
  const { kind, opened, decisions } = readings.sort((a, b) => unknown(a) - unknown(b) || booked(b) - booked(a))[0]!;
  if (!opened.ok)
    return {
      title: `no calendar: ${opened.reason}`,
      lines: [String(createRefusalFromKeyAndValues(opened.message))],
      readable: false,
    };
  const { bookings = [], cancelled = [], skipped = [] } = decisions ?? {};
  const problems = opened.feed?.problems ?? [];
  return {
    title: `${kind}: ${bookings.length} bookings, ${cancelled.length} cancelled, ${skipped.length} skipped, ${problems.length} problems${opened.whole ? '' : ', broke off'}`,
    lines: [
      ...bookings.map(
        (entry) => `booking    ${stayOf(entry)}  ${getGuestNameForNewReservation(entry)}  [${entry.external_id}]`,
      ),
      ...cancelled.map(
        (entry) => `cancelled  ${stayOf(entry)}  ${getGuestNameForNewReservation(entry)}  [${entry.external_id}]`,
      ),
      ...skipped.map(({ entry, reason }) => `skipped    ${stayOf(entry)}  ${reason}: ${entry.summary}`),
      ...problems.map(({ reason, message, summary }) =>
        `problem    ${reason}: ${createRefusalFromKeyAndValues(message)} ${summary ?? ''}`.trimEnd(),
      ),
    ],
    readable: true,
  };
}

/** Reads a mail as if it belonged to a property without reservations. */
export async function buildMailFileReport(
  bytes: Uint8Array,
  settings: CalendarOrMailFileReadingSettings,
): Promise<FileReadingReport> {
  const { own, channel_domains, authserv_id, today } = settings;
  const read = await runMailParseJob({ raw: bytes, own, channel_domains, authserv_id });
  if (!read.ok) return { title: `no mail: ${read.reason}`, lines: [], readable: false };
  const { mail, extraction, dkim_aligned, confirmation } = read;
  const decide = (verified: boolean) =>
    decideForwardedMailAction({
      extraction,
      verified,
      automatic_reply: mail.auto_submitted === 'replied',
      bounce: mail.bounce,
      loop: mail.loop,
      forwarding_confirmation: confirmation !== null,
      candidates: [],
      today,
    });
  const verified = dkim_aligned && mail.forwarding === 'redirected';
  const wordsOf = (decision: ReturnType<typeof decide>) =>
    'reason' in decision ? `${decision.action} (${decision.reason})` : decision.action;
  const [now, vouched] = [wordsOf(decide(verified)), wordsOf(decide(true))];
  const { channel, intent, guest_name, guest_email, reservation_code, readings } = extraction;
  return {
    title: `${mail.forwarding} ${channel ?? 'no channel'} ${intent}: ${now}${now === vouched ? '' : `, were it proven: ${vouched}`}`,
    lines: [
      `subject    ${mail.original.subject}`,
      `stay       ${stayOf(extraction)}  ${guest_name ?? 'no name'}  ${guest_email ?? 'no address'}  [${reservation_code ?? 'no code'}]`,
      ...readings.map((reading) => `or         ${stayOf(reading)}`),
      ...read.further.map((one) => `also       ${stayOf(one.extraction)}  ${one.mail.original.subject}`),
      ...mail.unread.map((name) => `not read   ${name}`),
    ],
    readable: true,
  };
}
