/** What can be done with a reservation now, and why not: asked of the very rules the operations use. */
import { cancel, resend, send } from '@/modules/reservations/lifecycle';
import type { Decision, ReservationContext, ReservationFacts } from '@/modules/reservations/transitions';
import { ERRORS } from '@/shared/errors';
import type { Reservation } from './queries';

export type ReservationVerb = 'send' | 'resend' | 'cancel' | 'copy_link';
/** Null when it can be done; else the reason, for the person at the button. */
export type Refusals = Record<ReservationVerb, string | null>;

/** The facts a rule reads, from the resource. What the resource does not say (legal hold) the server decides. */
function factsOf(row: Reservation): ReservationFacts {
  const date = (value: string | null) => (value ? new Date(value) : null);
  return {
    status: row.status,
    initial_status: row.status === 'synced' ? 'synced' : 'draft',
    packet_id: row.packet_id,
    guest_name: row.guest_name,
    guest_email: row.guest_contact_missing ? null : row.guest_email,
    checkin_date: row.checkin_date,
    checkout_date: row.checkout_date,
    sent_at: date(row.sent_at),
    opened_at: date(row.opened_at),
    clicked_at: date(row.clicked_at),
    signed_at: date(row.signed_at),
    cancelled_at: date(row.cancelled_at),
    signature_id: row.signature_id,
    manual_override: row.manual_override,
    redacted: row.redacted,
    legal_hold: false,
    arrival_details_held_at: date(row.arrival_details_held_at),
    arrival_details_released_at: date(row.arrival_details_released_at),
    arrival_details_viewed_at: date(row.arrival_details_viewed_at),
    arrival_release_override_at: date(row.arrival_release_override_at),
    arrival_release_override_by: row.arrival_release_override_by,
    arrival_release_override_reason: row.arrival_release_override_reason,
    arrival_override_groups: [],
  };
}

const NOTHING_LEFT: Record<'send' | 'resend' | 'cancel', string> = {
  send: 'It was sent already.',
  resend: 'There is nothing to resend.',
  cancel: 'It is cancelled already.',
};

export function refusals(row: Reservation, timezone: string | null, now: Date): Refusals {
  const facts = factsOf(row);
  const context: ReservationContext = {
    timezone,
    has_active_packet: true,
    packet: null,
    selfie_required: false,
    otp_required: false,
  };
  const why = (verb: 'send' | 'resend' | 'cancel', decision: Decision): string | null => {
    if (decision.kind === 'change') return null;
    return decision.kind === 'refused' ? ERRORS[decision.code].message : NOTHING_LEFT[verb];
  };
  return {
    send: why('send', send(facts, context, now)),
    resend: why('resend', resend(facts, context, now)),
    cancel: why('cancel', cancel(facts, context, 'host', now)),
    copy_link: row.sent_at ? null : 'There is a link once the reservation has been sent.',
  };
}
