/**
 * Sample resources that tell one story: Ada Lovelace books the Harbour Loft, receives its packet
 * and signs it. The API reference, the examples of events and test events use them. Tests validate
 * them against the schemas. Their ids do not exist in any database.
 */
import type { DomainEventData, EventType } from '@/events/catalogue';
import type { Certificate } from '@/modules/certificates/schemas';
import type { Packet } from '@/modules/packets/schemas';
import type { Property } from '@/modules/properties/schemas';
import type { Reservation } from '@/modules/reservations/schemas';
import type { SyncSource } from '@/modules/sync-sources/schemas';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const TAIL = '01jd8z6q0v7m3k5n9r2t4w6y8a';
export const SAMPLE_EVENT_OBJECT_IDS = {
  property: `prop_${TAIL}`,
  packet: `pkt_${TAIL}`,
  reservation: `res_${TAIL}`,
  signature: `sig_${TAIL}`,
};
const ids = SAMPLE_EVENT_OBJECT_IDS;
/** The SHA-256 of the snapshot in the API reference. */
export const SAMPLE_CONTENT_HASH = '7bfb099c70a47565568538400f4ab745dc34b7daf37cb224c6c9f04d7558c243';
const groups = { both: ['wifi', 'door_code'], parking: ['parking_notes'] };

/**
 * Returns the sample payload of an event type at `now`. Earlier steps of the story are dated some
 * minutes before.
 */
export function buildSamplePayload(type: EventType, now: Date): DomainEventData {
  const at = (minutes_ago: number) => new Date(now.getTime() - minutes_ago * MINUTE_MS).toISOString();
  const sent = { status: 'sent', sent_at: at(90) } as const;
  const clicked = { ...sent, status: 'clicked', clicked_at: at(30) } as const;
  const signed = { ...clicked, status: 'signed', signed_at: at(0), signature_id: ids.signature } as const;
  switch (type) {
    case 'reservation.created':
      return { object: reservation(now, {}) };
    case 'reservation.updated':
      return {
        object: reservation(now, { checkout_date: day(now, 7) }),
        previous_attributes: { checkout_date: day(now, 6) },
      };
    case 'reservation.deleted':
      return { object: reservation(now, {}) };
    case 'reservation.expired':
      return {
        object: reservation(
          now,
          { ...clicked, status: 'expired', checkin_date: day(now, -3), checkout_date: day(now, 0) },
          'held',
        ),
      };
    case 'reservation.sent':
      return { object: reservation(now, { ...sent, sent_at: at(0) }, 'ready_to_hold') };
    case 'reservation.clicked':
      return { object: reservation(now, { ...clicked, clicked_at: at(0) }, 'held') };
    case 'reservation.signed':
      return { object: reservation(now, signed, 'released'), certificate_id: ids.signature };
    case 'reservation.cancelled':
      return { object: reservation(now, { status: 'ignored', cancelled_at: at(0) }), reason: 'api' };
    case 'reservation.arrival_details_held':
      return {
        object: reservation(now, { ...clicked, clicked_at: at(0) }, 'held'),
        arrival_release: { state: 'held', released: [], withheld: [...groups.both, ...groups.parking] },
      };
    case 'reservation.arrival_details_released':
      return {
        object: reservation(now, signed, 'released'),
        arrival_release: { state: 'released', released: groups.both, withheld: groups.parking },
      };
    case 'reservation.arrival_details_viewed':
      return {
        object: reservation(now, { ...signed, signed_at: at(20) }, 'viewed'),
        arrival_release: { state: 'viewed', released: groups.both, withheld: groups.parking },
      };
    case 'reservation.arrival_details_override_released':
      return {
        object: reservation(now, clicked, 'override_released'),
        arrival_release: { state: 'override_released', released: [...groups.both, ...groups.parking], withheld: [] },
        by: 'Grace Hopper',
        reason: 'The guest called from the door.',
      };
    case 'certificate.created':
      return { object: certificate(now) };
    case 'property.created':
      return { object: property(now) };
    case 'property.updated':
      return { object: property(now), previous_attributes: { name: 'Harbour Flat' } };
    case 'property.deleted':
      return { object: property(now) };
    case 'packet.updated':
      return { object: packetInEvent(now) };
    case 'sync_source.created':
    case 'sync_source.updated':
      return { object: syncSource(now) };
    case 'sync_source.run.completed':
      return {
        object: syncSource(now),
        run: {
          id: `run_${TAIL}`,
          trigger: 'forced',
          status: 'succeeded',
          seen: 6,
          created: 1,
          updated: 0,
          moved: 0,
          restored: 0,
          unchanged: 4,
          skipped: 1,
          vanished: 0,
          cancelled: 0,
          problems: 0,
          duration_ms: 420,
          http_status: 200,
        },
      };
  }
}

export type SampleReservationState = 'draft' | 'sent' | 'signed' | 'cancelled';

/** Returns the sample resources, with the reservation in each of its states. */
export function buildSampleResources(now: Date) {
  const at = (minutes_ago: number) => new Date(now.getTime() - minutes_ago * MINUTE_MS).toISOString();
  const sent = { status: 'sent', sent_at: at(0) } as const;
  const states: Record<SampleReservationState, Reservation> = {
    draft: reservation(now, {}),
    sent: reservation(now, sent, 'ready_to_hold'),
    signed: reservation(
      now,
      { status: 'signed', sent_at: at(90), clicked_at: at(30), signed_at: at(0), signature_id: ids.signature },
      'released',
    ),
    cancelled: reservation(now, { status: 'ignored', cancelled_at: at(0) }),
  };
  return {
    reservation: states,
    property: property(now),
    packet: packet(now),
    certificate: certificate(now),
    sync_source: syncSource(now),
  };
}

type Arrival = Exclude<Reservation['arrival_release_state'], 'not_configured' | 'not_held'>;

const ARRIVAL: Record<Arrival, { label: string; next: string[] }> = {
  not_started: { label: 'Not started', next: [] },
  ready_to_hold: { label: 'Will be held until signing', next: ['held', 'override_released'] },
  held: { label: 'Held until signing', next: ['released', 'override_released'] },
  released: { label: 'Released', next: ['viewed'] },
  viewed: { label: 'Viewed by guest', next: [] },
  override_released: { label: 'Released early by host', next: ['released'] },
};

function reservation(now: Date, moments: Partial<Reservation>, state: Arrival = 'not_started'): Reservation {
  const iso = now.toISOString();
  const held_at = ['held', 'released', 'viewed', 'override_released'].includes(state)
    ? (moments.clicked_at ?? null)
    : null;
  const released_at = state === 'released' || state === 'viewed' ? (moments.signed_at ?? null) : null;
  const viewed_at = state === 'viewed' ? iso : null;
  const early = state === 'override_released';
  const override = {
    at: early ? iso : null,
    by: early ? 'Grace Hopper' : null,
    reason: early ? 'The guest called from the door.' : null,
  };
  return {
    id: ids.reservation,
    object: 'reservation',
    property_id: ids.property,
    packet_id: null,
    guest_name: 'Ada Lovelace',
    guest_email: 'ada@example.com',
    guest_contact_missing: false,
    locale: null,
    checkin_date: day(now, 3),
    checkout_date: day(now, 6),
    source: 'direct',
    status: 'draft',
    sent_at: null,
    opened_at: null,
    clicked_at: null,
    signed_at: null,
    cancelled_at: null,
    signature_id: null,
    manual_override: false,
    redacted: false,
    selfie_required: false,
    external_source: null,
    external_id: null,
    metadata: {},
    reminder_24h_sent_at: null,
    reminder_2h_sent_at: null,
    late_notified_at: null,
    arrival_release_state: state,
    arrival_release: {
      state,
      state_label: ARRIVAL[state].label,
      held_at,
      released_at,
      viewed_at,
      override_at: override.at,
      override_by: override.by,
      override_reason: override.reason,
      next_events: ARRIVAL[state].next,
    },
    arrival_details_held_at: held_at,
    arrival_details_released_at: released_at,
    arrival_details_viewed_at: viewed_at,
    arrival_release_override_at: override.at,
    arrival_release_override_by: override.by,
    arrival_release_override_reason: override.reason,
    created_at: new Date(now.getTime() - DAY_MS).toISOString(),
    updated_at: iso,
    ...moments,
  };
}

const day = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);

function property(now: Date): Property {
  return {
    id: ids.property,
    object: 'property',
    name: 'Harbour Loft',
    address: 'Rua da Praia 12, Cascais',
    brand_color: '#0f766e',
    logo_url: null,
    subdomain: null,
    custom_domain: null,
    timezone: 'Europe/Lisbon',
    auto_send_packet: false,
    auto_send_offset_hours: null,
    auto_reminders: true,
    lat: null,
    lng: null,
    city: 'Cascais',
    photo_required: false,
    otp_required: false,
    required_acceptances: [],
    reply_to_email: null,
    parallel_stays: false,
    embed_origins: [],
    metadata: {},
    test_clock_id: null,
    custom_domain_verified_at: null,
    created_at: new Date(now.getTime() - DAY_MS).toISOString(),
    updated_at: now.toISOString(),
  };
}

/**
 * Returns the packet as webhooks contain it. `arrival_details` lists the names of groups, never
 * their content.
 */
const packetInEvent = (now: Date): Omit<Packet, 'arrival_details'> & { arrival_details: string[] } => ({
  ...packet(now),
  arrival_details: [...groups.both, ...groups.parking],
});

function packet(now: Date): Packet {
  return {
    id: ids.packet,
    object: 'packet',
    property_id: ids.property,
    name: 'House rules',
    is_default: true,
    status: 'active',
    archived_at: null,
    welcome_message: 'Welcome!',
    currency: 'EUR',
    rules: [{ id: `rule_${TAIL}`, text: 'No smoking indoors.', category: 'House' }],
    fees: [
      {
        id: `fee_${TAIL}`,
        label: 'Late check-out',
        amount_cents: 5000,
        unit: 'per hour',
        description: null,
        type: 'conditional_late_checkout',
      },
    ],
    safety_notes: 'The fire extinguisher is under the sink.',
    arrival_details: {
      wifi: { network: 'Harbour Loft', password: 'sea-breeze-42' },
      door_code: '4711#',
      checkin_notes: null,
      parking_notes: 'Bay 3, behind the house.',
    },
    arrival_release: {
      wifi: 'after_signing',
      door_code: 'after_signing',
      checkin_notes: 'before_signing',
      parking_notes: 'manual',
    },
    created_at: new Date(now.getTime() - DAY_MS).toISOString(),
    updated_at: now.toISOString(),
  };
}

const VERIFY_TOKEN = 'Qm9va2VkQnlBZGFMb3ZlbGFjZQ';

function certificate(now: Date): Certificate {
  return {
    id: ids.signature,
    object: 'certificate',
    reservation_id: ids.reservation,
    signed_at: now.toISOString(),
    content_hash: SAMPLE_CONTENT_HASH,
    verify_token: VERIFY_TOKEN,
    pdf_available: true,
    redacted: false,
    legal_hold: false,
    verify_url: `https://threshold.example/verify/${VERIFY_TOKEN}`,
  };
}

function syncSource(now: Date): SyncSource {
  return {
    id: `ss_${TAIL}`,
    object: 'sync_source',
    kind: 'channel_a_ical',
    property_id: ids.property,
    feed_url: 'https://channel-a.example/calendar/ical/***',
    enabled: true,
    last_synced_at: now.toISOString(),
    last_status: 'ok',
    last_error: null,
    created_at: new Date(now.getTime() - DAY_MS).toISOString(),
    updated_at: now.toISOString(),
  };
}
