/**
 * Channel B: "Instant Booking from Jane Doe: Jun 1 - Jun 5, 2026". A labelled table follows, with a relay address and
 * one "Dates" row.
 */
import { extractGeneric, isName, withoutParty } from './generic';
import type { RawFields, Reading } from './types';

const FROM = /\s(?:from|de la|de|von|di|da|van|från|fra|vieraalta|od|από|от|від)\s|^来自\s?/iu;
/** Where the name comes first, what stands between it and the rest. */
const BEHIND_NAME = /\s?(?:님의|様の|様から|さんの|さんから|\s的|取消了|更改了)/u;

/** The name behind "from", and the days behind the colon. */
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

export function extractChannelB(reading: Reading): RawFields {
  const labelled = extractGeneric(reading);
  const subject = readSubject(reading.mail.subject);
  const named = withoutParty(subject?.name ?? '');
  const code = /\b(H[AB]-[A-Z0-9]{5,12})\b/.exec(`${reading.mail.subject}\n${reading.text}`)?.[1];
  return {
    ...labelled,
    guest_name: labelled.guest_name ?? (isName(named) ? named : null),
    range: labelled.range ?? subject?.days ?? null,
    reservation_code: code ?? labelled.reservation_code,
  };
}
