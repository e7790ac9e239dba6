import { formatDay } from '@/shared/guest-text/format';
import { plainName } from '@/shared/text/plain-name';
import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface ClashingStay {
  guest_name: string;
  /** `YYYY-MM-DD` */
  checkin_date: string;
  checkout_date: string;
  /** Where it is from, in words. */
  source_label: string;
}

export interface SameNightsEmailProps {
  property_name: string;
  pairs: { one: ClashingStay; other: ClashingStay }[];
  /** A reservation, or the list of all that wait. */
  dashboard_url: string;
}

/** Pairs that a mail names; the page has all of them. */
const NAMED = 10;

/** To the owner: two bookings want the same nights. */
export function renderSameNightsEmail({
  property_name,
  pairs,
  dashboard_url,
}: SameNightsEmailProps): Promise<RenderedEmail> {
  const stay = ({ guest_name, checkin_date, checkout_date, source_label }: ClashingStay) =>
    `${guest_name} (${source_label}), ${formatDay(checkin_date, 'en', 'medium')} to ${formatDay(checkout_date, 'en', 'medium')}`;
  const facts = pairs.slice(0, NAMED).flatMap(({ one, other }) => [
    { label: 'Booking', value: stay(one) },
    { label: 'and', value: stay(other) },
  ]);
  const left = pairs.length - NAMED;
  return renderOwnerMail({
    subject: `Same nights, two bookings: ${plainName(property_name, 'your property')}`,
    preview: 'Their packets are not sent by themselves until you say which is right.',
    heading:
      pairs.length === 1 ? 'Two bookings for the same nights' : `${pairs.length} pairs of bookings for the same nights`,
    paragraphs: [
      `${property_name} has bookings from different sources that want the same nights. It may be a double booking, or one channel that repeats another’s.`,
      'Until you say that both are real, or cancel one, no packet is sent to their guests by itself. What was sent already stays as it is, and you can send each by hand.',
    ],
    facts: left > 0 ? [...facts, { label: 'and', value: `${left} more` }] : facts,
    action: { label: pairs.length === 1 ? 'Say which is right' : 'Show them', href: dashboard_url },
    notes: [
      'If several parties may stay at a time, as in several rooms under one property, turn on “More than one party at a time” in the property’s settings.',
    ],
    why: `You receive this e-mail because you own ${property_name} on Threshold.`,
  });
}
