/**
 * The listing-rules block: plain text that a host pastes into a channel's listing, made of the packet's rules and its
 * `conditional_` fees (specification "Packet": mandatory ones are not in it). Headings and units are in the language
 * asked for; what the host wrote stays as the host wrote it.
 */

import { moneyText } from '@/shared/money/money-text';
import type { PacketFee, PacketRule } from '../schemas';
import { isConditional } from './fee-classes';

export const LISTING_LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'] as const;
export type ListingLocale = (typeof LISTING_LOCALES)[number];

type Unit = 'stay' | 'night' | 'day' | 'hour' | 'person' | 'pet' | 'vehicle' | 'item' | 'incident';

interface ListingMessages {
  rules: string;
  fees: string;
  units: Record<Unit, string>;
}

const MESSAGES: Record<ListingLocale, ListingMessages> = {
  en: {
    rules: 'House rules',
    fees: 'Fees that may apply',
    units: {
      stay: 'per stay',
      night: 'per night',
      day: 'per day',
      hour: 'per hour',
      person: 'per person',
      pet: 'per pet',
      vehicle: 'per vehicle',
      item: 'per item',
      incident: 'per incident',
    },
  },
  de: {
    rules: 'Hausregeln',
    fees: 'Gebühren, die anfallen können',
    units: {
      stay: 'pro Aufenthalt',
      night: 'pro Nacht',
      day: 'pro Tag',
      hour: 'pro Stunde',
      person: 'pro Person',
      pet: 'pro Haustier',
      vehicle: 'pro Fahrzeug',
      item: 'pro Stück',
      incident: 'pro Vorfall',
    },
  },
  fr: {
    rules: 'Règlement intérieur',
    fees: 'Frais pouvant s’appliquer',
    units: {
      stay: 'par séjour',
      night: 'par nuit',
      day: 'par jour',
      hour: 'par heure',
      person: 'par personne',
      pet: 'par animal',
      vehicle: 'par véhicule',
      item: 'par article',
      incident: 'par incident',
    },
  },
  es: {
    rules: 'Normas de la casa',
    fees: 'Cargos que pueden aplicarse',
    units: {
      stay: 'por estancia',
      night: 'por noche',
      day: 'por día',
      hour: 'por hora',
      person: 'por persona',
      pet: 'por mascota',
      vehicle: 'por vehículo',
      item: 'por artículo',
      incident: 'por incidente',
    },
  },
  it: {
    rules: 'Regole della casa',
    fees: 'Costi che possono essere addebitati',
    units: {
      stay: 'a soggiorno',
      night: 'a notte',
      day: 'al giorno',
      hour: 'all’ora',
      person: 'a persona',
      pet: 'per animale',
      vehicle: 'per veicolo',
      item: 'per articolo',
      incident: 'per episodio',
    },
  },
  pt: {
    rules: 'Regras da casa',
    fees: 'Taxas que podem ser aplicadas',
    units: {
      stay: 'por estadia',
      night: 'por noite',
      day: 'por dia',
      hour: 'por hora',
      person: 'por pessoa',
      pet: 'por animal',
      vehicle: 'por veículo',
      item: 'por artigo',
      incident: 'por incidente',
    },
  },
  nl: {
    rules: 'Huisregels',
    fees: 'Kosten die in rekening kunnen worden gebracht',
    units: {
      stay: 'per verblijf',
      night: 'per nacht',
      day: 'per dag',
      hour: 'per uur',
      person: 'per persoon',
      pet: 'per huisdier',
      vehicle: 'per voertuig',
      item: 'per stuk',
      incident: 'per voorval',
    },
  },
};

/** The words that name a unit, as clients send them: `night`, `per_night`, `Per night`. */
const UNIT_WORDS: Record<string, Unit> = {
  stay: 'stay',
  night: 'night',
  day: 'day',
  hour: 'hour',
  person: 'person',
  guest: 'person',
  pet: 'pet',
  vehicle: 'vehicle',
  car: 'vehicle',
  item: 'item',
  incident: 'incident',
  occurrence: 'incident',
};

/** The nearest supported language of a BCP 47 tag (`de-AT` is `de`); English when there is none. */
export function listingLocale(tag: string): ListingLocale {
  const language = tag.toLowerCase().split(/[-_]/)[0];
  return LISTING_LOCALES.find((locale) => locale === language) ?? 'en';
}

/** The tag for numbers: the one asked for when it is well formed and of the same language (`de-CH`), else the language. */
function numberLocale(tag: string, locale: ListingLocale): string {
  try {
    const canonical = Intl.getCanonicalLocales(tag.replace(/_/g, '-'))[0];
    return canonical?.split('-')[0] === locale ? canonical : locale;
  } catch {
    return locale;
  }
}

/** An amount as people of the locale write it, with plain spaces. */
const money = (amount_cents: number, currency: string, locale: string): string =>
  moneyText(amount_cents, currency, locale, { short: true }).replace(/[\u00a0\u202f]/g, ' ');

function unitText(unit: string, locale: ListingLocale): string {
  const word = unit.trim().toLowerCase().replace(/_/g, ' ').replace(/^per /, '');
  const known = Object.hasOwn(UNIT_WORDS, word) ? UNIT_WORDS[word] : undefined;
  // A unit in the host's own words stays so: "per hour after 11:00".
  return known ? MESSAGES[locale].units[known] : unit.trim();
}

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

function feeLine(fee: PacketFee, currency: string, tag: string, locale: ListingLocale): string {
  const unit = fee.unit ? ` ${unitText(fee.unit, locale)}` : '';
  const description = fee.description ? ` (${oneLine(fee.description)})` : '';
  return `- ${oneLine(fee.label)}: ${money(fee.amount_cents, currency, tag)}${unit}${description}`;
}

/** Rules by category in the order in which categories first appear; those without one come first. */
function byCategory(rules: readonly PacketRule[]): Map<string, PacketRule[]> {
  const groups = new Map<string, PacketRule[]>([['', []]]);
  for (const rule of rules) {
    const category = rule.category ? oneLine(rule.category) : '';
    groups.set(category, [...(groups.get(category) ?? []), rule]);
  }
  return groups;
}

export interface ListingRulesInput {
  rules: readonly PacketRule[];
  fees: readonly PacketFee[];
  /** ISO 4217. */
  currency: string;
  /** A BCP 47 tag; its language chooses the headings, the whole tag the form of amounts. */
  locale: string;
}

/** The block as plain text with `\n` line ends; empty when there is neither a rule nor a conditional fee. */
export function listingRules({ rules, fees, currency, locale: tag }: ListingRulesInput): string {
  const locale = listingLocale(tag);
  const numbers = numberLocale(tag, locale);
  const sections: string[] = [];
  if (rules.length > 0) {
    const groups = [...byCategory(rules)].filter(([, group]) => group.length > 0);
    const blocks = groups.map(([category, group]) =>
      [...(category ? [`${category}:`] : []), ...group.map((rule) => `- ${oneLine(rule.text)}`)].join('\n'),
    );
    sections.push([MESSAGES[locale].rules.toUpperCase(), ...blocks].join('\n'));
  }
  const conditional = fees.filter((fee) => isConditional(fee.type));
  if (conditional.length > 0) {
    const lines = conditional.map((fee) => feeLine(fee, currency, numbers, locale));
    sections.push([MESSAGES[locale].fees.toUpperCase(), ...lines].join('\n'));
  }
  return sections.join('\n\n');
}
