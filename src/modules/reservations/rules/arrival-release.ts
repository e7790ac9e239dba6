/**
 * Arrival release: which arrival details of a packet a guest may see, and the four events for
 * partners (specification "Arrival-release state", design "Arrival release"). The state is derived
 * from timestamps and the packet, and is never stored. Pure.
 */
import {
  ARRIVAL_DETAIL_GROUPS,
  type ArrivalDetailGroup,
  type ReleasePolicyByArrivalDetailGroup,
} from '@/modules/packets/schemas';
import type { ErrorCode } from '@/shared/errors';
import type { ARRIVAL_RELEASE_STATES } from '../schemas';

export type ArrivalReleasePolicy = ReleasePolicyByArrivalDetailGroup[ArrivalDetailGroup];

export type ArrivalReleaseState = (typeof ARRIVAL_RELEASE_STATES)[number];

/** The packet's content of each group. Null or empty if the group has no content. */
export interface ArrivalDetails {
  wifi: { network: string | null; password: string | null } | null;
  door_code: string | null;
  checkin_notes: string | null;
  parking_notes: string | null;
}

/** When each group becomes visible. A missing group defaults to `before_signing`. */
export type ArrivalReleasePolicyByDetailGroup = Partial<Record<ArrivalDetailGroup, ArrivalReleasePolicy>>;

/** For each group of arrival details, its content and the policy for its release. */
export interface PacketArrivalContent {
  arrival_details: Partial<ArrivalDetails>;
  arrival_release: ArrivalReleasePolicyByDetailGroup;
  safety_notes?: string | null;
}

/** The reservation's columns that the arrival rules use. */
export interface ReservationColumnsForArrivalRules {
  status: string;
  sent_at: Date | null;
  signed_at: Date | null;
  arrival_details_held_at: Date | null;
  arrival_details_released_at: Date | null;
  arrival_details_viewed_at: Date | null;
  arrival_release_override_at: Date | null;
  arrival_release_override_by: string | null;
  arrival_release_override_reason: string | null;
  /** The groups that overrides released. “All groups” is stored as all four. */
  arrival_override_groups: readonly string[];
}

/** A reservation with its guest's packet. The packet is null when the reservation has none. */
export interface ArrivalReleaseFactsForRules extends ReservationColumnsForArrivalRules {
  packet: PacketArrivalContent | null;
}

export type ArrivalReleaseEventType =
  | 'reservation.arrival_details_held'
  | 'reservation.arrival_details_released'
  | 'reservation.arrival_details_viewed'
  | 'reservation.arrival_details_override_released';

/** The release state in webhooks: the names of groups with content, never the content itself. */
export interface ArrivalReleaseSummary {
  state: ArrivalReleaseState;
  released: ArrivalDetailGroup[];
  withheld: ArrivalDetailGroup[];
}

export interface ArrivalReleaseEvent {
  type: ArrivalReleaseEventType;
  arrival_release: ArrivalReleaseSummary;
  /** Who released the details. Present only on `override_released`. */
  by?: string;
  reason?: string;
}

export type ArrivalReleaseColumns = Omit<ReservationColumnsForArrivalRules, 'status' | 'sent_at' | 'signed_at'>;

export interface ArrivalReleaseChange {
  kind: 'change';
  changes: Partial<ArrivalReleaseColumns>;
  /**
   * Null when an override adds groups to an earlier override, because only the first override emits
   * the event.
   */
  event: ArrivalReleaseEvent | null;
}

export type ArrivalReleaseDecision =
  | ArrivalReleaseChange
  | { kind: 'unchanged' }
  | { kind: 'refused'; code: ErrorCode; param?: string };

const unchanged = { kind: 'unchanged' } as const;

const hasText = (value: string | null | undefined): boolean => typeof value === 'string' && value.trim() !== '';

function isPopulated(details: Partial<ArrivalDetails>, group: ArrivalDetailGroup): boolean {
  if (group === 'wifi') return hasText(details.wifi?.network) || hasText(details.wifi?.password);
  return hasText(details[group]);
}

/** Returns the groups with content, in the catalogue's order. */
export function listPopulatedArrivalDetailGroups(details: Partial<ArrivalDetails>): ArrivalDetailGroup[] {
  return ARRIVAL_DETAIL_GROUPS.filter((group) => isPopulated(details, group));
}

/** Returns the policy of a group, `before_signing` by default. */
export function getArrivalReleasePolicy(packet: PacketArrivalContent, group: ArrivalDetailGroup): ArrivalReleasePolicy {
  return packet.arrival_release[group] ?? 'before_signing';
}

/**
 * Returns the groups of arrival details that have content and that the host's policy withholds
 * before signing. Ignores overrides.
 */
function configuredToHold(packet: PacketArrivalContent | null): ArrivalDetailGroup[] {
  if (!packet) return [];
  return listPopulatedArrivalDetailGroups(packet.arrival_details).filter(
    (group) => getArrivalReleasePolicy(packet, group) !== 'before_signing',
  );
}

function isReleased(
  facts: ArrivalReleaseFactsForRules,
  packet: PacketArrivalContent,
  group: ArrivalDetailGroup,
): boolean {
  if (facts.arrival_release_override_at !== null && facts.arrival_override_groups.includes(group)) return true;
  const policy = getArrivalReleasePolicy(packet, group);
  return policy === 'before_signing' || (policy === 'after_signing' && facts.signed_at !== null);
}

/**
 * Splits the groups with content into released groups, which the guest may see now, and withheld
 * groups. Only an override releases a `manual` group, so it can be withheld even after signing.
 */
export function splitArrivalDetailGroupsByRelease(facts: ArrivalReleaseFactsForRules): {
  released: ArrivalDetailGroup[];
  withheld: ArrivalDetailGroup[];
} {
  const packet = facts.packet;
  if (!packet) return { released: [], withheld: [] };
  const populated = listPopulatedArrivalDetailGroups(packet.arrival_details);
  return {
    released: populated.filter((group) => isReleased(facts, packet, group)),
    withheld: populated.filter((group) => !isReleased(facts, packet, group)),
  };
}

/** Derives the state. The order of the conditions is significant (design "Arrival release"). */
export function deriveArrivalReleaseState(facts: ArrivalReleaseFactsForRules): ArrivalReleaseState {
  if (facts.arrival_details_viewed_at) return 'viewed';
  if (facts.arrival_details_released_at) return 'released';
  if (facts.arrival_release_override_at) return 'override_released';
  if (facts.arrival_details_held_at) return 'held';
  if (!facts.sent_at) return 'not_started';
  const state = stateOfPacket(facts.packet);
  // The guest signed while no arrival details were held. Details that the host adds later must not
  // change the state to `ready_to_hold`.
  return facts.signed_at && state === 'ready_to_hold' ? 'not_held' : state;
}

/** Returns the state that follows from the packet alone, while no timestamp is set. */
function stateOfPacket(packet: PacketArrivalContent | null): 'not_configured' | 'not_held' | 'ready_to_hold' {
  if (!packet || listPopulatedArrivalDetailGroups(packet.arrival_details).length === 0) return 'not_configured';
  return configuredToHold(packet).length === 0 ? 'not_held' : 'ready_to_hold';
}

const STATE_LABELS: Record<ArrivalReleaseState, string> = {
  not_started: 'Not started',
  not_configured: 'No arrival details',
  not_held: 'Visible before signing',
  ready_to_hold: 'Will be held until signing',
  held: 'Held until signing',
  released: 'Released',
  viewed: 'Viewed by guest',
  override_released: 'Released early by host',
};

/** Returns the state's label for display. */
export function getArrivalReleaseStateLabel(state: ArrivalReleaseState): string {
  return STATE_LABELS[state];
}

const NEXT_EVENTS: Record<ArrivalReleaseState, readonly ArrivalReleaseState[]> = {
  not_started: [],
  not_configured: [],
  not_held: [],
  ready_to_hold: ['held', 'override_released'],
  held: ['released', 'override_released'],
  override_released: ['released'],
  released: ['viewed'],
  viewed: [],
};

/** Returns the states that the next events can lead to. */
export function listNextArrivalReleaseStates(state: ArrivalReleaseState): ArrivalReleaseState[] {
  return [...NEXT_EVENTS[state]];
}

/**
 * The arrival details that a guest may read now. They contain no withheld content, so they are safe
 * to render.
 */
export interface VisibleArrivalDetails {
  details: ArrivalDetails;
  /** Always shown, even before signing and after cancellation. */
  safety_notes: string | null;
  released: ArrivalDetailGroup[];
  withheld: ArrivalDetailGroup[];
}

/**
 * Returns the content that the guest may see now. A cancelled or expired reservation shows only the
 * safety notes.
 */
export function getVisibleArrivalDetails(facts: ArrivalReleaseFactsForRules): VisibleArrivalDetails {
  const details: ArrivalDetails = { wifi: null, door_code: null, checkin_notes: null, parking_notes: null };
  const safety_notes = facts.packet?.safety_notes ?? null;
  if (!facts.packet || facts.status === 'ignored' || facts.status === 'expired') {
    return { details, safety_notes, released: [], withheld: [] };
  }
  const split = splitArrivalDetailGroupsByRelease(facts);
  const source = facts.packet.arrival_details;
  for (const group of split.released) {
    if (group === 'wifi') details.wifi = source.wifi ?? null;
    else details[group] = source[group] ?? null;
  }
  return { details, safety_notes, ...split };
}

/**
 * The specification's computed object `ReservationArrivalRelease`. Timestamps are ISO 8601 in UTC.
 */
export interface ReservationArrivalRelease {
  state: ArrivalReleaseState;
  state_label: string;
  held_at: string | null;
  released_at: string | null;
  viewed_at: string | null;
  override_at: string | null;
  override_by: string | null;
  override_reason: string | null;
  next_events: string[];
}

export function serializeReservationArrivalRelease(facts: ArrivalReleaseFactsForRules): ReservationArrivalRelease {
  const state = deriveArrivalReleaseState(facts);
  return {
    state,
    state_label: getArrivalReleaseStateLabel(state),
    held_at: facts.arrival_details_held_at?.toISOString() ?? null,
    released_at: facts.arrival_details_released_at?.toISOString() ?? null,
    viewed_at: facts.arrival_details_viewed_at?.toISOString() ?? null,
    override_at: facts.arrival_release_override_at?.toISOString() ?? null,
    override_by: facts.arrival_release_override_by,
    override_reason: facts.arrival_release_override_reason,
    next_events: listNextArrivalReleaseStates(state),
  };
}

/** Returns the release state for webhooks: the state and the names of the groups. */
export function buildArrivalReleaseSummary(facts: ArrivalReleaseFactsForRules): ArrivalReleaseSummary {
  return { state: deriveArrivalReleaseState(facts), ...splitArrivalDetailGroupsByRelease(facts) };
}

/**
 * Applies the first human view of the unsigned packet: ready_to_hold becomes held. Other states do
 * not change.
 */
export function holdArrivalDetailsAfterFirstView(
  facts: ArrivalReleaseFactsForRules,
  now: Date,
): ArrivalReleaseDecision {
  if (facts.signed_at || deriveArrivalReleaseState(facts) !== 'ready_to_hold') return unchanged;
  return changed(facts, { arrival_details_held_at: now }, 'reservation.arrival_details_held');
}

/**
 * Applies a signature by the guest or the host: ready_to_hold, held and override_released become
 * released. If the host marks an unsent reservation as signed, the details that sending would have
 * held are released. Unchanged when there is nothing to release.
 */
export function releaseArrivalDetailsAfterSigning(
  facts: ArrivalReleaseFactsForRules,
  now: Date,
): ArrivalReleaseDecision {
  const state = deriveArrivalReleaseState({ ...facts, signed_at: null });
  const effective = state === 'not_started' ? stateOfPacket(facts.packet) : state;
  if (effective !== 'ready_to_hold' && effective !== 'held' && effective !== 'override_released') return unchanged;
  const signed = { ...facts, signed_at: facts.signed_at ?? now };
  return changed(signed, { arrival_details_released_at: now }, 'reservation.arrival_details_released');
}

/**
 * Applies a signed guest's return to the page: released becomes viewed. Other states do not change.
 */
export function markArrivalDetailsViewed(facts: ArrivalReleaseFactsForRules, now: Date): ArrivalReleaseDecision {
  if (deriveArrivalReleaseState(facts) !== 'released') return unchanged;
  return changed(facts, { arrival_details_viewed_at: now }, 'reservation.arrival_details_viewed');
}

export const MAX_EARLY_RELEASE_REASON_LENGTH = 500;

export interface ArrivalReleaseOverrideInput {
  /** The name of the user or API key, as displayed. */
  by: string;
  /** 1 to 500 characters. */
  reason: string;
  /** If absent, all groups are released. */
  groups?: readonly ArrivalDetailGroup[];
}

/**
 * Releases withheld groups early on a host's request, with a reason: not_started, ready_to_hold and
 * held become override_released. A later override may add groups, also `manual` ones after signing,
 * without another event. Unchanged when none of the given groups is withheld. Refuses with
 * missing_required_field or invalid_field (`reason`), reservation_cancelled and
 * reservation_expired.
 */
export function releaseArrivalDetailsEarly(
  facts: ArrivalReleaseFactsForRules,
  input: ArrivalReleaseOverrideInput,
  now: Date,
): ArrivalReleaseDecision {
  const reason = input.reason.trim();
  if (reason === '') return { kind: 'refused', code: 'missing_required_field', param: 'reason' };
  if ([...reason].length > MAX_EARLY_RELEASE_REASON_LENGTH)
    return { kind: 'refused', code: 'invalid_field', param: 'reason' };
  if (facts.status === 'ignored') return { kind: 'refused', code: 'reservation_cancelled' };
  if (facts.status === 'expired') return { kind: 'refused', code: 'reservation_expired' };

  const named = input.groups ?? ARRIVAL_DETAIL_GROUPS;
  const { withheld } = splitArrivalDetailGroupsByRelease(facts);
  if (!withheld.some((group) => named.includes(group))) return unchanged;

  const earlier = facts.arrival_override_groups;
  const arrival_override_groups = ARRIVAL_DETAIL_GROUPS.filter(
    (group) => named.includes(group) || earlier.includes(group),
  );
  if (facts.arrival_release_override_at) {
    // The time, author and reason of the first override do not change, because the event contains
    // them.
    return { kind: 'change', changes: { arrival_override_groups }, event: null };
  }
  const changes = {
    arrival_release_override_at: now,
    arrival_release_override_by: input.by,
    arrival_release_override_reason: reason,
    arrival_override_groups,
  };
  const decision = changed(facts, changes, 'reservation.arrival_details_override_released');
  return { ...decision, event: { ...decision.event, by: input.by, reason } };
}

/** Returns a change with its event, which describes the reservation after the change. */
function changed(
  facts: ArrivalReleaseFactsForRules,
  changes: Partial<ArrivalReleaseColumns>,
  type: ArrivalReleaseEventType,
): ArrivalReleaseChange & { event: ArrivalReleaseEvent } {
  const after = { ...facts, ...changes };
  return { kind: 'change', changes, event: { type, arrival_release: buildArrivalReleaseSummary(after) } };
}
