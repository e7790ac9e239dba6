/**
 * The parts of a packet that can be pushed to other packets. Arrival details and their release
 * differ by property and are not pushed. Pure, and for browsers too.
 */
import type { PacketContent, PacketContentInput } from '../rules/content';

export const PUSHED_PARTS = ['rules', 'fees', 'welcome_message', 'safety_notes'] as const;
export type PushedPart = (typeof PUSHED_PARTS)[number];
/** The most properties of one preview. Below, the most packets of one preview and one call. */
export const MAX_PUSH_PROPERTIES = 50;
export const MAX_PUSH_PACKETS = 250;

/**
 * Gives equal items the ids that they have in the other packet, so that its history has no false
 * changes.
 */
function withIdsOf<T extends { id: string }>(items: readonly T[], there: readonly T[], key: (item: T) => string) {
  const free = [...there];
  return items.map((item) => {
    const { id: _id, ...content } = item;
    const at = free.findIndex((other) => key(other) === key(item));
    return at === -1 ? content : { ...content, id: free.splice(at, 1)[0]?.id };
  });
}

const folded = (text: string) => text.trim().toLowerCase();

/** Returns the edit that copies these parts of one content to another. */
export function buildPushEdit(
  from: PacketContent,
  to: Pick<PacketContent, 'rules' | 'fees'>,
  parts: readonly PushedPart[],
): PacketContentInput {
  const edit: PacketContentInput = {};
  if (parts.includes('rules')) edit.rules = withIdsOf(from.rules, to.rules, ({ text }) => folded(text));
  if (parts.includes('fees')) {
    edit.fees = withIdsOf(from.fees, to.fees, ({ label }) => folded(label));
    // Amounts are in the source packet's currency.
    edit.currency = from.currency;
  }
  if (parts.includes('welcome_message')) edit.welcome_message = from.welcome_message;
  if (parts.includes('safety_notes')) edit.safety_notes = from.safety_notes;
  return edit;
}
