/**
 * Searches guests, email addresses, booking codes, certificates, properties, and prefixes of ids.
 */
import { splitSearchWords } from '@/modules/reservations/rules/search';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { clock } from '@/shared/clock';
import { shouldMaskGuestData } from '@/shared/roles';
import type { Scope } from '@/shared/scope';
import { readIdPrefix } from './ids.rules';
import { buildShortenedWordVariants } from './mistyped-words.rules';
import * as repository from './repository';
import type { SearchResult } from './schemas';

const FEW = 6;
/** The shortest search. A single letter matches too much. */
const SHORTEST = 2;

const NOTHING: SearchResult = { reservations: [], certificates: [], properties: [], ids: [], near: false };

/** Returns matches in the scope's mode. If there are none, returns matches of similar words. */
export async function searchEverything(scope: Scope, given: string): Promise<SearchResult> {
  const text = given.trim().toLowerCase();
  if ([...text].length < SHORTEST) return NOTHING;
  const prefix = readIdPrefix(text);
  if (prefix) {
    const found = await repository.findResourcesByIdPrefix(scope, prefix, FEW);
    return { ...NOTHING, ids: found.map((row) => ({ kind: prefix.kind, ...row })) };
  }
  const properties = (await repository.findProperties(scope, text, FEW)).map(({ id, name, city, address }) => ({
    ...{ id, name, place: city ?? address },
  }));
  properties.sort((a, b) => Number(b.name.toLowerCase() === text) - Number(a.name.toLowerCase() === text));
  // Guest names are masked for this role, and a match would reveal a name.
  if (shouldMaskGuestData(scope)) return { ...NOTHING, properties };
  const words = splitSearchWords(text);
  for (const [attempt, tried] of [words, ...buildShortenedWordVariants(words)].entries()) {
    const found = await findGuests(scope, text, tried);
    const some = found.reservations.length + found.certificates.length > 0;
    if (some) return { ...NOTHING, ...found, properties, near: attempt > 0 };
    // A matching property is the likely target, so similar words are not tried.
    if (properties.length > 0) break;
  }
  return { ...NOTHING, properties };
}

async function findGuests(scope: Scope, text: string, words: readonly string[]) {
  if (words.length === 0) return { reservations: [], certificates: [] };
  const reservations = await repository.findReservations(scope, text, words, clock().now(), FEW);
  const certificates = await repository.findCertificates(scope, text, words, FEW);
  return {
    reservations: reservations.map(({ checkin_date, checkout_date, external_id, ...row }) => ({
      ...row,
      checkin_date: convertDatabaseDateToIsoDay(checkin_date),
      checkout_date: convertDatabaseDateToIsoDay(checkout_date),
      booking_code: external_id,
    })),
    certificates: certificates.map((row) => ({ ...row, signed_at: row.signed_at.toISOString() })),
  };
}
