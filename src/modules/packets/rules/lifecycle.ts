/**
 * The state machine of a packet (specification "Packet lifecycle", DESIGN "Packet"). Invariant: a property has exactly
 * one default packet, and it is active. Pure; the service saves a change in one transaction with the counts it rests on.
 */
import { AppError, type ErrorCode } from '@/shared/errors';

export type PacketStatus = 'active' | 'archived';

export interface PacketFacts {
  status: PacketStatus;
  is_default: boolean;
}

export interface PacketContext {
  /** Active packets of the property, this one included when it is active. */
  active_packets: number;
  /** Whether a reservation references this packet. */
  referenced: boolean;
  /** Active packets that the plan allows for each property. */
  packet_limit: number;
}

export interface PacketChange {
  kind: 'change';
  changes: { status?: PacketStatus; archived_at?: Date | null; is_default?: boolean };
  /** The property's present default must lose the flag first, in the same transaction. */
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

/** Why the active set cannot lose this packet, or null. The only active packet is also the default: that it is the last is said first. */
function irreplaceable(packet: PacketFacts, context: PacketContext): ErrorCode | null {
  if (packet.status === 'archived') return null;
  if (context.active_packets <= 1) return 'last_packet';
  return packet.is_default ? 'default_packet' : null;
}

/** Archive; an archived one is unchanged. Refuses with last_packet, default_packet. */
export function archive(packet: PacketFacts, context: PacketContext, now: Date): PacketDecision {
  if (packet.status === 'archived') return unchanged;
  const code = irreplaceable(packet, context);
  return code ? refuse(code) : change({ status: 'archived', archived_at: now });
}

/** Restore, within the plan; an active one is unchanged. Refuses with packet_limit_reached. */
export function restore(packet: PacketFacts, context: PacketContext): PacketDecision {
  if (packet.status === 'active') return unchanged;
  if (context.active_packets >= context.packet_limit) return refuse('packet_limit_reached');
  return change({ status: 'active', archived_at: null });
}

/** Make it the property's default; the default is unchanged. Refuses with packet_archived. */
export function setDefault(packet: PacketFacts): PacketDecision {
  if (packet.status === 'archived') return refuse('packet_archived');
  return packet.is_default ? unchanged : change({ is_default: true }, true);
}

/** Whether name and content may be edited. Refuses with packet_archived. */
export function edit(packet: PacketFacts): PacketDecision {
  return packet.status === 'archived' ? refuse('packet_archived') : change({});
}

/**
 * Whether the packet may be deleted; a change here means: delete. When several refusals apply the first of these is
 * given: packet_in_use, since nothing the caller does with other packets lifts it; then last_packet (the only active
 * one); then default_packet (the active default beside other active ones).
 */
export function remove(packet: PacketFacts, context: PacketContext): PacketDecision {
  if (context.referenced) return refuse('packet_in_use');
  const code = irreplaceable(packet, context);
  return code ? refuse(code) : change({});
}

/** The decision, or the AppError it refuses with. */
export function accept<D extends PacketDecision>(decision: D): Exclude<D, { kind: 'refused' }> {
  if (decision.kind === 'refused') throw new AppError(decision.code);
  return decision as Exclude<D, { kind: 'refused' }>;
}

export const PACKET_ACTIONS = ['edit', 'archive', 'restore', 'set_default', 'delete'] as const;
export type PacketAction = (typeof PACKET_ACTIONS)[number];

/** What a host may do now, by the rules the operations use; `code` is null when there is nothing left to do. */
export function allowedActions(
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
