import { formatDay } from '@/shared/guest-text/format';
import { toSafeSenderName } from '@/shared/text/plain-name';
import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface OverlappingStay {
  guest_name: string;
  /** `YYYY-MM-DD` */
  checkin_date: string;
  checkout_date: string;
  /** The name of the booking's source. */
  source_label: string;
}

export interface DoubleBookingEmailProps {
  property_name: string;
  pairs: { one: OverlappingStay; other: OverlappingStay }[];
  /** The URL of a reservation, or of the list of open double bookings. */
  dashboard_url: string;
}

/** The maximum number of pairs in a mail. The dashboard lists all of them. */
const NAMED = 10;

/** Renders the mail to the owner about double bookings. */
export function renderDoubleBookingEmail({
  property_name,
  pairs,
  dashboard_url,
}: DoubleBookingEmailProps): Promise<RenderedEmail> {
  const stay = ({ guest_name, checkin_date, checkout_date, source_label }: OverlappingStay) =>
    `${guest_name} (${source_label}), ${formatDay(checkin_date, 'en', 'medium')} to ${formatDay(checkout_date, 'en', 'medium')}`;
  const facts = pairs.slice(0, NAMED).flatMap(({ one, other }) => [
    { label: 'Booking', value: stay(one) },
    { label: 'and', value: stay(other) },
  ]);
  const left = pairs.length - NAMED;
  return renderOwnerMail({
    subject: `Double booking: ${toSafeSenderName(property_name, 'your property')}`,
    preview: 'The house rules are not sent automatically until you decide.',
    heading: pairs.length === 1 ? 'Double booking' : `${pairs.length} double bookings`,
    paragraphs: [
      `${property_name} has bookings from different sources for the same nights. It may be a double booking, or one channel may repeat a booking of another.`,
      'Until you keep both bookings or cancel one, the house rules are not sent to their guests automatically. What was already sent does not change, and you can send each yourself.',
    ],
    facts: left > 0 ? [...facts, { label: 'and', value: `${left} more` }] : facts,
    action: { label: pairs.length === 1 ? 'Review the bookings' : 'Review them', href: dashboard_url },
    notes: [
      'If several parties can stay at the same time, for example in several rooms of one property, turn on “Several bookings for the same nights” in the property’s settings.',
    ],
    why: `You receive this email because you own ${property_name} on Threshold.`,
  });
}
