/**
 * Channel A: "Reservation confirmed - Jane Doe arrives Jun 12". The days stand under "Check-in" and "Checkout", often
 * without a year; the code is `HM…`; there is never an address.
 */
import { extractGeneric, isName } from './generic';
import type { RawFields, Reading } from './types';

// The verb differs, the shape does not: a separator, the name, "arrives".
const SUBJECT =
  /[-–—:]\s*(.+?)\s+(?:arrives|arrive|kommt|reist|llega|arriva|komt|chega|anländer|ankommer|ankommer|saapuu|przyjeżdża|přijíždí)(?=\s|$)/iu;

export function extractChannelA(reading: Reading): RawFields {
  const labelled = extractGeneric(reading);
  const named = SUBJECT.exec(reading.mail.subject)?.[1]?.trim() ?? '';
  const code = /\b(HM[A-Z0-9]{6,10})\b/.exec(`${reading.mail.subject}\n${reading.text}`)?.[1];
  return {
    ...labelled,
    guest_name: isName(named) ? named : labelled.guest_name,
    guest_email: null,
    reservation_code: code ?? (/^HM/.test(labelled.reservation_code ?? '') ? labelled.reservation_code : null),
  };
}
