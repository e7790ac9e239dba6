/** The parts of a packet that houses share, and taking them into a draft. Pure. */
import type { PushedPart } from '@/modules/packets/push/parts.rules';
import { type Draft, draftOf, type PacketLike } from '../editor/draft';

/**
 * What a draft becomes with these parts of another packet. Added, rules and fees come after those that are there, without
 * those that it has in the same words; a text that is there stays.
 */
export function takenParts(
  now: Draft,
  from: PacketLike,
  parts: readonly PushedPart[],
  how: 'add' | 'replace',
  newId: (kind: 'rule' | 'fee') => string,
): Partial<Draft> {
  const there = draftOf(from);
  const taken: Partial<Draft> = {};
  const fresh = <T extends { id: string }>(kind: 'rule' | 'fee', items: readonly T[]) =>
    items.map((item) => ({ ...item, id: newId(kind) }));
  const absent = <T>(items: readonly T[], mine: readonly T[], text: (item: T) => string) => {
    const known = new Set(mine.map((item) => text(item).trim().toLowerCase()));
    return items.filter((item) => !known.has(text(item).trim().toLowerCase()));
  };
  const replace = how === 'replace';
  if (parts.includes('rules'))
    taken.rules = replace
      ? fresh('rule', there.rules)
      : [
          ...now.rules,
          ...fresh(
            'rule',
            absent(there.rules, now.rules, ({ text }) => text),
          ),
        ];
  if (parts.includes('fees')) {
    taken.fees = replace
      ? fresh('fee', there.fees)
      : [
          ...now.fees,
          ...fresh(
            'fee',
            absent(there.fees, now.fees, ({ label }) => label),
          ),
        ];
    if (replace || now.fees.length === 0) taken.currency = there.currency;
  }
  for (const part of ['welcome_message', 'safety_notes'] as const)
    if (parts.includes(part) && (replace || !now[part].trim())) taken[part] = there[part];
  return taken;
}
