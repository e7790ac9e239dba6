/**
 * The states of a packet and their transitions (specification "Packet lifecycle", design "Packet").
 * Invariant: a property has exactly one default packet, and that packet is active. The service
 * counts packets and saves the change in the same transaction. Pure.
 */
import { AppError, type ErrorCode } from '@/shared/errors';

export type PacketStatus = 'active' | 'archived';

export interface PacketLifecycleFields {
  status: PacketStatus;
  is_default: boolean;
}

export interface PacketLifecycleContext {
  /** The number of active packets of the property, including this one. */
  active_packets: number;
  /** Whether a reservation references this packet. */
  referenced: boolean;
  /** The maximum number of active packets per property in the plan. */
  packet_limit: number;
}

export interface PacketLifecycleChange {
  kind: 'change';
  changes: { status?: PacketStatus; archived_at?: Date | null; is_default?: boolean };
  /** Whether the same transaction must first remove the flag from the current default packet. */
  demotes_default: boolean;
}
export type PacketLifecycleChangeOrRefusal =
  | PacketLifecycleChange
  | { kind: 'unchanged' }
  | { kind: 'refused'; code: ErrorCode };

const unchanged = { kind: 'unchanged' } as const;
const refuse = (code: ErrorCode) => ({ kind: 'refused', code }) as const;
const change = (changes: PacketLifecycleChange['changes'], demotes_default = false): PacketLifecycleChange => ({
  kind: 'change',
  changes,
  demotes_default,
});

/**
 * Returns why an active packet cannot be archived or deleted, or null. `last_packet` has priority.
 */
function irreplaceable(packet: PacketLifecycleFields, context: PacketLifecycleContext): ErrorCode | null {
  if (packet.status === 'archived') return null;
  if (context.active_packets <= 1) return 'last_packet';
  return packet.is_default ? 'default_packet' : null;
}

/**
 * Archives a packet. Returns `unchanged` for an archived packet. Refuses with last_packet or
 * default_packet.
 */
export function decidePacketArchival(
  packet: PacketLifecycleFields,
  context: PacketLifecycleContext,
  now: Date,
): PacketLifecycleChangeOrRefusal {
  if (packet.status === 'archived') return unchanged;
  const code = irreplaceable(packet, context);
  return code ? refuse(code) : change({ status: 'archived', archived_at: now });
}

/**
 * Restores a packet. Returns `unchanged` for an active packet. Refuses with packet_limit_reached.
 */
export function decidePacketRestoration(
  packet: PacketLifecycleFields,
  context: PacketLifecycleContext,
): PacketLifecycleChangeOrRefusal {
  if (packet.status === 'active') return unchanged;
  if (context.active_packets >= context.packet_limit) return refuse('packet_limit_reached');
  return change({ status: 'active', archived_at: null });
}

/** Makes a packet the property's default packet. Refuses with packet_archived. */
export function decideDefaultPacketChange(packet: PacketLifecycleFields): PacketLifecycleChangeOrRefusal {
  if (packet.status === 'archived') return refuse('packet_archived');
  return packet.is_default ? unchanged : change({ is_default: true }, true);
}

/** Decides whether the packet's name and content may be edited. Refuses with packet_archived. */
export function decidePacketEdit(packet: PacketLifecycleFields): PacketLifecycleChangeOrRefusal {
  return packet.status === 'archived' ? refuse('packet_archived') : change({});
}

/**
 * Decides whether the packet may be deleted. If several refusals apply, returns packet_in_use
 * first, then last_packet, then default_packet. packet_in_use is first because changes to other
 * packets do not resolve it.
 */
export function decidePacketDeletion(
  packet: PacketLifecycleFields,
  context: PacketLifecycleContext,
): PacketLifecycleChangeOrRefusal {
  if (context.referenced) return refuse('packet_in_use');
  const code = irreplaceable(packet, context);
  return code ? refuse(code) : change({});
}

/** Returns the decision. Throws an AppError when the decision is a refusal. */
export function throwIfPacketChangeRefused<D extends PacketLifecycleChangeOrRefusal>(
  decision: D,
): Exclude<D, { kind: 'refused' }> {
  if (decision.kind === 'refused') throw new AppError(decision.code);
  return decision as Exclude<D, { kind: 'refused' }>;
}

export const PACKET_ACTIONS = ['edit', 'archive', 'restore', 'set_default', 'delete'] as const;
export type PacketAction = (typeof PACKET_ACTIONS)[number];

/**
 * Returns the actions that are currently allowed. `code` is null when an action would change
 * nothing.
 */
export function getAllowedPacketActions(
  packet: PacketLifecycleFields,
  context: PacketLifecycleContext,
  now: Date,
): Record<PacketAction, { allowed: true } | { allowed: false; code: ErrorCode | null }> {
  const answer = (decision: PacketLifecycleChangeOrRefusal) =>
    decision.kind === 'change'
      ? ({ allowed: true } as const)
      : ({ allowed: false, code: decision.kind === 'refused' ? decision.code : null } as const);
  return {
    edit: answer(decidePacketEdit(packet)),
    archive: answer(decidePacketArchival(packet, context, now)),
    restore: answer(decidePacketRestoration(packet, context)),
    set_default: answer(decideDefaultPacketChange(packet)),
    delete: answer(decidePacketDeletion(packet, context)),
  };
}
