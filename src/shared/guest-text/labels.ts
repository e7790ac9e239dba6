/** Labels for the codes in a packet: rule categories, fee units, when a fee applies. Pure. */

import type { GuestTextKey, TranslateFunction } from './translate';

/**
 * Message keys of categories, by the spellings that hosts and importers use. Other categories are
 * shown as written.
 */
const CATEGORIES: Readonly<Record<string, Extract<GuestTextKey, `category.${string}`>>> = {
  access: 'category.access',
  keys: 'category.access',
  check_in: 'category.checkin',
  checkin: 'category.checkin',
  arrival: 'category.checkin',
  check_out: 'category.checkout',
  checkout: 'category.checkout',
  departure: 'category.checkout',
  guests: 'category.guests',
  occupancy: 'category.guests',
  visitors: 'category.guests',
  noise: 'category.noise',
  quiet_hours: 'category.noise',
  parking: 'category.parking',
  parties: 'category.parties',
  party: 'category.parties',
  events: 'category.parties',
  pets: 'category.pets',
  pet: 'category.pets',
  pool: 'category.pool',
  spa: 'category.pool',
  safety: 'category.safety',
  smoking: 'category.smoking',
  trash: 'category.trash',
  garbage: 'category.trash',
  recycling: 'category.trash',
  damage: 'category.damage',
  damages: 'category.damage',
  other: 'category.other',
};

const UNITS: Readonly<Record<string, Extract<GuestTextKey, `unit.${string}`>>> = {
  stay: 'unit.stay',
  booking: 'unit.stay',
  reservation: 'unit.stay',
  night: 'unit.night',
  day: 'unit.day',
  hour: 'unit.hour',
  guest: 'unit.guest',
  person: 'unit.guest',
  guest_night: 'unit.guest_night',
  guest_per_night: 'unit.guest_night',
  person_per_night: 'unit.guest_night',
  pet: 'unit.pet',
  item: 'unit.item',
  key: 'unit.item',
  incident: 'unit.incident',
  occurrence: 'unit.incident',
};

const slug = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s\-/]+/g, '_');

const lookUp = <T>(table: Readonly<Record<string, T>>, key: string): T | null =>
  Object.hasOwn(table, key) ? (table[key] ?? null) : null;

/** Returns a category's heading. */
export function getRuleCategoryLabel(category: string | null, t: TranslateFunction): string {
  if (category === null || category.trim() === '') return t('rules.general');
  if (slug(category) === 'general') return t('rules.general');
  const key = lookUp(CATEGORIES, slug(category));
  return key ? t(key) : category.trim();
}

/** Groups rules by category, in the order in which categories first appear. */
export function groupRulesByCategory<R extends { category: string | null; heading?: string }>(
  rules: readonly R[],
  t: TranslateFunction,
): { label: string; rules: R[] }[] {
  const groups = new Map<string, R[]>();
  for (const rule of rules) {
    const label = rule.heading ?? getRuleCategoryLabel(rule.category, t);
    const group = groups.get(label);
    if (group) group.push(rule);
    else groups.set(label, [rule]);
  }
  return [...groups].map(([label, members]) => ({ label, rules: members }));
}

/**
 * Returns the label of a unit, such as “per night”. A unit in the host's own words is shown as
 * written.
 */
export function getFeeUnitLabel(unit: string | null, t: TranslateFunction): string | null {
  if (unit === null || unit.trim() === '') return null;
  const key = lookUp(UNITS, slug(unit).replace(/^per_/, ''));
  return key ? t(key) : unit.trim();
}

export type FeeApplicability = 'mandatory' | 'conditional' | 'unspecified';

/** Returns the group of a fee, according to its type's prefix. */
export function getFeeApplicability(type: string | null): FeeApplicability {
  if (type?.startsWith('mandatory_')) return 'mandatory';
  return type?.startsWith('conditional_') ? 'conditional' : 'unspecified';
}

const FEE_WHEN = {
  mandatory_deposit: 'fee_when.mandatory_deposit',
  conditional_pet: 'fee_when.conditional_pet',
  conditional_extra_guest: 'fee_when.conditional_extra_guest',
  conditional_early_checkin: 'fee_when.conditional_early_checkin',
  conditional_late_checkout: 'fee_when.conditional_late_checkout',
  conditional_smoking: 'fee_when.conditional_smoking',
  conditional_damage: 'fee_when.conditional_damage',
  conditional_lost_key: 'fee_when.conditional_lost_key',
  conditional_noise_party: 'fee_when.conditional_noise_party',
  conditional_excess_cleaning: 'fee_when.conditional_excess_cleaning',
  conditional_parking: 'fee_when.conditional_parking',
} as const satisfies Record<string, GuestTextKey>;

/**
 * Returns a short text about when a fee applies, or null when the fee's type does not specify the
 * time.
 */
export function describeFeeTiming(fee: { type: string | null }, t: TranslateFunction): string | null {
  const exact = lookUp<(typeof FEE_WHEN)[keyof typeof FEE_WHEN]>(FEE_WHEN, fee.type ?? '');
  if (exact) return t(exact);
  const kind = getFeeApplicability(fee.type);
  return kind === 'mandatory' ? t('fee_when.mandatory') : kind === 'conditional' ? t('fee_when.conditional') : null;
}
