/** Copies parts of a packet into a draft. Pure. */
import type { CopyablePacketPart } from '@/modules/packets/push/parts.rules';
import { createPacketDraft, type PacketContentFields, type PacketDraft } from '../editor/draft';

const folded = (text: string) => text.trim().toLowerCase();

/**
 * Returns the changed fields of the draft after copying `parts` of another packet. In `add` mode,
 * appends rules and fees with new text and keeps existing texts.
 */
export function buildDraftChangesThatCopyPacketParts(
  now: PacketDraft,
  from: PacketContentFields,
  parts: readonly CopyablePacketPart[],
  how: 'add' | 'replace',
  newId: (kind: 'rule' | 'fee') => string,
): Partial<PacketDraft> {
  const there = createPacketDraft(from);
  const taken: Partial<PacketDraft> = {};
  const fresh = <T extends { id: string }>(kind: 'rule' | 'fee', items: readonly T[]) =>
    items.map((item) => ({ ...item, id: newId(kind) }));
  const absent = <T>(items: readonly T[], mine: readonly T[], text: (item: T) => string) => {
    const known = new Set(mine.map((item) => folded(text(item))));
    return items.filter((item) => !known.has(folded(text(item))));
  };
  /**
   * Keeps the ids of items with the same text. Otherwise the history would show every item as
   * changed.
   */
  const withKnownIds = <T extends { id: string }>(
    kind: 'rule' | 'fee',
    items: readonly T[],
    mine: readonly T[],
    text: (item: T) => string,
  ) => {
    const free = [...mine];
    return items.map((item) => {
      const at = free.findIndex((other) => folded(text(other)) === folded(text(item)));
      return { ...item, id: at === -1 ? newId(kind) : (free.splice(at, 1)[0]?.id ?? newId(kind)) };
    });
  };
  const replace = how === 'replace';
  const taking = <T extends { id: string }>(
    kind: 'rule' | 'fee',
    items: readonly T[],
    mine: readonly T[],
    text: (item: T) => string,
  ) => (replace ? withKnownIds(kind, items, mine, text) : [...mine, ...fresh(kind, absent(items, mine, text))]);
  if (parts.includes('rules')) taken.rules = taking('rule', there.rules, now.rules, ({ text }) => text);
  if (parts.includes('fees')) {
    taken.fees = taking('fee', there.fees, now.fees, ({ label }) => label);
    if (replace || now.fees.length === 0) taken.currency = there.currency;
  }
  for (const part of ['welcome_message', 'safety_notes'] as const)
    if (parts.includes(part) && (replace || !now[part].trim())) taken[part] = there[part];
  return taken;
}
