/** What the forms of a reservation hold, and what is wrong with it, checked by the rules the server uses. Pure. */
import { z } from 'zod';
import { calendarDate, EmailAddress, nameText } from '@/shared/schemas';

export interface ReservationValues {
  property_id: string;
  /** Empty is the property's default packet. */
  packet_id: string;
  guest_name: string;
  /** Empty while nobody knows it. */
  guest_email: string;
  /** Empty while nobody knows it. */
  locale: string;
  checkin_date: string;
  checkout_date: string;
  source: string;
  external_id: string;
}
export type ValueErrors = Partial<Record<keyof ReservationValues, string>>;

const Name = nameText(120);
const Day = calendarDate('');
const NAME_ERRORS: Record<string, string> = {
  too_big: 'Use at most 120 characters.',
  invalid_format: 'Enter a name with at least one letter.',
};

/** In words for the person at the form; empty when it can be sent. */
export function findErrors(values: ReservationValues): ValueErrors {
  const errors: ValueErrors = {};
  if (!values.property_id) errors.property_id = 'Choose the property.';
  const name = Name.safeParse(values.guest_name);
  if (!name.success) errors.guest_name = NAME_ERRORS[name.error.issues[0]?.code ?? ''] ?? 'Enter the guest’s name.';
  if (values.guest_email.trim() && !EmailAddress.safeParse(values.guest_email).success) {
    errors.guest_email = 'This is not an e-mail address.';
  }
  for (const field of ['checkin_date', 'checkout_date'] as const) {
    if (!Day.safeParse(values[field]).success) errors[field] = 'Enter the day.';
  }
  if (!errors.checkin_date && !errors.checkout_date && values.checkout_date <= values.checkin_date) {
    errors.checkout_date = 'It must be after the check-in.';
  }
  if (!z.string().max(200).safeParse(values.external_id.trim()).success)
    errors.external_id = 'Use at most 200 characters.';
  return errors;
}
