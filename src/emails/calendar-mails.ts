/** To owners, about a calendar: it fails, it has cancelled bookings, it asks before it does, it is empty. */
import { formatDay } from '@/shared/guest-text/format';
import { plainName } from '@/shared/text/plain-name';
import { ownerInstant, renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

interface CalendarProps {
  property_name: string;
  /** What the dashboard calls the source, for example “Channel A calendar”. The feed's address is a secret. */
  source_label: string;
  dashboard_url: string;
}

export interface SyncFailingEmailProps extends CalendarProps {
  failing_since: Date;
  failures: number;
  last_error: string | null;
}

/** To the owner: a calendar has not synced for a while. */
export async function renderSyncFailingEmail(props: SyncFailingEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: `Calendar not syncing: ${plainName(props.property_name, 'your property')}`,
    preview: 'New bookings may be missing until it works again.',
    heading: 'A calendar has stopped syncing',
    paragraphs: [
      `We could not read a calendar of ${props.property_name}. Reservations already here stay as they are; new bookings and changes may be missing until it works again. We keep trying.`,
    ],
    facts: [
      { label: 'Source', value: props.source_label },
      { label: 'Failing since', value: ownerInstant(props.failing_since) },
      { label: 'Failed runs', value: String(props.failures) },
      { label: 'Last error', value: props.last_error },
    ],
    action: { label: 'Open the calendar', href: props.dashboard_url },
    notes: ['Often the channel has given the calendar a new address. Copy it from the channel and enter it there.'],
    why: why(props),
  });
}

/** A stay as a mail names it. */
export interface NamedStay {
  guest_name: string | null;
  /** `YYYY-MM-DD` */
  checkin_date: string;
  checkout_date: string;
}

/** Stays that a mail names; the page has all of them. */
const NAMED = 20;

function factsOf(stays: readonly NamedStay[], prefix = ''): { label: string; value: string }[] {
  const day = (date: string) => formatDay(date, 'en', 'medium');
  const rows = stays.slice(0, NAMED).map(({ guest_name, checkin_date, checkout_date }) => ({
    label: `${prefix}${guest_name ?? 'Guest'}`,
    value: `${day(checkin_date)} to ${day(checkout_date)}`,
  }));
  return stays.length > NAMED ? [...rows, { label: `${prefix}and`, value: `${stays.length - NAMED} more` }] : rows;
}

const bookings = (count: number) => (count === 1 ? '1 booking' : `${count} bookings`);
const why = ({ property_name }: CalendarProps) =>
  `You receive this e-mail because you own ${property_name} on Threshold.`;

/** To the owner: bookings left a calendar, and their reservations were cancelled. */
export function renderSyncCancelledEmail(props: CalendarProps & { stays: NamedStay[] }): Promise<RenderedEmail> {
  const what = bookings(props.stays.length);
  return renderOwnerMail({
    subject: `${what} cancelled by a calendar: ${plainName(props.property_name, 'your property')}`,
    preview: 'The calendar no longer has them.',
    heading: `${what} cancelled`,
    paragraphs: [
      `The calendar of ${props.property_name} no longer has these bookings, or calls them cancelled. Their reservations were cancelled, and the guests’ links no longer work.`,
    ],
    facts: [...factsOf(props.stays), { label: 'Source', value: props.source_label }],
    action: { label: 'Open the calendar', href: props.dashboard_url },
    notes: [
      'A booking that comes back into the calendar is taken back as it was. You can also restore its reservation by hand.',
    ],
    why: why(props),
  });
}

export interface SyncAsksEmailProps extends CalendarProps {
  /** Why nothing was done, in a sentence or two. */
  reason: string;
  cancels: NamedStay[];
  moves: NamedStay[];
  creates: NamedStay[];
}

/** To the owner: a calendar would change too much at once, so nothing was done. */
export function renderSyncAsksEmail(props: SyncAsksEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: `Is this calendar right? ${plainName(props.property_name, 'your property')}`,
    preview: 'Nothing was changed. It needs a word from you.',
    heading: 'A calendar needs a word from you',
    paragraphs: [props.reason, 'This is what it would have done:'],
    facts: [
      ...factsOf(props.cancels, 'Cancel '),
      ...factsOf(props.moves, 'Move '),
      ...factsOf(props.creates, 'Create '),
      { label: 'Source', value: props.source_label },
    ],
    action: { label: 'Apply or keep', href: props.dashboard_url },
    notes: [
      'Until you answer, this calendar changes nothing. If it comes back as it was, there is nothing left to answer.',
    ],
    why: why(props),
  });
}

/** To the owner: a change of single stays can be read in two ways; the rest of the calendar was taken over. */
export function renderStaysAskedEmail(
  props: CalendarProps & { reason: string; reservations: NamedStay[]; entries: NamedStay[] },
): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: `Which stays are right? ${plainName(props.property_name, 'your property')}`,
    preview: 'These reservations were not changed. Your answer is needed.',
    heading: 'A change in a calendar needs your answer',
    paragraphs: [props.reason],
    facts: [
      ...factsOf(props.reservations, 'Reservation '),
      ...factsOf(props.entries, 'In the calendar '),
      { label: 'Source', value: props.source_label },
    ],
    action: { label: 'Answer', href: props.dashboard_url },
    notes: ['Until you answer, these reservations stay as they are. Everything else in the calendar is kept in step.'],
    why: why(props),
  });
}

/** To the owner: a calendar has been empty for days, though bookings are ahead. */
export function renderSyncEmptyEmail(
  props: CalendarProps & { empty_since: Date; bookings: number },
): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: `Calendar empty: ${plainName(props.property_name, 'your property')}`,
    preview: `${bookings(props.bookings)} ahead, and none of them in the calendar.`,
    heading: 'A calendar has been empty for days',
    paragraphs: [
      `The calendar of ${props.property_name} has nothing in it, though reservations are ahead. Nothing was cancelled, because channels sometimes send an empty calendar by mistake.`,
    ],
    facts: [
      { label: 'Source', value: props.source_label },
      { label: 'Empty since', value: ownerInstant(props.empty_since) },
      { label: 'Reservations ahead', value: String(props.bookings) },
    ],
    action: { label: 'Open the calendar', href: props.dashboard_url },
    notes: [
      'If the link leads to another listing, or the channel has reset it, replace it there. What is cancelled indeed you cancel by hand.',
    ],
    why: why(props),
  });
}
