/** Converts loaded rows to inputs of the pure rules. */
import type { Packet } from '@/generated/prisma/client';
import {
  packetArrivalDetailsJsonColumn,
  packetArrivalReleaseJsonColumn,
  packetFeesJsonColumn,
  packetRulesJsonColumn,
} from '@/modules/packets/json-columns.schemas';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import type { Scope } from '@/shared/scope';
import { reservationMetadataJsonColumn } from './json-columns.schemas';
import type { ReservationWithPropertyAndPacket } from './repository';
import type { PacketArrivalContent } from './rules/arrival-release';
import type { ReservationTimingFields } from './rules/reminders';
import type { ReservationFactsForRules, ReservationRuleContext } from './rules/transitions';

/** A row with the facts that the rules use. */
export type ReservationRowFactsForRules = ReservationFactsForRules &
  ReservationTimingFields &
  Pick<ReservationWithPropertyAndPacket['row'], 'property_id' | 'source' | 'guest_reply'>;

/** The columns of a packet that the arrival rules use. */
export type PacketArrivalDetailsColumns = Pick<Packet, 'arrival_details' | 'arrival_release' | 'safety_notes'>;

export function parsePacketArrivalColumns(packet: PacketArrivalDetailsColumns | null): PacketArrivalContent | null {
  if (!packet) return null;
  return {
    arrival_details: packetArrivalDetailsJsonColumn.read(packet.arrival_details),
    arrival_release: packetArrivalReleaseJsonColumn.read(packet.arrival_release),
    safety_notes: packet.safety_notes,
  };
}

export function buildReservationRowFactsForRules({
  row,
}: Pick<ReservationWithPropertyAndPacket, 'row'>): ReservationRowFactsForRules {
  return {
    ...row,
    metadata: reservationMetadataJsonColumn.read(row.metadata),
    initial_status: row.initial_status === 'synced' ? 'synced' : 'draft',
    checkin_date: convertDatabaseDateToIsoDay(row.checkin_date),
    checkout_date: convertDatabaseDateToIsoDay(row.checkout_date),
  };
}

/** Returns whether the packet contains nothing that a guest could agree to. */
const isEmptyPacket = ({ rules, fees }: Packet): boolean =>
  packetRulesJsonColumn.read(rules).length === 0 && packetFeesJsonColumn.read(fees).length === 0;

export function buildReservationRuleContext(
  { actor }: Scope,
  { property, packet }: ReservationWithPropertyAndPacket,
): ReservationRuleContext {
  return {
    timezone: property.timezone,
    has_active_packet: packet !== null && packet.status === 'active',
    host_sends_nothing: actor.kind === 'user' && packet !== null && isEmptyPacket(packet),
    packet: parsePacketArrivalColumns(packet),
    selfie_required: property.photo_required,
    otp_required: property.otp_required,
  };
}
