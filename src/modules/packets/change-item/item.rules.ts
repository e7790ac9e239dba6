/**
 * Compares and changes a fee or rule that several packets have. Pure, and also used in browsers.
 */
import type { PacketContent, PacketContentInput } from '../rules/content';
import type { PacketFee, PacketRule } from '../schemas';

/** `category` selects all rules with the same category. */
export const PACKET_ITEM_KINDS = ['fee', 'rule', 'category'] as const;
export type PacketItemKind = (typeof PACKET_ITEM_KINDS)[number];
/** The maximum number of packets in a preview or a change. */
export const MAX_PACKETS_PER_ITEM_CHANGE = 250;

type Items = Pick<PacketContent, 'fees' | 'rules'>;

/**
 * Returns a key that is the same for different spellings of a name, such as “Late check-out” and
 * “late checkout ”.
 */
export function normalizePacketItemName(name: string): string {
  const key = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
  return key || name.trim();
}

export interface PacketItemName {
  kind: PacketItemKind;
  key: string;
  name: string;
}

/** Returns the names of the content's fees, rules and categories, without duplicates. */
export function listPacketItemNames({ fees, rules }: Items): PacketItemName[] {
  const named = (kind: PacketItemKind, name: string) => ({
    kind,
    key: normalizePacketItemName(name),
    name: name.trim(),
  });
  const all = [
    ...fees.map(({ label }) => named('fee', label)),
    ...rules.map(({ text }) => named('rule', text)),
    ...rules.flatMap(({ category }) => (category ? [named('category', category)] : [])),
  ];
  return [...new Map(all.map((item) => [`${item.kind} ${item.key}`, item])).values()];
}

/** Returns the fees and rules of the content that have this name. */
export function findPacketItemsByName({ fees, rules }: Items, { kind, key }: Omit<PacketItemName, 'name'>): Items {
  return {
    fees: kind === 'fee' ? fees.filter(({ label }) => normalizePacketItemName(label) === key) : [],
    rules: rules.filter(
      ({ text, category }) =>
        (kind === 'rule' && normalizePacketItemName(text) === key) ||
        (kind === 'category' && category !== null && normalizePacketItemName(category) === key),
    ),
  };
}

/**
 * The new values. Absent fields do not change. `amounts` contains an amount for each currency,
 * because packets have different currencies.
 */
export interface PacketItemChange {
  fee?: Partial<Pick<PacketFee, 'label' | 'unit' | 'description'>> & { amounts?: Readonly<Record<string, number>> };
  rule?: Partial<Pick<PacketRule, 'text' | 'category'>>;
}

const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** Returns an edit that changes only these items of the content. */
export function buildPacketContentInputWithItemChange(
  { fees, rules, currency }: Items & Pick<PacketContent, 'currency'>,
  item_ids: readonly string[],
  change: PacketItemChange,
): PacketContentInput {
  const { amounts, ...words } = change.fee ?? {};
  const isMeant = ({ id }: { id: string }) => item_ids.includes(id);
  return {
    ...(change.fee && {
      fees: fees.map((fee) =>
        isMeant(fee) ? { ...fee, ...given(words), amount_cents: amounts?.[currency] ?? fee.amount_cents } : fee,
      ),
    }),
    ...(change.rule && {
      rules: rules.map((rule) => (isMeant(rule) ? { ...rule, ...given(change.rule ?? {}) } : rule)),
    }),
  };
}
