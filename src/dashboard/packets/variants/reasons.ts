/** Why a packet cannot be changed so, in words for a tooltip. */
import type { PacketAction } from '@/modules/packets/rules/lifecycle';
import type { Variant } from '../queries';

const REASONS: Partial<Record<string, string>> = {
  default_packet: 'It is the default. Make another variant the default first.',
  last_packet: 'It is the only active packet, and a property always has one.',
  packet_in_use: 'A reservation was given this packet, so it must stay. Archive it instead.',
  packet_archived: 'It is archived. Restore it first.',
  packet_limit_reached: 'The plan’s number of active packets is reached. Archive another one first.',
};

const NOTHING_LEFT: Record<PacketAction, string> = {
  edit: 'It cannot be edited.',
  archive: 'It is archived already.',
  restore: 'It is active already.',
  set_default: 'It is the default already.',
  delete: 'It cannot be deleted.',
};

/** The reason, or null when the action is allowed. */
export function refusalOf({ actions }: Pick<Variant, 'actions'>, action: PacketAction): string | null {
  const answer = actions[action];
  if (answer.allowed) return null;
  return (answer.code && REASONS[answer.code]) ?? NOTHING_LEFT[action];
}

/** Why no further variant can be created; null when one can. */
export function limitReason(active: number, limit: number): string | null {
  if (active < limit) return null;
  return `The plan allows ${limit} active packets for each property. Archive one first.`;
}
