/**
 * Channel C: "New booking! (1234567890, Friday 12 June 2026)". The number has ten digits or so, the guest's address is
 * a relay.
 */
import { extractGeneric } from './generic';
import type { RawFields, Reading } from './types';

export function extractChannelC(reading: Reading): RawFields {
  const labelled = extractGeneric(reading);
  const subject = /\((\d{8,12})\s?,([^()]*)\)/.exec(reading.mail.subject);
  const day = subject?.[2]?.trim() ?? '';
  const labelled_code = labelled.reservation_code?.replace(/\D/g, '') ?? '';
  return {
    ...labelled,
    checkin: labelled.checkin ?? (/\d/.test(day) ? day : null),
    reservation_code: /^\d{8,12}$/.test(labelled_code) ? labelled_code : (subject?.[1] ?? null),
  };
}
