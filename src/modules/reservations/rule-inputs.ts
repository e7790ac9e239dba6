/** A loaded reservation as the pure rules read it. */
import type { Packet } from '@/generated/prisma/client';
import { packetArrivalDetails, packetArrivalRelease } from '@/modules/packets/json-columns.schemas';
import { dayToText } from '@/shared/calendar-day';
import type { LoadedReservation } from './repository';
import type { ArrivalPacket } from './rules/arrival-release';
import type { TimingFacts } from './rules/reminders';
import type { ReservationContext, ReservationFacts } from './rules/transitions';

/** A loaded row as every rule reads it. */
export type RowFacts = ReservationFacts &
  TimingFacts &
  Pick<LoadedReservation['row'], 'property_id' | 'source' | 'guest_reply'>;

/** The columns of a packet that the arrival rules read. */
export type PacketColumns = Pick<Packet, 'arrival_details' | 'arrival_release' | 'safety_notes'>;

/** The packet as the arrival rules read it. */
export function arrivalPacket(packet: PacketColumns | null): ArrivalPacket | null {
  if (!packet) return null;
  return {
    arrival_details: packetArrivalDetails.read(packet.arrival_details),
    arrival_release: packetArrivalRelease.read(packet.arrival_release),
    safety_notes: packet.safety_notes,
  };
}

export function factsOf({ row }: Pick<LoadedReservation, 'row'>): RowFacts {
  return {
    ...row,
    initial_status: row.initial_status === 'synced' ? 'synced' : 'draft',
    checkin_date: dayToText(row.checkin_date),
    checkout_date: dayToText(row.checkout_date),
  };
}

export function contextOf({ property, packet }: LoadedReservation): ReservationContext {
  return {
    timezone: property.timezone,
    has_active_packet: packet !== null && packet.status === 'active',
    packet: arrivalPacket(packet),
    selfie_required: property.photo_required,
    otp_required: property.otp_required,
  };
}
