/**
 * Channel A: "Reservation confirmed - Jane Doe arrives Jun 12". The days stand under "Check-in" and "Checkout", often
 * without a year; the code is `HM…`; there is never an address.
 */
import { extractGeneric, isName } from './generic';
import type { RawFields, Reading } from './types';

// The verb differs, the shape does not: a separator, the name, "arrives".
const ARRIVES =
  /\s(?:arrives|arrive|kommt|reist|llega|arriva|komt|chega|anländer|ankommer|saapuu|przyjeżdża|přijíždí)(?=\s|$)/iu;

function nameIn(subject: string): string {
  const rest = subject.slice(subject.search(/[-–—:]/) + 1);
  const verb = ARRIVES.exec(rest);
  return verb && rest !== subject ? rest.slice(0, verb.index).trim() : '';
}

export function extractChannelA(reading: Reading): RawFields {
  const labelled = extractGeneric(reading);
  const named = nameIn(reading.mail.subject);
  const code = /\b(HM[A-Z0-9]{6,10})\b/.exec(`${reading.mail.subject}\n${reading.text}`)?.[1];
  return {
    ...labelled,
    guest_name: isName(named) ? named : labelled.guest_name,
    guest_email: null,
    reservation_code: code ?? (/^HM/.test(labelled.reservation_code ?? '') ? labelled.reservation_code : null),
  };
}
