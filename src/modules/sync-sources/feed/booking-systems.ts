/**
 * The labels of a guest's name, phone and code in an entry's description, as written by Smoobu,
 * Lodgify, Hostaway, Guesty, OwnerRez and Hospitable. Descriptions have one label on each line.
 * Pure.
 */
import { foldCaseAndAccents } from '@/shared/text/phrases';

type Fact = 'name' | 'phone' | 'code' | 'email';

/**
 * The labels of each system, one system on each line. A label that several systems use is listed
 * with the first.
 */
// biome-ignore format: one line for each system.
const PRESETS: readonly (readonly [system: string, name: string, phone: string, code: string])[] = [
  ['Smoobu', 'guest|guest name|name|gast|gastname|name des gastes', 'phone|phone number|telefon|telefonnummer|tel|mobile|handy', 'booking id|buchungsnummer|booking number|reference|referenz'],
  ['Lodgify', 'guest|name|booked by|huésped|hôte|ospite', 'phone|teléfono|téléphone|telefono|telefone', 'booking id|booking reference|id de reserva|numéro de réservation'],
  ['Hostaway', 'guest name|guest|main guest', 'guest phone|phone', 'reservation id|channel reservation id|confirmation code|hostaway reservation id'],
  ['Guesty', 'guest|guest name|full name', 'guest phone|phone number', 'confirmation code|reservation code|gy code'],
  ['OwnerRez', 'guest|renter|renter name|guest name', 'phone|cell|renter phone', 'booking|booking number|booking #|orb|quote'],
  ['Hospitable', 'guest|guest name|first name', 'phone|phone number|guest phone', 'code|reservation code|confirmation code|platform id'],
];

const LABELS = new Map<string, Fact>();
for (const [, ...facts] of PRESETS) {
  for (const [index, labels] of facts.entries())
    for (const label of labels.split('|'))
      LABELS.set(foldCaseAndAccents(label), (['name', 'phone', 'code'] as const)[index]!);
}
for (const label of ['email', 'e-mail', 'guest email']) LABELS.set(label, 'email');

const MAX_LINES = 60;
const LONGEST_LABEL = 40;

/**
 * Returns the facts about the guest in a description. If a label occurs several times, its first
 * line is used.
 */
export function parseGuestDetailsInDescription(details: string) {
  const found = new Map<Fact, string>();
  for (const line of details.split('\n', MAX_LINES)) {
    const colon = line.slice(0, LONGEST_LABEL).search(/[:：]/);
    if (colon < 1) continue;
    const fact = LABELS.get(foldCaseAndAccents(line.slice(0, colon).replace(/[*#]/g, '')).trim());
    const value = line.slice(colon + 1, colon + 200).trim();
    if (fact && value !== '' && !found.has(fact)) found.set(fact, value);
  }
  const name = found.get('name') ?? '';
  const digits = (found.get('phone') ?? '').replace(/\D/g, '');
  const code = /^#?\s?([A-Z0-9][A-Z0-9-]{3,24})$/i.exec(found.get('code') ?? '')?.[1] ?? '';
  const is_name = /\p{L}/u.test(name) && !/[@\d]|https?:/i.test(name);
  return {
    name: is_name ? name : null,
    phone_last4: digits.length >= 7 ? digits.slice(-4) : null,
    code: /\d/.test(code) ? code.toUpperCase() : null,
    /** Whether the description has facts about a guest. Only bookings have such facts. */
    any: is_name || digits.length >= 7 || found.get('email')?.includes('@') === true,
  };
}
