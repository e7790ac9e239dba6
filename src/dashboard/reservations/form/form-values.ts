/** The values of a reservation's forms, and their validation with the server's rules. Pure. */
import { z } from 'zod';
import { calendarDateField, EmailAddress, personNameField } from '@/shared/schemas';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import type { FieldErrorMessages } from '../../ui/form/resolver';

export interface ReservationFormValues {
  property_id: string;
  /** Empty for the property's default packet. */
  packet_id: string;
  guest_name: string;
  /** Empty when unknown. */
  guest_email: string;
  /** Empty when unknown. */
  locale: string;
  /** The last four digits. Only the form that corrects a guest's details has this field. */
  guest_phone_last4?: string;
  checkin_date: string;
  checkout_date: string;
  source: string;
  external_id: string;
}
export type ReservationFieldErrors = FieldErrorMessages<ReservationFormValues>;

const Name = personNameField(120);
const Day = calendarDateField('');
const NAME_ERRORS = { too_big: 'name_too_long', invalid_format: 'name_without_letters' } as const;

/** Returns error messages for the user. The result is empty when the values can be sent. */
export function findReservationFieldErrors(
  values: ReservationFormValues,
  t: NamespaceTranslator<'reservation_form'>,
): ReservationFieldErrors {
  const errors: ReservationFieldErrors = {};
  if (!values.property_id) errors.property_id = t('choose_the_property');
  const name = Name.safeParse(values.guest_name);
  if (!name.success) {
    const code = name.error.issues[0]?.code;
    errors.guest_name = t(code === 'too_big' || code === 'invalid_format' ? NAME_ERRORS[code] : 'name_missing');
  }
  if (values.guest_email.trim() && !EmailAddress.safeParse(values.guest_email).success) {
    errors.guest_email = t('not_an_address');
  }
  if (!/^(\d{4})?$/.test(values.guest_phone_last4?.trim() ?? '')) errors.guest_phone_last4 = t('phone_not_four_digits');
  for (const field of ['checkin_date', 'checkout_date'] as const) {
    if (!Day.safeParse(values[field]).success) errors[field] = t('enter_the_day');
  }
  if (!errors.checkin_date && !errors.checkout_date && values.checkout_date <= values.checkin_date) {
    errors.checkout_date = t('after_the_check_in');
  }
  if (!z.string().max(200).safeParse(values.external_id.trim()).success) errors.external_id = t('code_too_long');
  return errors;
}
