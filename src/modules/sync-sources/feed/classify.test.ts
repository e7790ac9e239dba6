/**
 * Tests the classification of entries by their text, as channels and programs write it.
 * reader.test.ts tests whole calendars.
 */
import { describe, expect, it } from 'vitest';
import {
  type CalendarFeedKind,
  classifyFeedEntry,
  findReservationCodeInFeedEntry,
  normalizeFeedTextForComparison,
} from './classify';

const NONE = { tentative: false, free: false };
const A = 'channel_a_ical';
const C = 'channel_c_ical';
const OWN = 'other_ical';

describe('a summary', () => {
  it.each<[CalendarFeedKind, string, string, string | null]>([
    [A, 'Reserved', 'booking', null],
    [A, ' RESERVED ', 'booking', null],
    [A, 'Re\u0301serve\u0301', 'booking', null],
    [A, 'Rezerve  edildi', 'booking', null],
    [A, 'Reserved - Jane Doe', 'booking', 'Jane Doe'],
    [A, 'Reserved-Jane Doe', 'booking', 'Jane Doe'],
    [A, 'reserved   –   Jane \t Doe', 'booking', 'Jane Doe'],
    [A, 'Reserved — Jane Doe', 'booking', 'Jane Doe'],
    [A, 'Reserved: Jane Doe', 'booking', 'Jane Doe'],
    [A, 'Reserved | Jane Doe', 'booking', 'Jane Doe'],
    [A, 'Reserved, Jane Doe', 'booking', 'Jane Doe'],
    [A, 'Reserved (Jane Doe)', 'booking', 'Jane Doe'],
    [A, 'Reserved ( Jane Doe )', 'booking', 'Jane Doe'],
    [A, 'Reserved - Jane Doe HMABCD2345', 'booking', 'Jane Doe'],
    [A, 'Reserved - Jane (Janey)', 'booking', 'Jane (Janey)'],
    [A, 'Reserved (Jane (Janey) Doe)', 'booking', 'Jane (Janey) Doe'],
    [A, 'Reserved ()', 'booking', null],
    [A, 'Reserved - 2 guests', 'booking', null],
    [A, 'Reserved - (Not available).', 'block', null],
    [A, 'Reserved - Pending', 'tentative', null],
    [A, 'Reserved Jane Doe', 'unknown', null],
    [A, 'Reservedly', 'unknown', null],
    [A, 'Not available', 'block', null],
    [A, 'Channel A (Not available)', 'block', null],
    [A, 'Channel A (Not available) ', 'block', null],
    [A, 'Channel A (Not available) Jane', 'unknown', null],
    [A, 'Channel A (Jane Doe)', 'unknown', null],
    [A, 'Blocked: painters', 'block', null],
    [A, 'Closed', 'block', null],
    [A, 'Pending', 'tentative', null],
    [A, 'Jane Doe', 'unknown', null],
    [C, 'CLOSED - Not available', 'closure', null],
    [C, 'Closed', 'closure', null],
    [C, 'Closed - Channel C (Not available)', 'closure', null],
    [C, 'Closed - Jane Doe', 'booking', 'Jane Doe'],
    [C, 'Closed - 12345', 'closure', null],
    [C, 'Closed - 2 guests', 'booking', null],
    [C, 'Reserved', 'closure', null],
    [C, 'Reserved - Jane Doe', 'booking', 'Jane Doe'],
    [C, 'Not available', 'block', null],
    [C, 'Jane Doe', 'unknown', null],
    [OWN, 'Jane Doe', 'unknown', 'Jane Doe'],
    [OWN, 'Jane \t Doe', 'unknown', 'Jane Doe'],
    [OWN, 'Müller, 2 Gäste', 'unknown', 'Müller'],
    [OWN, 'Müller 2 Gäste\nund 1 Kind', 'unknown', 'Müller'],
    [OWN, 'Ada Smith (3456789012)', 'unknown', 'Ada Smith'],
    [OWN, 'Ada Smith #345678', 'unknown', 'Ada Smith'],
    [OWN, 'Ada Smith (HMABCD23) 345678', 'unknown', 'Ada Smith'],
    [OWN, 'HMABCD2345 - Ada Smith', 'unknown', 'Ada Smith'],
    [OWN, '(345678) Ada Smith', 'unknown', 'Ada Smith'],
    [OWN, '# 345678: Ada Smith', 'unknown', 'Ada Smith'],
    [OWN, 'Ada Smith 12345', 'unknown', 'Ada Smith 12345'],
    [OWN, '345678', 'unknown', null],
    [OWN, '2 guests', 'unknown', null],
    [OWN, '(12 Gäste)', 'unknown', null],
    [OWN, `${'x'.repeat(119)} y`, 'unknown', 'x'.repeat(119)],
    [OWN, 'Reserved - Closed', 'booking', null],
  ])('in a %s calendar, %j, is classified as %s with guest name %j', (kind, summary, found, guest_name) => {
    expect(classifyFeedEntry(kind, summary, '', NONE)).toMatchObject({ class: found, guest_name });
  });

  it('of a tentative event is classified as tentative, without a guest name', () => {
    expect(classifyFeedEntry(A, 'Reserved - Jane Doe', '', { ...NONE, tentative: true })).toMatchObject({
      class: 'tentative',
      guest_name: null,
    });
  });

  it.each<[string, string, string, string | null, string | null]>([
    ['Reserved (HMABCD2345)', '', 'booking', null, 'HMABCD2345'],
    ['Jane Doe (HMABCD2345)', '', 'booking', 'Jane Doe', 'HMABCD2345'],
    ['Jane  Doe (HMABCD2345) ', '', 'booking', 'Jane Doe', 'HMABCD2345'],
    ['Ocupado (HMABCD2345)', '', 'booking', null, 'HMABCD2345'],
    ['Jane Doe', '/details/HMABCD2345', 'booking', null, 'HMABCD2345'],
    ['Jane Doe (Not available)', '/details/HMABCD2345', 'block', null, 'HMABCD2345'],
  ])(
    '%j with details %j and a code is classified as %s with guest name %j',
    (summary, details, found, guest_name, reservation_code) => {
      expect(classifyFeedEntry(A, summary, details, NONE)).toMatchObject({
        class: found,
        guest_name,
        reservation_code,
      });
    },
  );
});

it.each<[string, string | null]>([
  ['Reservation URL: https://www.channel-a.example/hosting/reservations/details/HMABCD2345\nPhone', 'HMABCD2345'],
  ['https://www.channel-a.example/details/hmabcd2345?x=1', 'HMABCD2345'],
  ['/details/HM123', null],
  ['/details/HMABCD2345HMABCD2345X', null],
  ['Reservation code: HA-Q2W3E4', 'HA-Q2W3E4'],
  ['Confirmation number # ha12345', 'HA12345'],
  ['booking id:\nHA12345', 'HA12345'],
  ['Booking ID :\u00a0HA12345', 'HA12345'],
  ['Buchungscode: HA12345', 'HA12345'],
  ['Reservierungsnummer: 123456', '123456'],
  ['Número de reserva', null],
  ['Reserva número: 123456', '123456'],
  ['Reservations-No.: 12345', '12345'],
  ['Buchung Nummer: 12345', '12345'],
  ['Reservierung Nummer: 12345', '12345'],
  ['Booking no: 12345', '12345'],
  ['Reservation   code:\t HA12345', 'HA12345'],
  ['Reservation code: QWERTY', 'QWERTY'],
  ['Reservation code: Pending', null],
  ['Reservation code: pendING', null],
  ['Reservation code: pending', null],
  ['Reservation code: AB12', null],
  ['Reservation code HA12345', null],
  ['Code: HA12345', null],
])('the reservation code in %j is %j', (details, code) => {
  expect(findReservationCodeInFeedEntry('', details)).toBe(code);
});

it.each<[string, string | null]>([
  ['Phone Number (Last 4 Digits): 4821', '4821'],
  ['Telefon (letzte 4 Ziffern):\n \n 0007 ', '0007'],
  ['電話番号（下 4 桁）：4821', '4821'],
  ['Guest: Jane\nPhone (4): 4821\nPhone (4): 1234', '4821'],
  ['Phone: 4821', null],
  ['4821', null],
  ['Last 14 digits: 4821', null],
  ['Phone (4): 48211', null],
  ['Phone (4): 482', null],
  ['Phone: 4: 4821', null],
  ['Phone (4):', null],
])('the last digits of the phone in %j are %j', (details, phone_last4) => {
  expect(classifyFeedEntry(A, 'Reserved', details, NONE).phone_last4).toBe(phone_last4);
});

it('comparison ignores case, whitespace and the Unicode form of accents', () => {
  expect(normalizeFeedTextForComparison('  RE\u0301SERVE\u0301 \n x ')).toBe('réservé x');
});
