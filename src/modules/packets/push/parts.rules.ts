/**
 * What of one packet is given to others: what does not differ from house to house. Arrival details and their release stay
 * each property's own. Pure, and read by browsers too.
 */
import type { PacketContent, PacketContentInput } from '../rules/content';

export const PUSHED_PARTS = ['rules', 'fees', 'welcome_message', 'safety_notes'] as const;
export type PushedPart = (typeof PUSHED_PARTS)[number];
/** So many packets are shown in one preview, and written in one call. */
export const PUSH_MOST = 50;

/** What says the same keeps the id it has there, so that its history is one of changes and not of everything anew. */
function withIdsOf<T extends { id: string }>(items: readonly T[], there: readonly T[], key: (item: T) => string) {
  const free = [...there];
  return items.map((item) => {
    const { id: _id, ...said } = item;
    const at = free.findIndex((other) => key(other) === key(item));
    return at === -1 ? said : { ...said, id: free.splice(at, 1)[0]?.id };
  });
}

const folded = (text: string) => text.trim().toLowerCase();

/** The edit that gives these parts of one content to another. */
export function pushedParts(
  from: PacketContent,
  to: Pick<PacketContent, 'rules' | 'fees'>,
  parts: readonly PushedPart[],
): PacketContentInput {
  const edit: PacketContentInput = {};
  if (parts.includes('rules')) edit.rules = withIdsOf(from.rules, to.rules, ({ text }) => folded(text));
  if (parts.includes('fees')) {
    edit.fees = withIdsOf(from.fees, to.fees, ({ label }) => folded(label));
    // Amounts mean nothing without it.
    edit.currency = from.currency;
  }
  if (parts.includes('welcome_message')) edit.welcome_message = from.welcome_message;
  if (parts.includes('safety_notes')) edit.safety_notes = from.safety_notes;
  return edit;
}
