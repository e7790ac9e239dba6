/**
 * Channel B: "Instant Booking from Jane Doe: Jun 1 - Jun 5, 2026". A labelled table follows, with a relay address and
 * one "Dates" row.
 */
import { extractGeneric, isName, withoutParty } from './generic';
import type { RawFields, Reading } from './types';

const SUBJECT = /(?:\s(?:from|de|von|di|da|van)\s+)(.+?)\s*[:：]\s*(.*\d.*)$/iu;

export function extractChannelB(reading: Reading): RawFields {
  const labelled = extractGeneric(reading);
  const subject = SUBJECT.exec(reading.mail.subject);
  const named = withoutParty(subject?.[1] ?? '');
  const code = /\b(H[AB]-[A-Z0-9]{5,12})\b/.exec(`${reading.mail.subject}\n${reading.text}`)?.[1];
  return {
    ...labelled,
    guest_name: labelled.guest_name ?? (isName(named) ? named : null),
    range: labelled.range ?? subject?.[2] ?? null,
    reservation_code: code ?? labelled.reservation_code,
  };
}
