/**
 * Channel A's subjects look like "Reservation confirmed - Jane Doe arrives Jun 12". The days are
 * below "Check-in" and "Checkout", often without a year. The code begins with `HM`. Its mails never
 * contain an e-mail address.
 */

import { extractFieldsByLabel, isPersonName, stripGuestCountFromName } from './generic';
import type { LabelledMailBody, RawBookingFieldsFromMail } from './types';

// The verb after the guest's name, in each language. The name is between a separator and the verb.
const ARRIVES =
  /\s(?:arrives|arriving|will arrive|arrive|kommt|reist|trifft|llega|llegará|arriva|arriverà|chega|chegará|komt|arriveert|anländer|kommer|ankommer|saapuu|przyjeżdża|przyjedzie|przybywa|přijíždí|přijede|prichádza|príde|dolazi|stiže|prispe|pride|érkezik|sosește|ajunge|arriba|arribarà|φτάνει|έρχεται|geliyor|varıyor|gelecek|приезжает|прибывает|приедет|прибудет|приїжджає|прибуває|приїде|прибуде|将于|將於)(?=\s|$)/iu;
/** Honorifics after the guest's name, for languages that do not use a verb of `ARRIVES`. */
const HONORED = /(?:さん|様|님)/u;
/** Matches the day that precedes the name in Japanese subjects: "6月12日にJaneさんが到着予定". */
const DAY_BEFORE_NAME = /^\s*\d{1,2}月\d{1,2}日に/u;

function nameIn(subject: string): string {
  const at = subject.search(/[-–—:：]/);
  const rest = subject.slice(at + 1).replace(DAY_BEFORE_NAME, '');
  const verb = ARRIVES.exec(rest) ?? HONORED.exec(rest);
  return verb && at >= 0 ? rest.slice(0, verb.index).trim() : '';
}

export function extractBookingFieldsFromChannelAMail(reading: LabelledMailBody): RawBookingFieldsFromMail {
  const labelled = extractFieldsByLabel(reading);
  const named = nameIn(reading.mail.subject);
  const written = `${reading.mail.subject}\n${reading.text}`.match(/\bHM[A-Z0-9]{6,10}\b/g) ?? [];
  return {
    ...labelled,
    guest_name: isPersonName(named) ? named : labelled.guest_name,
    guest_email: null,
    reservation_code: written[0] ?? (/^HM/.test(labelled.reservation_code ?? '') ? labelled.reservation_code : null),
    codes: [...written, ...labelled.codes.filter((code) => code.startsWith('HM'))],
  };
}

/**
 * Channel B's subjects look like "Instant Booking from Jane Doe: Jun 1 - Jun 5, 2026". The mail has
 * a table of labels with a relay address and one "Dates" row.
 */

const FROM = /\s(?:from|de la|de|von|di|da|van|från|fra|vieraalta|od|από|от|від)\s|^来自\s?/iu;
/** The words after the guest's name, for languages in which the subject begins with the name. */
const BEHIND_NAME = /\s?(?:님의|様の|様から|さんの|さんから|\s的|取消了|更改了)/u;

/** Returns the guest's name from the part before the colon, and the days from the part after it. */
function readSubject(subject: string): { name: string; days: string } | null {
  const colon = subject.search(/[:：]/);
  const days = subject.slice(colon + 1).trim();
  if (colon < 1 || !/\d/.test(days)) return null;
  const head = subject.slice(0, colon);
  const from = FROM.exec(head);
  const behind = BEHIND_NAME.exec(head);
  if (!from && !behind) return null;
  const begins = from ? from.index + from[0].length : 0;
  return { name: head.slice(begins, behind?.index ?? head.length).trim(), days };
}

export function extractBookingFieldsFromChannelBMail(reading: LabelledMailBody): RawBookingFieldsFromMail {
  const labelled = extractFieldsByLabel(reading);
  const subject = readSubject(reading.mail.subject);
  const named = stripGuestCountFromName(subject?.name ?? '');
  const written = `${reading.mail.subject}\n${reading.text}`.match(/\bH[AB]-[A-Z0-9]{5,12}\b/g) ?? [];
  return {
    ...labelled,
    guest_name: labelled.guest_name ?? (isPersonName(named) ? named : null),
    range: labelled.range ?? subject?.days ?? null,
    reservation_code: written[0] ?? labelled.reservation_code,
    codes: written.length > 0 ? written : labelled.codes,
  };
}

/**
 * Channel C's subjects look like "New booking! (1234567890, Friday 12 June 2026)". The number has
 * about ten digits, and the guest's address is a relay.
 */

const isNumber = (text: string) => /^\d{8,12}$/.test(text);

export function extractBookingFieldsFromChannelCMail(reading: LabelledMailBody): RawBookingFieldsFromMail {
  const labelled = extractFieldsByLabel(reading);
  const subject = /\((\d{8,12})\s?,([^()]*)\)/.exec(reading.mail.subject);
  const day = subject?.[2]?.trim() ?? '';
  const numbers = labelled.codes.map((code) => code.replace(/\D/g, ''));
  const labelled_code = numbers[0] ?? '';
  return {
    ...labelled,
    checkin: labelled.checkin ?? (/\d/.test(day) ? day : null),
    reservation_code: isNumber(labelled_code) ? labelled_code : (subject?.[1] ?? null),
    codes: [...numbers.filter(isNumber), ...(subject?.[1] ? [subject[1]] : [])],
  };
}
