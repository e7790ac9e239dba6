import { describe, expect, it } from 'vitest';
import { createEnglishTranslator } from '../../i18n/english-words';
import { findReservationFieldErrors, type ReservationFormValues } from './form-values';

const t = createEnglishTranslator('reservation_form');

const values: ReservationFormValues = {
  property_id: 'prop_1',
  packet_id: '',
  guest_name: 'Ada',
  guest_email: '',
  locale: '',
  checkin_date: '2027-05-04',
  checkout_date: '2027-05-09',
  source: 'direct',
  external_id: '',
};

describe('a reservation’s form', () => {
  it('requires no email address', () => {
    expect(findReservationFieldErrors(values, t)).toEqual({});
  });

  it.each([
    [{ property_id: '' }, { property_id: 'Choose a property.' }],
    [{ guest_name: '  ' }, { guest_name: 'Enter the guest’s name.' }],
    [{ guest_name: 'x'.repeat(121) }, { guest_name: 'Use at most 120 characters.' }],
    [{ guest_email: 'ada@' }, { guest_email: 'Enter a valid email address.' }],
    [{ checkin_date: '' }, { checkin_date: 'Enter a date.' }],
    [{ checkout_date: '2027-05-04' }, { checkout_date: 'The check-out must be after the check-in.' }],
    [{ external_id: 'x'.repeat(201) }, { external_id: 'Use at most 200 characters.' }],
  ])('with %j shows the errors %j', (change, errors) => {
    expect(findReservationFieldErrors({ ...values, ...change }, t)).toEqual(errors);
  });
});
