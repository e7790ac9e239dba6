/**
 * The table of a reservation's states (specification "Reservation status", DESIGN "Reservation status"): what each verb
 * does in each status, and the shapes of the facts that go in and the decisions that come out. The verbs, with their
 * further conditions, are in lifecycle.ts.
 */
import type { ErrorCode } from '@/shared/errors';
import type { RESERVATION_STATUSES } from '../schemas';
import type { ArrivalColumns, ArrivalEvent, ArrivalFacts, ArrivalPacket } from './arrival-release';

export type ReservationStatus = (typeof RESERVATION_STATUSES)[number];
export type InitialStatus = 'draft' | 'synced';
export type CancelReason = 'api' | 'host' | 'feed_removed';

/** What the rules read of a reservation's row; names are the columns'. */
export interface ReservationFacts extends Omit<ArrivalFacts, 'packet' | 'status'> {
  status: ReservationStatus;
  initial_status: InitialStatus;
  /** The variant of this guest; null is the property's default. */
  packet_id: string | null;
  guest_name: string;
  /** Null while nobody knows a deliverable address (the API then shows a placeholder). */
  guest_email: string | null;
  /** What was said of the guest's language, and what was found out of it. */
  locale: string | null;
  guest_locale: string | null;
  /** 'YYYY-MM-DD', the property's calendar. */
  checkin_date: string;
  checkout_date: string;
  opened_at: Date | null;
  clicked_at: Date | null;
  cancelled_at: Date | null;
  signature_id: string | null;
  manual_override: boolean;
  redacted: boolean;
  legal_hold: boolean;
  /** The calendar that brought it, and says its dates. */
  sync_source_id: string | null;
}

/** What surrounds the reservation when a rule is asked. */
export interface ReservationContext {
  /** The property's IANA zone; null or unknown is UTC. */
  timezone: string | null;
  /** Whether the property has an active packet that could be sent. */
  has_active_packet: boolean;
  /** The packet the guest sees, for the arrival rules. */
  packet: ArrivalPacket | null;
  /** The property's requirements at this moment; a send snapshots them. */
  selfie_required: boolean;
  otp_required: boolean;
}

/** The columns a change sets. */
export interface ReservationColumns extends ArrivalColumns {
  status: ReservationStatus;
  packet_id: string | null;
  guest_name: string;
  guest_email: string | null;
  locale: string | null;
  guest_locale: string | null;
  checkin_date: string;
  checkout_date: string;
  sent_at: Date | null;
  opened_at: Date | null;
  clicked_at: Date | null;
  signed_at: Date | null;
  expired_at: Date | null;
  cancelled_at: Date | null;
  cancel_reason: CancelReason | null;
  signature_id: string | null;
  manual_override: boolean;
  selfie_required: boolean;
  otp_required: boolean;
  reminder_24h_sent_at: Date | null;
  reminder_2h_sent_at: Date | null;
  late_notified_at: Date | null;
  dates_changed_after_send_at: Date | null;
}

export type ReservationEvent =
  | { type: 'reservation.sent' }
  | { type: 'reservation.clicked' }
  | { type: 'reservation.signed'; certificate_id: string | null }
  | { type: 'reservation.cancelled'; reason: CancelReason }
  | ArrivalEvent;

export interface ReservationChange {
  kind: 'change';
  /** Columns to set, arrival columns included. */
  changes: Partial<ReservationColumns>;
  /** Events to record, in this order, in the same transaction. */
  events: ReservationEvent[];
  /** Mint a new signing token (the old link dies) and mail the packet. */
  mints_token: boolean;
}
export interface Unchanged {
  kind: 'unchanged';
}
export interface Refused {
  kind: 'refused';
  code: ErrorCode;
  param?: string;
}
export type Decision = ReservationChange | Unchanged | Refused;

// --- the table -------------------------------------------------------------------------------------------------------

type Cell = { to: ReservationStatus } | 'restart' | 'keep' | 'same' | { no: ErrorCode };

/** The verb acts, the status stays. */
const keep: Cell = 'keep';
/** Nothing happens; asking again is no error. */
const same: Cell = 'same';
/** Back to the status the reservation was born with. */
const restart: Cell = 'restart';

const toSent: Cell = { to: 'sent' };
const toOpened: Cell = { to: 'opened' };
const toClicked: Cell = { to: 'clicked' };
const toSigned: Cell = { to: 'signed' };
const toExpired: Cell = { to: 'expired' };
const toIgnored: Cell = { to: 'ignored' };

const notSent: Cell = { no: 'reservation_not_sent' };
const notEdit: Cell = { no: 'reservation_not_editable' };
const notDel: Cell = { no: 'reservation_not_deletable' };
const isSigned: Cell = { no: 'reservation_already_signed' };
const isCancelled: Cell = { no: 'reservation_cancelled' };
const isExpired: Cell = { no: 'reservation_expired' };

/** What each verb does in each status. Further conditions (stay over, address, packet, legal hold) are in lifecycle.ts, by verb. */
// biome-ignore format: the columns are the point of a table.
export const TRANSITIONS = {
  //                 draft      synced     sent       opened     clicked    signed    expired    ignored
  send:          row(toSent,    toSent,    same,      same,      same,      same,     isExpired, isCancelled),
  resend:        row(notSent,   notSent,   keep,      keep,      keep,      isSigned, toSent,    isCancelled),
  mark_opened:   row(same,      same,      toOpened,  same,      same,      same,     same,      same),
  view:          row(same,      same,      toClicked, toClicked, keep,      keep,     same,      same),
  sign:          row(notSent,   notSent,   toSigned,  toSigned,  toSigned,  isSigned, isExpired, isCancelled),
  sign_manually: row(toSigned,  toSigned,  toSigned,  toSigned,  toSigned,  isSigned, toSigned,  isCancelled),
  expire:        row(same,      toExpired, toExpired, toExpired, toExpired, same,     same,      same),
  cancel:        row(toIgnored, toIgnored, toIgnored, toIgnored, toIgnored, isSigned, isExpired, same),
  ignore:        row(toIgnored, toIgnored, notEdit,   notEdit,   notEdit,   isSigned, isExpired, same),
  restore:       row(same,      same,      same,      same,      same,      isSigned, isExpired, restart),
  update:        row(keep,      keep,      notEdit,   notEdit,   notEdit,   notEdit,  notEdit,   notEdit),
  delete:        row(keep,      notDel,    notDel,    notDel,    notDel,    notDel,   notDel,    notDel),
};
export type Verb = keyof typeof TRANSITIONS;

function row(...cells: [Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell]): Record<ReservationStatus, Cell> {
  const [draft, synced, sent, opened, clicked, signed, expired, ignored] = cells;
  return { draft, synced, sent, opened, clicked, signed, expired, ignored };
}

export const unchanged: Unchanged = { kind: 'unchanged' };
/** A change of columns that leaves status and events alone. */
export const stamp = (changes: Partial<ReservationColumns> = {}): ReservationChange => ({
  kind: 'change',
  changes,
  events: [],
  mints_token: false,
});
export const refuse = (code: ErrorCode, param?: string): Refused =>
  param === undefined ? { kind: 'refused', code } : { kind: 'refused', code, param };

/** The statuses among which only the guest's own mail client and browser move a reservation. */
export const WITH_THE_GUEST: readonly ReservationStatus[] = ['sent', 'opened', 'clicked'];

/** Looks the verb up in the table: a change of status to fill in, or the answer that needs no more thought. */
export function start(verb: Verb, facts: ReservationFacts): ReservationChange | Unchanged | Refused {
  const cell = TRANSITIONS[verb][facts.status];
  if (cell === 'same') return unchanged;
  if (typeof cell === 'object' && 'no' in cell) return refuse(cell.no);
  const changes: Partial<ReservationColumns> = {};
  if (cell === 'restart') changes.status = facts.initial_status;
  if (typeof cell === 'object') changes.status = cell.to;
  return {
    kind: 'change',
    changes,
    events: [],
    mints_token: false,
  };
}
