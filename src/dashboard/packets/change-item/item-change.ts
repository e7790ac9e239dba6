/**
 * The form that changes a fee or rule in several packets: its fields, and the conversion to a
 * change. Pure.
 */
import { buildPacketContentInputWithItemChange, type PacketItemChange } from '@/modules/packets/change-item/item.rules';
import { findUnknownShortCodes } from '@/shared/guest-text/short-codes';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import type { PacketContainingGivenFeeOrRule } from '../../types';
import { formatMoneyAmountForInput, parseMoneyAmount } from '../editor/money-input';

/** A row of the form: a packet, with the fee or rule that was found in it. */
export interface PacketItemFormRow {
  id: string;
  place: PacketContainingGivenFeeOrRule;
  fee?: PacketContainingGivenFeeOrRule['fees'][number];
  rule?: PacketContainingGivenFeeOrRule['rules'][number];
}

/** An amount has one field for each currency. */
type FieldName = 'label' | `amount_${string}` | 'unit' | 'description' | 'text' | 'category';

export interface PacketItemField {
  name: FieldName;
  /** The value that all these fees and rules share. Null when they differ. */
  shared: string | null;
  /** The currency, if the field is an amount. */
  currency?: string;
}

export type PacketItemFormValues = Readonly<Partial<Record<FieldName, string>>>;

export const buildPacketItemFormRows = (places: readonly PacketContainingGivenFeeOrRule[]): PacketItemFormRow[] =>
  places.flatMap((place) => [
    ...place.fees.map((fee) => ({ id: `${place.packet_id} ${fee.id}`, place, fee })),
    ...place.rules.map((rule) => ({ id: `${place.packet_id} ${rule.id}`, place, rule })),
  ]);

function valuesOf({ place: { currency }, fee, rule }: PacketItemFormRow): [FieldName, string, currency?: string][] {
  return [
    ...(fee
      ? ([
          ['label', fee.label],
          [`amount_${currency}`, formatMoneyAmountForInput(fee.amount_cents, currency), currency],
          ['unit', fee.unit ?? ''],
          ['description', fee.description ?? ''],
        ] as const)
      : []),
    ...(rule
      ? ([
          ['text', rule.text],
          ['category', rule.category ?? ''],
        ] as const)
      : []),
  ].map((each) => [...each] as [FieldName, string, string?]);
}

const ORDER = ['label', 'amount', 'unit', 'description', 'text', 'category'];
const placeInOrder = ({ name }: PacketItemField) => ORDER.indexOf(name.split('_')[0] ?? '');

/** Returns the editable fields of these fees and rules, each field once. */
export function listPacketItemFields(items: readonly PacketItemFormRow[]): PacketItemField[] {
  const fields = new Map<string, PacketItemField>();
  for (const [name, value, currency] of items.flatMap(valuesOf)) {
    const known = fields.get(name);
    if (!known) fields.set(name, { name, shared: value, ...(currency && { currency }) });
    else if (known.shared !== value) known.shared = null;
  }
  return [...fields.values()].sort((a, b) => placeInOrder(a) - placeInOrder(b));
}

interface ReadChange {
  /** Null when nothing would change. */
  change: PacketItemChange | null;
  errors: Readonly<Record<string, string>>;
}

/** Converts the form to a change. Untouched fields are left unchanged in every packet. */
export function parsePacketItemChange(
  fields: readonly PacketItemField[],
  typed: PacketItemFormValues,
  t: NamespaceTranslator<'packets'>,
): ReadChange {
  const errors: Record<string, string> = {};
  const amounts: Record<string, number> = {};
  const words: Record<string, string | null> = {};
  for (const { name, shared, currency } of fields) {
    const text = typed[name]?.trim();
    if (text === undefined || text === shared || (text === '' && shared === null && typed[name] === '')) continue;
    const unknown = findUnknownShortCodes(text)[0];
    if (currency) {
      const amount = parseMoneyAmount(text, currency);
      if (amount === null) errors[name] = t('enter_an_amount');
      else amounts[currency] = amount;
    } else if (text === '' && (name === 'label' || name === 'text')) errors[name] = t('write_what_it_is_called');
    else if (unknown !== undefined) errors[name] = t('not_a_short_code', { code: `{{${unknown}}}` });
    else words[name] = text || null;
  }
  const { text, category, ...of_fee } = words;
  const fee = { ...of_fee, ...(Object.keys(amounts).length > 0 && { amounts }) };
  const rule = { ...(text !== undefined && { text }), ...(category !== undefined && { category }) };
  const change = {
    ...(Object.keys(fee).length > 0 && { fee }),
    ...(Object.keys(rule).length > 0 && { rule }),
  } as PacketItemChange;
  return { change: Object.keys(change).length > 0 ? change : null, errors };
}

/** Returns the rows that the change affects. An amount in euros does not affect rows in pounds. */
export const filterFormRowsAffectedByChange = (
  items: readonly PacketItemFormRow[],
  change: PacketItemChange,
): PacketItemFormRow[] =>
  items.filter(({ place: { currency }, fee, rule }) => {
    const now = { currency, fees: fee ? [fee] : [], rules: rule ? [rule] : [] };
    const next = buildPacketContentInputWithItemChange(now, [fee?.id ?? rule?.id ?? ''], change);
    return (
      JSON.stringify(next.fees ?? now.fees) + JSON.stringify(next.rules ?? now.rules) !==
      JSON.stringify(now.fees) + JSON.stringify(now.rules)
    );
  });

/**
 * Converts the rows to targets of the change. A target is a packet with the version that the host
 * saw.
 */
export function groupPacketItemRowsByPacket(items: readonly PacketItemFormRow[]) {
  const targets = new Map<string, { packet_id: string; etag: string; item_ids: string[] }>();
  for (const { place, fee, rule } of items) {
    const { packet_id, etag } = place;
    const target = targets.get(packet_id) ?? { packet_id, etag, item_ids: [] };
    target.item_ids.push((fee ?? rule)?.id ?? '');
    targets.set(packet_id, target);
  }
  return [...targets.values()];
}
