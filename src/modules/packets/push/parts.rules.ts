/**
 * The parts of a packet that a push copies to other packets. Arrival details differ by property, so
 * they are not copied. Pure, and also used in browsers.
 */
import type { PacketContent, PacketContentInput } from '../rules/content';

export const COPYABLE_PACKET_PARTS = ['rules', 'fees', 'welcome_message', 'safety_notes'] as const;
export type CopyablePacketPart = (typeof COPYABLE_PACKET_PARTS)[number];
/** The maximum number of properties in a preview of copying parts of a packet. */
export const MAX_COPY_TARGET_PROPERTIES = 50;
export const MAX_COPY_TARGET_PACKETS = 250;

/**
 * Returns the items for the target packet. An item that the target already contains keeps the
 * target's id, so that the target's history shows no false change.
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

/** Returns the edit that copies these parts to another packet. */
export function buildPacketEditThatCopiesParts(
  from: PacketContent,
  to: Pick<PacketContent, 'rules' | 'fees'>,
  parts: readonly CopyablePacketPart[],
): PacketContentInput {
  const edit: PacketContentInput = {};
  if (parts.includes('rules')) edit.rules = withIdsOf(from.rules, to.rules, ({ text }) => folded(text));
  if (parts.includes('fees')) {
    edit.fees = withIdsOf(from.fees, to.fees, ({ label }) => folded(label));
    // The copied amounts are in the source packet's currency.
    edit.currency = from.currency;
  }
  if (parts.includes('welcome_message')) edit.welcome_message = from.welcome_message;
  if (parts.includes('safety_notes')) edit.safety_notes = from.safety_notes;
  return edit;
}
