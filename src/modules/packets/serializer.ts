/** Serializes packets field by field, and parses their stored content. */
import type { Packet as PacketRow } from '@/generated/prisma/client';
import {
  packetArrivalDetailsJsonColumn,
  packetArrivalReleaseJsonColumn,
  packetFeesJsonColumn,
  packetRulesJsonColumn,
} from './json-columns.schemas';
import type { PacketContent } from './rules/content';
import type { Packet } from './schemas';

export function convertPacketRowToContent(row: PacketRow): PacketContent {
  return {
    welcome_message: row.welcome_message,
    currency: row.currency,
    rules: packetRulesJsonColumn.read(row.rules),
    fees: packetFeesJsonColumn.read(row.fees),
    safety_notes: row.safety_notes,
    arrival_details: packetArrivalDetailsJsonColumn.read(row.arrival_details),
    arrival_release: packetArrivalReleaseJsonColumn.read(row.arrival_release),
  };
}

/** Converts a packet's content to database columns. */
export function convertPacketContentToColumns(content: PacketContent) {
  return {
    ...content,
    rules: packetRulesJsonColumn.write(content.rules),
    fees: packetFeesJsonColumn.write(content.fees),
    arrival_details: packetArrivalDetailsJsonColumn.write(content.arrival_details),
    arrival_release: packetArrivalReleaseJsonColumn.write(content.arrival_release),
  };
}

/** Returns the packet for the API, including the arrival details. */
export function serializePacket(row: PacketRow): Packet {
  const { welcome_message, currency, rules, fees, safety_notes, arrival_details, arrival_release } =
    convertPacketRowToContent(row);
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

/**
 * Returns the packet for webhooks. `arrival_details` contains only the names of populated groups,
 * never their content (design "Webhooks").
 */
export function serializePacketForEvent(row: PacketRow) {
  const { arrival_details, ...packet } = serializePacket(row);
  const populated = Object.entries(arrival_details).flatMap(([group, value]) => (value === null ? [] : [group]));
  return { ...packet, arrival_details: populated };
}
