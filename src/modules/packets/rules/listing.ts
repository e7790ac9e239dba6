/**
 * The listing-rules block: plain text for a channel's listing, with the packet's rules and
 * `conditional_` fees (specification "Packet"). `mandatory_` fees are not part of it. Headings and
 * units are translated, but the host's texts are not.
 */

import { HOST_TEXT_CATALOGS, type HostTextCatalog } from '@/shared/host-text/host-texts';
import { HOST_LOCALES, type HostLocale } from '@/shared/language/host-language';
import { formatMoneyText } from '@/shared/money/money-text';
import type { PacketFee, PacketRule } from '../schemas';
import { isConditionalFeeType } from './fee-classes';

export const CHANNEL_LISTING_LOCALES = HOST_LOCALES;
export type ChannelListingLocale = HostLocale;

type Unit = keyof HostTextCatalog['listing']['unit'];

/**
 * The units by their name in API requests. The lookup ignores case and the prefix `per_`, as in
 * `per_night`.
 */
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

/**
 * Returns the supported language of a BCP 47 tag, such as `de` for `de-AT`. Returns English for an
 * unsupported language.
 */
export function getChannelListingLocale(tag: string): ChannelListingLocale {
  const language = tag.toLowerCase().split(/[-_]/)[0];
  return CHANNEL_LISTING_LOCALES.find((locale) => locale === language) ?? 'en';
}

/**
 * Returns the locale for number formats: `tag` if it is well-formed and in the language of
 * `locale`, otherwise `locale`.
 */
function numberLocale(tag: string, locale: ChannelListingLocale): string {
  try {
    const canonical = Intl.getCanonicalLocales(tag.replace(/_/g, '-'))[0];
    return canonical?.split('-')[0] === locale ? canonical : locale;
  } catch {
    return locale;
  }
}

/** Formats an amount for the locale. Replaces non-breaking spaces with plain spaces. */
const money = (amount_cents: number, currency: string, locale: string): string =>
  formatMoneyText(amount_cents, currency, locale, { short: true }).replace(/[\u00a0\u202f]/g, ' ');

function unitText(unit: string, locale: ChannelListingLocale): string {
  const word = unit.trim().toLowerCase().replace(/_/g, ' ').replace(/^per /, '');
  const known = Object.hasOwn(UNIT_WORDS, word) ? UNIT_WORDS[word] : undefined;
  // An unknown unit such as "per hour after 11:00" is not translated.
  return known ? HOST_TEXT_CATALOGS[locale].listing.unit[known] : unit.trim();
}

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

function feeLine(fee: PacketFee, currency: string, tag: string, locale: ChannelListingLocale): string {
  const unit = fee.unit ? ` ${unitText(fee.unit, locale)}` : '';
  const description = fee.description ? ` (${oneLine(fee.description)})` : '';
  return `- ${oneLine(fee.label)}: ${money(fee.amount_cents, currency, tag)}${unit}${description}`;
}

/**
 * Groups rules by category, in the order in which the categories first occur. Rules without a
 * category come first.
 */
function byCategory(rules: readonly PacketRule[]): Map<string, PacketRule[]> {
  const groups = new Map<string, PacketRule[]>([['', []]]);
  for (const rule of rules) {
    const category = rule.category ? oneLine(rule.category) : '';
    groups.set(category, [...(groups.get(category) ?? []), rule]);
  }
  return groups;
}

export interface HouseRulesTextForListingInput {
  rules: readonly PacketRule[];
  fees: readonly PacketFee[];
  /** ISO 4217. */
  currency: string;
  /**
   * A BCP 47 tag. Its language selects the headings. The whole tag determines the number format.
   */
  locale: string;
}

/**
 * Returns the block as plain text with line feeds between lines. Returns an empty string without
 * rules and conditional fees.
 */
export function renderHouseRulesTextForListing({
  rules,
  fees,
  currency,
  locale: tag,
}: HouseRulesTextForListingInput): string {
  const locale = getChannelListingLocale(tag);
  const numbers = numberLocale(tag, locale);
  const sections: string[] = [];
  if (rules.length > 0) {
    const groups = [...byCategory(rules)].filter(([, group]) => group.length > 0);
    const blocks = groups.map(([category, group]) =>
      [...(category ? [`${category}:`] : []), ...group.map((rule) => `- ${oneLine(rule.text)}`)].join('\n'),
    );
    sections.push([HOST_TEXT_CATALOGS[locale].listing.rules.toUpperCase(), ...blocks].join('\n'));
  }
  const conditional = fees.filter((fee) => isConditionalFeeType(fee.type));
  if (conditional.length > 0) {
    const lines = conditional.map((fee) => feeLine(fee, currency, numbers, locale));
    sections.push([HOST_TEXT_CATALOGS[locale].listing.fees.toUpperCase(), ...lines].join('\n'));
  }
  return sections.join('\n\n');
}
