/**
 * Converts a row to a Reservation, field by field. The result has the names and times of arrival
 * details, never their content.
 */
import type { Reservation as ReservationRow } from '@/generated/prisma/client';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { reservationMetadataJsonColumn } from './json-columns.schemas';
import { type PacketArrivalContent, serializeReservationArrivalRelease } from './rules/arrival-release';
import type { Reservation } from './schemas';

/** The columns of the reservations table whose values the API's resource contains. */
export const RESERVATION_RESOURCE_COLUMNS = [
  'id',
  'property_id',
  'packet_id',
  'guest_name',
  'guest_email',
  'locale',
  'guest_locale',
  'checkin_date',
  'checkout_date',
  'source',
  'status',
  'sent_at',
  'opened_at',
  'clicked_at',
  'signed_at',
  'cancelled_at',
  'signature_id',
  'manual_override',
  'redacted',
  'selfie_required',
  'external_source',
  'external_id',
  'metadata',
  'reminder_24h_sent_at',
  'reminder_2h_sent_at',
  'late_notified_at',
  'arrival_details_held_at',
  'arrival_details_released_at',
  'arrival_details_viewed_at',
  'arrival_release_override_at',
  'arrival_release_override_by',
  'arrival_release_override_reason',
  'arrival_override_groups',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ReservationRow)[];

export type SerializableReservationRow = Pick<ReservationRow, (typeof RESERVATION_RESOURCE_COLUMNS)[number]>;

const iso = (date: Date | null) => date?.toISOString() ?? null;

/** The domain of placeholder addresses. RFC 2606 reserves `.invalid`, so no such address exists. */
export const PLACEHOLDER_EMAIL_DOMAIN = '@guest.invalid';

/** Returns the placeholder for an unknown address (design "Calendar sync"). It is never mailed. */
export function buildPlaceholderEmailAddress(reservation_id: string): string {
  return `unknown+${reservation_id}${PLACEHOLDER_EMAIL_DOMAIN}`;
}

/**
 * Serializes a row. `packet` is the guest's packet: the reservation's own or the property's
 * default.
 */
export function serializeReservation(
  row: SerializableReservationRow,
  packet: PacketArrivalContent | null,
): Reservation {
  const arrival_release = serializeReservationArrivalRelease({ ...row, packet }) as Reservation['arrival_release'];
  return {
    id: row.id,
    object: 'reservation',
    property_id: row.property_id,
    packet_id: row.packet_id,
    guest_name: row.guest_name,
    guest_email: row.guest_email ?? buildPlaceholderEmailAddress(row.id),
    guest_contact_missing: row.guest_email === null,
    locale: row.locale ?? row.guest_locale,
    checkin_date: convertDatabaseDateToIsoDay(row.checkin_date),
    checkout_date: convertDatabaseDateToIsoDay(row.checkout_date),
    source: row.source,
    status: row.status,
    sent_at: iso(row.sent_at),
    opened_at: iso(row.opened_at),
    clicked_at: iso(row.clicked_at),
    signed_at: iso(row.signed_at),
    cancelled_at: iso(row.cancelled_at),
    signature_id: row.signature_id,
    manual_override: row.manual_override,
    redacted: row.redacted,
    selfie_required: row.selfie_required,
    external_source: row.external_source,
    external_id: row.external_id,
    metadata: reservationMetadataJsonColumn.read(row.metadata),
    reminder_24h_sent_at: iso(row.reminder_24h_sent_at),
    reminder_2h_sent_at: iso(row.reminder_2h_sent_at),
    late_notified_at: iso(row.late_notified_at),
    arrival_release_state: arrival_release.state,
    arrival_release,
    arrival_details_held_at: iso(row.arrival_details_held_at),
    arrival_details_released_at: iso(row.arrival_details_released_at),
    arrival_details_viewed_at: iso(row.arrival_details_viewed_at),
    arrival_release_override_at: iso(row.arrival_release_override_at),
    arrival_release_override_by: row.arrival_release_override_by,
    arrival_release_override_reason: row.arrival_release_override_reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
