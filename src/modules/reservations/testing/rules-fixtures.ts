/** Facts for tests of the pure rules: a typical reservation, with changes for each test. */
import type { PacketArrivalContent } from '../rules/arrival-release';
import type { ReservationFactsForRules, ReservationRuleContext, ReservationStatus } from '../rules/transitions';

export const parseTimestamp = (text: string): Date => new Date(text);

/** Two weeks before check-in. */
export const NOW = parseTimestamp('2026-06-01T12:00:00Z');
/** The first instant after the stay, in UTC. */
export const TIME_AFTER_STAY = parseTimestamp('2026-06-19T00:00:00Z');

export const PACKET_RELEASING_DETAILS_AFTER_SIGNING: PacketArrivalContent = {
  arrival_details: {
    wifi: { network: 'Home', password: 'secret' },
    door_code: '4711',
    checkin_notes: 'Ring twice.',
    parking_notes: null,
  },
  arrival_release: {
    wifi: 'after_signing',
    door_code: 'manual',
    checkin_notes: 'before_signing',
    parking_notes: 'after_signing',
  },
  safety_notes: 'Extinguisher under the sink.',
};
export const PACKET_RELEASING_DETAILS_BEFORE_SIGNING: PacketArrivalContent = {
  ...PACKET_RELEASING_DETAILS_AFTER_SIGNING,
  arrival_release: { wifi: 'before_signing', door_code: 'before_signing' },
};
export const PACKET_WITHOUT_ARRIVAL_DETAILS: PacketArrivalContent = {
  arrival_details: {},
  arrival_release: { wifi: 'after_signing' },
};

const EARLIER = parseTimestamp('2026-05-20T09:00:00Z');

/** Returns a plausible reservation in the given status. */
export function buildReservationFactsForRules(
  status: ReservationStatus,
  different: Partial<ReservationFactsForRules> = {},
): ReservationFactsForRules {
  const wasSent = !['draft', 'synced', 'ignored'].includes(status);
  return {
    status,
    initial_status: status === 'synced' ? 'synced' : 'draft',
    packet_id: null,
    guest_name: 'Ada Lovelace',
    guest_email: 'ada@example.com',
    locale: null,
    guest_locale: null,
    guest_phone_last4: null,
    external_source: null,
    external_id: null,
    metadata: {},
    checkin_date: '2026-06-15',
    checkout_date: '2026-06-18',
    sent_at: wasSent ? EARLIER : null,
    opened_at: status === 'opened' ? EARLIER : null,
    clicked_at: status === 'clicked' || status === 'signed' ? EARLIER : null,
    signed_at: status === 'signed' ? EARLIER : null,
    cancelled_at: null,
    signature_id: status === 'signed' ? 'sig_12345678' : null,
    manual_override: false,
    redacted: false,
    legal_hold: false,
    sync_source_id: null,
    arrival_details_held_at: null,
    arrival_details_released_at: null,
    arrival_details_viewed_at: null,
    arrival_release_override_at: null,
    arrival_release_override_by: null,
    arrival_release_override_reason: null,
    arrival_override_groups: [],
    ...different,
  };
}

export function buildReservationRuleContext(different: Partial<ReservationRuleContext> = {}): ReservationRuleContext {
  return {
    timezone: null,
    has_active_packet: true,
    host_sends_nothing: false,
    packet: PACKET_RELEASING_DETAILS_AFTER_SIGNING,
    selfie_required: false,
    otp_required: false,
    ...different,
  };
}
