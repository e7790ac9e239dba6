/**
 * Channel A: "Reservation confirmed - Jane Doe arrives Jun 12". The days stand under "Check-in" and "Checkout", often
 * without a year; the code is `HM…`; there is never an address.
 */
import { extractGeneric, isName } from './generic';
import type { RawFields, Reading } from './types';

// The verb differs, the shape does not: a separator, the name, "arrives".
const ARRIVES =
  /\s(?:arrives|arriving|will arrive|arrive|kommt|reist|trifft|llega|llegará|arriva|arriverà|chega|chegará|komt|arriveert|anländer|kommer|ankommer|saapuu|przyjeżdża|przyjedzie|przybywa|přijíždí|přijede|prichádza|príde|dolazi|stiže|prispe|pride|érkezik|sosește|ajunge|arriba|arribarà|φτάνει|έρχεται|geliyor|varıyor|gelecek|приезжает|прибывает|приедет|прибудет|приїжджає|прибуває|приїде|прибуде|将于|將於)(?=\s|$)/iu;
/** Where nothing separates the name from what follows it. */
const HONORED = /(?:さん|様|님)/u;

function nameIn(subject: string): string {
  const at = subject.search(/[-–—:：]/);
  const rest = subject.slice(at + 1);
  const verb = ARRIVES.exec(rest) ?? HONORED.exec(rest);
  return verb && at >= 0 ? rest.slice(0, verb.index).trim() : '';
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
