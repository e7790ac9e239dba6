/**
 * Compares the packet that the guest was shown with the current packet. Marks new and changed
 * items, and lists removed texts. Pure.
 */
import type {
  ArrivalDetailGroupView,
  FeeView,
  HouseRuleView,
  PacketItemChangeSinceLastView,
  PacketView,
  PreviousFee,
} from '@/modules/signing/packet-view';
import type { PacketChangesSincePageOpened } from './view-models';

/**
 * Returns the packet with its changed items and texts marked, and the changes that cannot be
 * marked, such as removed items. Matches items by id and ignores their order.
 */
export function highlightPacketChanges(
  before: PacketView,
  after: PacketView,
): { packet: PacketView; changes: PacketChangesSincePageOpened } {
  const before_currency = before.currency;
  const sameCurrency = before_currency === after.currency;
  const rules = mark(before.rules, after.rules, (a, b) => a.text === b.text && a.category === b.category);
  const fees = mark(before.fees, after.fees, (a, b) => sameCurrency && feeKey(a) === feeKey(b));
  const arrival = markArrival(before.arrival, after.arrival);
  const removed_arrival = before.arrival
    .map(({ group }) => group)
    .filter((name) => !arrival.some(({ group }) => group === name));
  const texts = {
    welcome_message: (before.welcome_message ?? '') !== (after.welcome_message ?? ''),
    safety_notes: (before.safety_notes ?? '') !== (after.safety_notes ?? ''),
  };
  const marked =
    texts.welcome_message ||
    texts.safety_notes ||
    [...rules.removed, ...fees.removed, ...removed_arrival].length > 0 ||
    [...rules.items, ...fees.items, ...arrival].some((item) => item.change);
  return {
    packet: {
      ...after,
      rules: rules.items.map(({ previous, ...rule }) =>
        previous && previous.text !== rule.text ? { ...rule, before: previous.text } : rule,
      ),
      fees: fees.items.map(({ previous, ...fee }) => {
        const before = previous && feeBefore(previous, before_currency);
        const same = !before || JSON.stringify(before) === JSON.stringify(feeBefore(fee, after.currency));
        return same ? fee : { ...fee, before };
      }),
      arrival,
    },
    changes: {
      ...texts,
      removed_rules: rules.removed.map((rule: HouseRuleView) => rule.text),
      removed_fees: fees.removed.map((fee: FeeView) => feeBefore(fee, before_currency)),
      removed_arrival,
      marked,
    },
  };
}

/** Changes without details, for a packet whose previously shown version is unknown. */
export const PACKET_CHANGES_WITHOUT_DETAILS: PacketChangesSincePageOpened = {
  welcome_message: false,
  safety_notes: false,
  removed_rules: [],
  removed_fees: [],
  removed_arrival: [],
  marked: false,
};

function mark<T extends { id: string }>(before: readonly T[], after: readonly T[], same: (a: T, b: T) => boolean) {
  const old = new Map(before.map((item) => [item.id, item]));
  const kept = new Set(after.map((item) => item.id));
  return {
    items: after.map((item) => {
      const previous = old.get(item.id);
      const change: PacketItemChangeSinceLastView | null =
        previous === undefined ? 'added' : same(previous, item) ? null : 'changed';
      return { ...item, change, previous };
    }),
    removed: before.filter((item) => !kept.has(item.id)),
  };
}

const feeBefore = ({ label, amount_cents }: FeeView, currency: string): PreviousFee => ({
  label,
  amount_cents,
  currency,
});

const feeKey = (fee: FeeView) => JSON.stringify([fee.label, fee.amount_cents, fee.unit, fee.description, fee.type]);

function markArrival(
  before: readonly ArrivalDetailGroupView[],
  after: readonly ArrivalDetailGroupView[],
): ArrivalDetailGroupView[] {
  const content = ({ change: _, ...group }: ArrivalDetailGroupView) => JSON.stringify(group, Object.keys(group).sort());
  return after.map((group) => {
    const previous = before.find((candidate) => candidate.group === group.group);
    const change: PacketItemChangeSinceLastView | null = !previous
      ? 'added'
      : content(previous) === content(group)
        ? null
        : 'changed';
    return { ...group, change };
  });
}
