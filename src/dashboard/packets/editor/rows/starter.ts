/**
 * Common rules and fees from which a new host chooses. They are added in the host's language and
 * can be edited. Pure.
 */
import type { NamespaceTranslator } from '../../../i18n/namespace-translator';

/** The rule's text is the message `rule_…`. The category is translated for guests. */
export const SUGGESTED_PACKET_RULES = [
  { name: 'smoking', category: 'Smoking' },
  { name: 'parties', category: 'Parties' },
  { name: 'quiet', category: 'Noise' },
  { name: 'guests', category: 'Guests' },
  { name: 'pets', category: 'Pets' },
  { name: 'check_in', category: 'Check-in' },
  { name: 'check_out', category: 'Check-out' },
  { name: 'lock', category: 'Safety' },
  { name: 'damage', category: 'Damage' },
  { name: 'rubbish', category: 'Trash' },
  { name: 'parking', category: 'Parking' },
] as const;

/**
 * The fee's label is the message `starter_…`. The unit is translated for guests. No amount is
 * suggested.
 */
export const SUGGESTED_PACKET_FEES = [
  { type: 'mandatory_cleaning', unit: 'stay', described: false },
  { type: 'conditional_late_checkout', unit: 'hour', described: true },
  { type: 'conditional_lost_key', unit: 'item', described: false },
  { type: 'conditional_smoking', unit: 'incident', described: false },
  { type: 'conditional_pet', unit: 'stay', described: false },
  { type: 'conditional_extra_guest', unit: 'night', described: false },
  { type: 'conditional_noise_party', unit: 'incident', described: false },
  { type: 'conditional_excess_cleaning', unit: 'hour', described: false },
] as const;

export const buildSuggestedPacketFee = (
  { type, unit, described }: (typeof SUGGESTED_PACKET_FEES)[number],
  t: NamespaceTranslator<'packets'>,
) => ({
  label: t(`starter_${type}`),
  unit: `per ${unit}`,
  description: described ? t('starter_description') : '',
  type,
});
