/**
 * The status table of reservations (specification and design, "Reservation status"): what each
 * operation does in each status, and the types of facts and decisions. lifecycle.ts has the
 * operations with their further conditions.
 */
import type { ErrorCode } from '@/shared/errors';
import type { Metadata } from '@/shared/metadata';
import type { RESERVATION_STATUSES } from '../schemas';
import type {
  ArrivalReleaseColumns,
  ArrivalReleaseEvent,
  ArrivalReleaseFactsForRules,
  PacketArrivalContent,
} from './arrival-release';

export type ReservationStatus = (typeof RESERVATION_STATUSES)[number];
export type InitialReservationStatus = 'draft' | 'synced';
export type CancelReason = 'api' | 'host' | 'feed_removed';

/** The columns of a reservation that the rules use. */
export interface ReservationFactsForRules extends Omit<ArrivalReleaseFactsForRules, 'packet' | 'status'> {
  status: ReservationStatus;
  initial_status: InitialReservationStatus;
  /** The guest's packet. Null means the property's default. */
  packet_id: string | null;
  guest_name: string;
  /** Null if no deliverable address is known. The API then shows a placeholder. */
  guest_email: string | null;
  /** `locale` is the language that was stated for the guest. `guest_locale` is a guess. */
  locale: string | null;
  guest_locale: string | null;
  /** The last four digits of the guest's phone number, from a calendar or a host. */
  guest_phone_last4: string | null;
  /** The kind of source, and the booking's id at that source or in the partner's system. */
  external_source: string | null;
  external_id: string | null;
  metadata: Metadata;
  /** 'YYYY-MM-DD' in the property's calendar. */
  checkin_date: string;
  checkout_date: string;
  opened_at: Date | null;
  clicked_at: Date | null;
  cancelled_at: Date | null;
  signature_id: string | null;
  manual_override: boolean;
  redacted: boolean;
  legal_hold: boolean;
  /** The calendar that created the reservation and sets its dates. */
  sync_source_id: string | null;
}

/** The facts about a reservation's property and packet. */
export interface ReservationRuleContext {
  /** The property's IANA zone. Null or unknown is UTC. */
  timezone: string | null;
  has_active_packet: boolean;
  /**
   * Whether a host, as opposed to an API client, sends a packet without rules and fees. Only API
   * clients may do that.
   */
  host_sends_nothing: boolean;
  /** The packet that the guest sees, for the arrival rules. */
  packet: PacketArrivalContent | null;
  /** The property's current requirements. Sending copies them to the reservation. */
  selfie_required: boolean;
  otp_required: boolean;
}

/** The columns that a change sets. */
export interface ReservationTransitionColumns extends ArrivalReleaseColumns {
  status: ReservationStatus;
  packet_id: string | null;
  guest_name: string;
  guest_email: string | null;
  locale: string | null;
  guest_locale: string | null;
  guest_phone_last4: string | null;
  external_id: string | null;
  metadata: Metadata;
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

export type ReservationTransitionEvent =
  | { type: 'reservation.sent' }
  | { type: 'reservation.clicked' }
  | { type: 'reservation.signed'; certificate_id: string | null }
  | { type: 'reservation.expired' }
  | { type: 'reservation.cancelled'; reason: CancelReason }
  | ArrivalReleaseEvent;

export interface ReservationChangeDecision {
  kind: 'change';
  /** The columns to set, including arrival columns. */
  changes: Partial<ReservationTransitionColumns>;
  /** The events to record, in this order, in the same transaction. */
  events: ReservationTransitionEvent[];
  /** Whether to create a new signing token, which invalidates the old link, and mail the packet. */
  mints_token: boolean;
}
export interface ReservationUnchangedDecision {
  kind: 'unchanged';
}
export interface ReservationTransitionRefusal {
  kind: 'refused';
  code: ErrorCode;
  param?: string;
}
export type ReservationTransitionDecision =
  | ReservationChangeDecision
  | ReservationUnchangedDecision
  | ReservationTransitionRefusal;

// --- the transition table ---

type Cell = { to: ReservationStatus } | 'restart' | 'keep' | 'same' | { no: ErrorCode };

/** The operation takes effect, and the status does not change. */
const keep: Cell = 'keep';
/** Nothing happens. Repeating an operation is not an error. */
const same: Cell = 'same';
/** The reservation returns to its initial status. */
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

/**
 * What each operation does in each status. lifecycle.ts has further conditions, such as a known
 * address.
 */
// biome-ignore format: the columns are the point of a table.
export const RESERVATION_TRANSITIONS = {
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
  correct_guest: row(keep,      keep,      keep,      keep,      keep,      isSigned, isExpired, isCancelled),
  delete:        row(keep,      notDel,    notDel,    notDel,    notDel,    notDel,   notDel,    notDel),
};
export type ReservationTransitionName = keyof typeof RESERVATION_TRANSITIONS;

function row(...cells: [Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell]): Record<ReservationStatus, Cell> {
  const [draft, synced, sent, opened, clicked, signed, expired, ignored] = cells;
  return { draft, synced, sent, opened, clicked, signed, expired, ignored };
}

export const RESERVATION_UNCHANGED_DECISION: ReservationUnchangedDecision = { kind: 'unchanged' };
/** Returns a change of columns without a new status or events. */
export const createReservationDecisionKeepingStatus = (
  changes: Partial<ReservationTransitionColumns> = {},
): ReservationChangeDecision => ({
  kind: 'change',
  changes,
  events: [],
  mints_token: false,
});
export const createReservationTransitionRefusal = (code: ErrorCode, param?: string): ReservationTransitionRefusal =>
  param === undefined ? { kind: 'refused', code } : { kind: 'refused', code, param };

/**
 * Statuses in which the guest has the link and has not signed. Only the guest's mail client and
 * browser cause transitions between them.
 */
export const AWAITING_SIGNATURE_STATUSES: readonly ReservationStatus[] = ['sent', 'opened', 'clicked'];

/**
 * Looks up an operation in RESERVATION_TRANSITIONS. Returns a change, which the operation completes
 * with its own columns, or a final decision: a refusal, or that nothing changes.
 */
export function lookUpReservationTransition(
  verb: ReservationTransitionName,
  facts: ReservationFactsForRules,
): ReservationChangeDecision | ReservationUnchangedDecision | ReservationTransitionRefusal {
  const cell = RESERVATION_TRANSITIONS[verb][facts.status];
  if (cell === 'same') return RESERVATION_UNCHANGED_DECISION;
  if (typeof cell === 'object' && 'no' in cell) return createReservationTransitionRefusal(cell.no);
  const changes: Partial<ReservationTransitionColumns> = {};
  if (cell === 'restart') changes.status = facts.initial_status;
  if (typeof cell === 'object') changes.status = cell.to;
  return createReservationDecisionKeepingStatus(changes);
}
