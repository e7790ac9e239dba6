/**
 * Channel B: "Instant Booking from Jane Doe: Jun 1 - Jun 5, 2026". A labelled table follows, with a relay address and
 * one "Dates" row.
 */
import { extractGeneric, isName, withoutParty } from './generic';
import type { RawFields, Reading } from './types';

/** The name behind "from", and the days behind the colon. */
function readSubject(subject: string): { name: string; days: string } | null {
  const from = /\s(?:from|de|von|di|da|van)\s/iu.exec(subject);
  if (!from) return null;
  const rest = subject.slice(from.index + from[0].length).trim();
  const colon = rest.search(/[:：]/);
  const days = rest.slice(colon + 1).trim();
  return colon > 0 && /\d/.test(days) ? { name: rest.slice(0, colon).trim(), days } : null;
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
