/** Row -> Packet, field by field; and the stored content as the rules read it. */
import type { Packet as PacketRow } from '@/generated/prisma/client';
import type { PacketContent } from './rules/content';
import type { Packet, PacketArrivalDetails, PacketArrivalReleaseMap, PacketFee, PacketRule } from './schemas';

/** The JSON columns hold what content.rules.ts made; nothing else writes them. */
export function contentOf(row: PacketRow): PacketContent {
  const details = row.arrival_details as Partial<PacketArrivalDetails>;
  const release = row.arrival_release as Partial<PacketArrivalReleaseMap>;
  return {
    welcome_message: row.welcome_message,
    currency: row.currency,
    rules: row.rules as unknown as PacketRule[],
    fees: row.fees as unknown as PacketFee[],
    safety_notes: row.safety_notes,
    arrival_details: {
      wifi: details.wifi ?? null,
      door_code: details.door_code ?? null,
      checkin_notes: details.checkin_notes ?? null,
      parking_notes: details.parking_notes ?? null,
    },
    arrival_release: {
      wifi: release.wifi ?? 'before_signing',
      door_code: release.door_code ?? 'before_signing',
      checkin_notes: release.checkin_notes ?? 'before_signing',
      parking_notes: release.parking_notes ?? 'before_signing',
    },
  };
}

/** The resource as its owner sees it over REST and in the dashboard: with the content of the arrival details. */
export function serializePacket(row: PacketRow): Packet {
  const { welcome_message, currency, rules, fees, safety_notes, arrival_details, arrival_release } = contentOf(row);
  return {
    id: row.id,
    object: 'packet',
    property_id: row.property_id,
    name: row.name,
    is_default: row.is_default,
    status: row.status === 'archived' ? 'archived' : 'active',
    archived_at: row.archived_at?.toISOString() ?? null,
    welcome_message,
    currency,
    rules: rules.map(({ id, text, category }) => ({ id, text, category })),
    fees: fees.map(({ id, label, amount_cents, unit, description, type }) => ({
      id,
      label,
      amount_cents,
      unit,
      description,
      type,
    })),
    safety_notes,
    arrival_details,
    arrival_release,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The resource in a webhook: arrival details by the names of their groups only, never their content (DESIGN "Webhooks"). */
export function serializePacketForEvent(row: PacketRow) {
  const { arrival_details, ...packet } = serializePacket(row);
  const populated = Object.entries(arrival_details).flatMap(([group, value]) => (value === null ? [] : [group]));
  return { ...packet, arrival_details: populated };
}
