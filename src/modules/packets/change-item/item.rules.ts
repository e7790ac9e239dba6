/**
 * A fee or rule that several packets have. Determines which items are the same, and the edit that
 * changes them in one packet. Pure, and for browsers too.
 */
import type { PacketContent, PacketContentInput } from '../rules/content';
import type { PacketFee, PacketRule } from '../schemas';

/** `category`: all rules under a heading. */
export const ITEM_KINDS = ['fee', 'rule', 'category'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];
/** The most packets in one preview and one change. */
export const MAX_PLACES = 250;

type Items = Pick<PacketContent, 'fees' | 'rules'>;

/** Returns a key that is equal for spellings of one name: “Late check-out”, “late checkout ”. */
export function getItemKey(name: string): string {
  const key = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
  return key || name.trim();
}

export interface NamedItem {
  kind: ItemKind;
  key: string;
  name: string;
}

/** Returns every name by which an item of the content can be found, without duplicates. */
export function listNamedItems({ fees, rules }: Items): NamedItem[] {
  const named = (kind: ItemKind, name: string) => ({ kind, key: getItemKey(name), name: name.trim() });
  const all = [
    ...fees.map(({ label }) => named('fee', label)),
    ...rules.map(({ text }) => named('rule', text)),
    ...rules.flatMap(({ category }) => (category ? [named('category', category)] : [])),
  ];
  return [...new Map(all.map((item) => [`${item.kind} ${item.key}`, item])).values()];
}

/** Returns the fees and rules with this name. */
export function findItems({ fees, rules }: Items, { kind, key }: Omit<NamedItem, 'name'>): Items {
  return {
    fees: kind === 'fee' ? fees.filter(({ label }) => getItemKey(label) === key) : [],
    rules: rules.filter(
      ({ text, category }) =>
        (kind === 'rule' && getItemKey(text) === key) ||
        (kind === 'category' && category !== null && getItemKey(category) === key),
    ),
  };
}

/**
 * The fields to change. Absent fields do not change. Amounts are by currency, because the packets'
 * currencies differ.
 */
export interface ItemChange {
  fee?: Partial<Pick<PacketFee, 'label' | 'unit' | 'description'>> & { amounts?: Readonly<Record<string, number>> };
  rule?: Partial<Pick<PacketRule, 'text' | 'category'>>;
}

const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** Returns the edit that changes these items of the content and nothing else. */
export function changeItems(
  { fees, rules, currency }: Items & Pick<PacketContent, 'currency'>,
  item_ids: readonly string[],
  change: ItemChange,
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
