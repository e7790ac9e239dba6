/**
 * The state machine of a packet (specification "Packet lifecycle", DESIGN "Packet"). Invariant: a
 * property has exactly one default packet, and it is active. The service counts packets and saves
 * the change in one transaction. Pure.
 */
import { AppError, type ErrorCode } from '@/shared/errors';

export type PacketStatus = 'active' | 'archived';

export interface PacketFacts {
  status: PacketStatus;
  is_default: boolean;
}

export interface PacketContext {
  /** Active packets of the property, including this one. */
  active_packets: number;
  /** Whether a reservation references this packet. */
  referenced: boolean;
  /** Active packets that the plan allows for each property. */
  packet_limit: number;
}

export interface PacketChange {
  kind: 'change';
  changes: { status?: PacketStatus; archived_at?: Date | null; is_default?: boolean };
  /** The property's default must lose the flag first, in the same transaction. */
  demotes_default: boolean;
}
export type PacketDecision = PacketChange | { kind: 'unchanged' } | { kind: 'refused'; code: ErrorCode };

const unchanged = { kind: 'unchanged' } as const;
const refuse = (code: ErrorCode) => ({ kind: 'refused', code }) as const;
const change = (changes: PacketChange['changes'], demotes_default = false): PacketChange => ({
  kind: 'change',
  changes,
  demotes_default,
});

/** Returns why the packet cannot be archived or deleted, or null. `last_packet` has priority. */
function irreplaceable(packet: PacketFacts, context: PacketContext): ErrorCode | null {
  if (packet.status === 'archived') return null;
  if (context.active_packets <= 1) return 'last_packet';
  return packet.is_default ? 'default_packet' : null;
}

/** Archives a packet. An archived one is unchanged. Refuses with last_packet, default_packet. */
export function archive(packet: PacketFacts, context: PacketContext, now: Date): PacketDecision {
  if (packet.status === 'archived') return unchanged;
  const code = irreplaceable(packet, context);
  return code ? refuse(code) : change({ status: 'archived', archived_at: now });
}

/** Restores a packet. An active one is unchanged. Refuses with packet_limit_reached. */
export function restore(packet: PacketFacts, context: PacketContext): PacketDecision {
  if (packet.status === 'active') return unchanged;
  if (context.active_packets >= context.packet_limit) return refuse('packet_limit_reached');
  return change({ status: 'active', archived_at: null });
}

/** Makes the packet the property's default. Refuses with packet_archived. */
export function setDefault(packet: PacketFacts): PacketDecision {
  if (packet.status === 'archived') return refuse('packet_archived');
  return packet.is_default ? unchanged : change({ is_default: true }, true);
}

/** Decides whether name and content may be edited. Refuses with packet_archived. */
export function edit(packet: PacketFacts): PacketDecision {
  return packet.status === 'archived' ? refuse('packet_archived') : change({});
}

/**
 * Decides whether the packet may be deleted. If several refusals apply, the first of these is
 * returned: packet_in_use, which changes of other packets cannot resolve, then last_packet, then
 * default_packet.
 */
export function remove(packet: PacketFacts, context: PacketContext): PacketDecision {
  if (context.referenced) return refuse('packet_in_use');
  const code = irreplaceable(packet, context);
  return code ? refuse(code) : change({});
}

/** Returns the decision, or throws the AppError it refuses with. */
export function acceptOrThrow<D extends PacketDecision>(decision: D): Exclude<D, { kind: 'refused' }> {
  if (decision.kind === 'refused') throw new AppError(decision.code);
  return decision as Exclude<D, { kind: 'refused' }>;
}

export const PACKET_ACTIONS = ['edit', 'archive', 'restore', 'set_default', 'delete'] as const;
export type PacketAction = (typeof PACKET_ACTIONS)[number];

/**
 * Returns what a host may do now, by the rules of the operations. `code` is null when the action
 * would change nothing.
 */
export function getAllowedActions(
  packet: PacketFacts,
  context: PacketContext,
  now: Date,
): Record<PacketAction, { allowed: true } | { allowed: false; code: ErrorCode | null }> {
  const answer = (decision: PacketDecision) =>
    decision.kind === 'change'
      ? ({ allowed: true } as const)
      : ({ allowed: false, code: decision.kind === 'refused' ? decision.code : null } as const);
  return {
    edit: answer(edit(packet)),
    archive: answer(archive(packet, context, now)),
    restore: answer(restore(packet, context)),
    set_default: answer(setDefault(packet)),
    delete: answer(remove(packet, context)),
  };
}
