/** Converts a reservation's row to the API's JSON with hand-written code. */

export interface ReservationRow {
  [column: string]: unknown;
  id: string;
  property_id: string;
  guest_email: string | null;
  checkin_date: string;
  checkout_date: string;
  sent_at: Date | null;
  arrival_details_held_at: Date | null;
  arrival_details_released_at: Date | null;
  arrival_details_viewed_at: Date | null;
  arrival_release_override_at: Date | null;
  /** The columns of the guest's packet. */
  details: Record<string, unknown> | null;
  release: Record<string, string> | null;
}

const LABELS: Record<string, string> = {
  not_started: 'Not started',
  not_configured: 'No arrival details',
  not_held: 'Visible before signing',
  ready_to_hold: 'Will be held until signing',
  held: 'Held until signing',
  released: 'Released',
  viewed: 'Viewed by guest',
  override_released: 'Released early by host',
};

const NEXT: Record<string, string[]> = {
  ready_to_hold: ['held', 'override_released'],
  held: ['released', 'override_released'],
  override_released: ['released'],
  released: ['viewed'],
};

function arrivalState(row: ReservationRow): string {
  if (row.arrival_details_viewed_at) return 'viewed';
  if (row.arrival_details_released_at) return 'released';
  if (row.arrival_release_override_at) return 'override_released';
  if (row.arrival_details_held_at) return 'held';
  if (!row.sent_at) return 'not_started';
  const details = row.details ?? {};
  const wifi = details.wifi as { network?: string; password?: string } | null | undefined;
  const groups = ['wifi', 'door_code', 'checkin_notes', 'parking_notes'].filter((group) =>
    group === 'wifi' ? wifi?.network || wifi?.password : details[group],
  );
  if (groups.length === 0) return 'not_configured';
  return groups.some((group) => (row.release?.[group] ?? 'before_signing') !== 'before_signing')
    ? 'ready_to_hold'
    : 'not_held';
}

export function toReservationResource(row: ReservationRow) {
  const state = arrivalState(row);
  return {
    id: row.id,
    object: 'reservation',
    property_id: row.property_id,
    packet_id: row.packet_id,
    guest_name: row.guest_name,
    guest_email: row.guest_email ?? `unknown+${row.id}@guest.invalid`,
    guest_contact_missing: row.guest_email === null,
    locale: row.locale ?? row.guest_locale ?? null,
    checkin_date: row.checkin_date,
    checkout_date: row.checkout_date,
    source: row.source,
    status: row.status,
    sent_at: row.sent_at,
    opened_at: row.opened_at,
    clicked_at: row.clicked_at,
    signed_at: row.signed_at,
    cancelled_at: row.cancelled_at,
    signature_id: row.signature_id,
    manual_override: row.manual_override,
    redacted: row.redacted,
    selfie_required: row.selfie_required,
    external_source: row.external_source,
    external_id: row.external_id,
    metadata: row.metadata,
    reminder_24h_sent_at: row.reminder_24h_sent_at,
    reminder_2h_sent_at: row.reminder_2h_sent_at,
    late_notified_at: row.late_notified_at,
    arrival_release_state: state,
    arrival_release: {
      state,
      state_label: LABELS[state],
      held_at: row.arrival_details_held_at,
      released_at: row.arrival_details_released_at,
      viewed_at: row.arrival_details_viewed_at,
      override_at: row.arrival_release_override_at,
      override_by: row.arrival_release_override_by,
      override_reason: row.arrival_release_override_reason,
      next_events: NEXT[state] ?? [],
    },
    arrival_details_held_at: row.arrival_details_held_at,
    arrival_details_released_at: row.arrival_details_released_at,
    arrival_details_viewed_at: row.arrival_details_viewed_at,
    arrival_release_override_at: row.arrival_release_override_at,
    arrival_release_override_by: row.arrival_release_override_by,
    arrival_release_override_reason: row.arrival_release_override_reason,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
