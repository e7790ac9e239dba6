/**
 * Renders mails to owners about calendars: failures, empty calendars, cancelled bookings and
 * pending decisions.
 */
import { formatDay } from '@/shared/guest-text/format';
import { toSafeSenderName } from '@/shared/text/plain-name';
import { formatTimeForOwnerMail, renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

interface CalendarProps {
  property_name: string;
  /**
   * The source's name in the dashboard, such as “Airbnb calendar”. Mails never contain the feed's
   * URL, which is a secret.
   */
  source_label: string;
  dashboard_url: string;
}

export interface SyncFailingEmailProps extends CalendarProps {
  failing_since: Date;
  failures: number;
  last_error: string | null;
}

/** Renders the mail to the owner about a calendar that has not synced for a while. */
export async function renderSyncFailingEmail(props: SyncFailingEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: `Calendar not syncing: ${toSafeSenderName(props.property_name, 'your property')}`,
    preview: 'New bookings may be missing until it works again.',
    heading: 'A calendar has stopped syncing',
    paragraphs: [
      `We could not read a calendar of ${props.property_name}. Existing reservations do not change. New bookings and changes may be missing until it works again. We keep trying.`,
    ],
    facts: [
      { label: 'Source', value: props.source_label },
      { label: 'Failing since', value: formatTimeForOwnerMail(props.failing_since) },
      { label: 'Failed syncs', value: String(props.failures) },
      { label: 'Last error', value: props.last_error },
    ],
    action: { label: 'Open the calendar', href: props.dashboard_url },
    notes: [
      'The channel may have changed the calendar link. Copy the link from the channel and paste it on the calendar’s page.',
    ],
    why: why(props),
  });
}

/** A stay that a mail lists. */
export interface EmailStaySummary {
  guest_name: string | null;
  /** `YYYY-MM-DD` */
  checkin_date: string;
  checkout_date: string;
}

/** The maximum number of stays in a mail. The dashboard lists all of them. */
const NAMED = 20;

function factsOf(stays: readonly EmailStaySummary[], prefix = ''): { label: string; value: string }[] {
  const day = (date: string) => formatDay(date, 'en', 'medium');
  const rows = stays.slice(0, NAMED).map(({ guest_name, checkin_date, checkout_date }) => ({
    label: `${prefix}${guest_name ?? 'Guest'}`,
    value: `${day(checkin_date)} to ${day(checkout_date)}`,
  }));
  return stays.length > NAMED ? [...rows, { label: `${prefix}and`, value: `${stays.length - NAMED} more` }] : rows;
}

const bookings = (count: number) => (count === 1 ? '1 booking' : `${count} bookings`);
const why = ({ property_name }: CalendarProps) =>
  `You receive this email because you own ${property_name} on Threshold.`;

/**
 * Renders the mail to the owner about reservations that were cancelled because their bookings
 * disappeared from a calendar.
 */
export function renderSyncCancelledStaysEmail(
  props: CalendarProps & { stays: EmailStaySummary[] },
): Promise<RenderedEmail> {
  const what = bookings(props.stays.length);
  return renderOwnerMail({
    subject: `${what} cancelled by a calendar: ${toSafeSenderName(props.property_name, 'your property')}`,
    preview: 'They are no longer in the calendar.',
    heading: `${what} cancelled`,
    paragraphs: [
      `These bookings are missing from the calendar of ${props.property_name}, or are marked as cancelled there. Their reservations were cancelled, and the guests’ links no longer work.`,
    ],
    facts: [...factsOf(props.stays), { label: 'Source', value: props.source_label }],
    action: { label: 'Open the calendar', href: props.dashboard_url },
    notes: ['If a booking returns to the calendar, its reservation is restored. You can also restore it yourself.'],
    why: why(props),
  });
}

export interface TooManySyncChangesEmailProps extends CalendarProps {
  /** The reason why nothing was changed, in one or two sentences. */
  reason: string;
  cancels: EmailStaySummary[];
  moves: EmailStaySummary[];
  creates: EmailStaySummary[];
}

/**
 * Renders the mail to the owner about a calendar whose changes need a decision, because they are
 * too many. No change was applied.
 */
export function renderTooManySyncChangesEmail(props: TooManySyncChangesEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: `Is this calendar right? ${toSafeSenderName(props.property_name, 'your property')}`,
    preview: 'Nothing was changed. It needs your decision.',
    heading: 'A calendar needs your decision',
    paragraphs: [props.reason, 'These changes are pending:'],
    facts: [
      ...factsOf(props.cancels, 'Cancel '),
      ...factsOf(props.moves, 'Move '),
      ...factsOf(props.creates, 'Create '),
      { label: 'Source', value: props.source_label },
    ],
    action: { label: 'Review the changes', href: props.dashboard_url },
    notes: [
      'Until you decide, this calendar changes nothing. If it returns to how it was, there is nothing left to decide.',
    ],
    why: why(props),
  });
}

/**
 * Renders the mail to the owner about reservations and calendar entries that do not match clearly,
 * so that the owner must choose the right stays. All other changes of the calendar were applied.
 */
export function renderAmbiguousStayChangesEmail(
  props: CalendarProps & { reason: string; reservations: EmailStaySummary[]; entries: EmailStaySummary[] },
): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: `Which stays are right? ${toSafeSenderName(props.property_name, 'your property')}`,
    preview: 'These reservations were not changed. They need your decision.',
    heading: 'A change in a calendar needs your decision',
    paragraphs: [props.reason],
    facts: [
      ...factsOf(props.reservations, 'Reservation '),
      ...factsOf(props.entries, 'In the calendar '),
      { label: 'Source', value: props.source_label },
    ],
    action: { label: 'Review the stays', href: props.dashboard_url },
    notes: ['Until you decide, these reservations do not change. Everything else in the calendar is synced.'],
    why: why(props),
  });
}

/**
 * Renders the mail to the owner about a calendar that has been empty for days although bookings are
 * upcoming.
 */
export function renderEmptyCalendarEmail(
  props: CalendarProps & { empty_since: Date; bookings: number },
): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: `Calendar empty: ${toSafeSenderName(props.property_name, 'your property')}`,
    preview: `You have ${bookings(props.bookings)} ahead, and none of them is in the calendar.`,
    heading: 'A calendar has been empty for days',
    paragraphs: [
      `The calendar of ${props.property_name} is empty, but the property has upcoming reservations. Nothing was cancelled, because channels sometimes send an empty calendar by mistake.`,
    ],
    facts: [
      { label: 'Source', value: props.source_label },
      { label: 'Empty since', value: formatTimeForOwnerMail(props.empty_since) },
      { label: 'Upcoming reservations', value: String(props.bookings) },
    ],
    action: { label: 'Open the calendar', href: props.dashboard_url },
    notes: [
      'If the link is for another listing, or the channel has reset it, replace it on the calendar’s page. If bookings really were cancelled, cancel their reservations yourself.',
    ],
    why: why(props),
  });
}
