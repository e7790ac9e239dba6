/**
 * Makes every state change of a reservation: loads the row, applies the pure rules, saves if the
 * row is unchanged, and writes trail, mail and events in the same transaction. If two changes
 * conflict, one is saved. The other loads the row and decides again, so a repeated send is reported
 * as already sent instead of failing.
 */

import type { DomainEventData } from '@/events/catalogue';
import { getPreviousAttributes } from '@/events/previous-attributes';
import { recordEvent } from '@/events/record';
import type { Prisma } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { hashLinkToken } from '@/modules/links/urls';
import { appendTrailEntries, type GuestBrowserDetails, type TrailEntryInput } from '@/modules/trail/service';
import { assertReadOnlyFieldsUnchanged } from '@/shared/assert-read-only';
import { parseCalendarDay } from '@/shared/calendar-day';
import { AppError, createResourceMissingError } from '@/shared/errors';
import { assertEtagMatches } from '@/shared/etag';
import { normalizeGuestName } from '@/shared/guest-text/names';
import type { Scope } from '@/shared/scope';
import { occupiesNights } from './double-bookings/same-nights.rules';
import type { ReservationWithPropertyAndPacket } from './repository';
import * as repository from './repository';
import {
  buildReservationRowFactsForRules,
  buildReservationRuleContext,
  parsePacketArrivalColumns,
  type ReservationRowFactsForRules,
} from './rule-inputs';
import { throwIfTransitionRefused } from './rules/lifecycle';
import type {
  ReservationChangeDecision,
  ReservationRuleContext,
  ReservationTransitionDecision,
  ReservationTransitionEvent,
} from './rules/transitions';
import type { Reservation } from './schemas';
import { serializeReservation } from './serializer';

const ATTEMPTS = 4;

export interface ReservationChangeOptions {
  if_match?: string | null;
  /** Read-only fields of the request. They must equal their stored values. */
  read_only?: Record<string, unknown>;
  origin?: GuestBrowserDetails;
  /** Returns trail entries to insert before the entries of the decision's events. */
  trail_first?: (change: ReservationChangeDecision) => TrailEntryInput[];
  /** Returns trail entries in addition to the entries of the decision's events. */
  trail?: (change: ReservationChangeDecision) => TrailEntryInput[];
  /** Returns trail entries to insert right before the entry of an event. */
  trail_before?: (event: ReservationTransitionEvent) => TrailEntryInput[];
  /** Returns additional data for the trail entry of an event. */
  trail_data?: (event: ReservationTransitionEvent) => Record<string, unknown>;
  /** Columns that the caller adds to the change. */
  columns?:
    | Prisma.ReservationUncheckedUpdateManyInput
    | ((now: Date, change: ReservationChangeDecision) => Prisma.ReservationUncheckedUpdateManyInput);
  /**
   * Does slow work, such as rendering a mail, outside the transaction. The function that it returns
   * is called inside the transaction.
   */
  prepare?: (
    loaded: ReservationWithPropertyAndPacket,
    change: ReservationChangeDecision,
  ) => Promise<() => Promise<void>>;
  /** Makes further writes in the same transaction, before the events. */
  within?: (saved: ReservationWithPropertyAndPacket) => Promise<void>;
  /** Whether to throw concurrent_edit after a conflict instead of deciding again. */
  once?: boolean;
}

/** Applies the pure rules to a row. */
export type ReservationTransitionDecider = (
  facts: ReservationRowFactsForRules,
  context: ReservationRuleContext,
  now: Date,
) => ReservationTransitionDecision;

export interface ReservationChangeResult {
  loaded: ReservationWithPropertyAndPacket;
  changed: boolean;
}

/**
 * Returns a reservation, or null when it does not exist. Used for requests by link, which are
 * authorized by the link's token.
 */
export function findReservationForTransition(
  scope: Scope,
  id: string,
): Promise<ReservationWithPropertyAndPacket | null> {
  return repository.findReservationWithPropertyAndPacket(scope, id);
}
export type { ReservationWithPropertyAndPacket };

export function createMissingReservationError(scope: Scope, id: string): AppError {
  return createResourceMissingError(scope, 'reservation', id);
}

/** Returns a reservation. Throws resource_missing. */
export async function loadReservation(scope: Scope, id: string): Promise<ReservationWithPropertyAndPacket> {
  const loaded = await repository.findReservationWithPropertyAndPacket(scope, id);
  if (!loaded) throw createMissingReservationError(scope, id);
  return loaded;
}

/**
 * Makes one change. Throws resource_missing, etag_mismatch, concurrent_edit and the rules'
 * refusals.
 */
export async function applyReservationTransition(
  scope: Scope,
  id: string,
  decide: ReservationTransitionDecider,
  options: ReservationChangeOptions = {},
): Promise<ReservationChangeResult> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const loaded = await loadReservation(scope, id);
    const shown = () => serializeReservation(loaded.row, parsePacketArrivalColumns(loaded.packet));
    if (options.if_match) assertEtagMatches(options.if_match, shown());
    if (options.read_only) assertReadOnlyFieldsUnchanged(options.read_only, shown());
    const { now } = loaded;
    const decision = throwIfTransitionRefused(
      decide(buildReservationRowFactsForRules(loaded), buildReservationRuleContext(scope, loaded), now),
    );
    if (decision.kind === 'unchanged') return { loaded, changed: false };
    const prepared = await options.prepare?.(loaded, decision);
    const saved = await inTransaction(scope, () => save(scope, loaded, decision, now, options, prepared));
    if (saved) return { loaded: saved, changed: true };
    if (options.once) break;
  }
  throw new AppError('concurrent_edit');
}

/**
 * Adds trail entries without changing the reservation, in the open transaction. Returns false when
 * the reservation does not exist. Adds nothing to a redacted reservation.
 */
export async function appendReservationTrailEntries(
  scope: Scope,
  id: string,
  items: readonly TrailEntryInput[],
  now: Date,
  origin: GuestBrowserDetails = {},
): Promise<boolean> {
  const row = await repository.lockReservation(scope, id);
  if (!row) return false;
  if (!row.redacted) await appendTrailEntries(scope, id, items, now, origin);
  return true;
}

async function save(
  scope: Scope,
  loaded: ReservationWithPropertyAndPacket,
  change: ReservationChangeDecision,
  now: Date,
  options: ReservationChangeOptions,
  prepared?: () => Promise<void>,
): Promise<ReservationWithPropertyAndPacket | null> {
  const before = loaded.row;
  const row = await repository.saveReservationIfVersionUnchanged(scope, before.id, before.version, {
    ...columnsOf(change, loaded),
    ...(typeof options.columns === 'function' ? options.columns(now, change) : options.columns),
  });
  if (!row) return null;
  if (before.signing_token_hash && row.signing_token_hash !== before.signing_token_hash) {
    await repository.retireSigningLinkToken(scope, before.signing_token_hash, before.id, 'replaced', now);
  }
  const after = { ...loaded, row, packet: await packetAfter(scope, loaded, row) };
  const items = [
    ...(options.trail_first?.(change) ?? []),
    ...change.events.flatMap((event) => [
      ...(options.trail_before?.(event) ?? []),
      { type: event.type, data: { ...trailData(event), ...options.trail_data?.(event) } },
    ]),
    ...(options.trail?.(change) ?? []),
  ];
  // Redacted reservations get no new personal data.
  await appendTrailEntries(scope, row.id, items, now, row.redacted ? {} : options.origin);
  await prepared?.();
  await options.within?.(after);
  const object = serializeReservation(row, parsePacketArrivalColumns(after.packet));
  const previous_attributes = unreported(
    getPreviousAttributes(serializeReservation(before, parsePacketArrivalColumns(loaded.packet)), object),
    change.events,
  );
  if (Object.keys(previous_attributes).length > 0) {
    const data = { object, previous_attributes };
    await recordEvent(scope, { type: 'reservation.updated', object_id: row.id, data });
  }
  for (const event of change.events) {
    await recordEvent(scope, { type: event.type, object_id: row.id, data: eventData(event, object) });
  }
  return after;
}

async function packetAfter(
  scope: Scope,
  loaded: ReservationWithPropertyAndPacket,
  row: ReservationWithPropertyAndPacket['row'],
) {
  if (row.packet_id === loaded.row.packet_id) return loaded.packet;
  return (await repository.findPacketsByReservation(scope, [row])).get(row.id) ?? null;
}

function columnsOf(
  change: ReservationChangeDecision,
  { row }: ReservationWithPropertyAndPacket,
): Prisma.ReservationUncheckedUpdateManyInput {
  const { guest_name, checkin_date, checkout_date, arrival_override_groups, ...rest } = change.changes;
  const generation = row.token_generation + 1;
  return {
    ...rest,
    ...(guest_name !== undefined && { guest_name: normalizeGuestName(guest_name) }),
    ...(checkin_date && { checkin_date: parseCalendarDay(checkin_date) }),
    ...(checkout_date && { checkout_date: parseCalendarDay(checkout_date) }),
    ...(arrival_override_groups && { arrival_override_groups: [...arrival_override_groups] }),
    ...(changesNights(row, change.changes) && { nights_changed: true }),
    ...(change.mints_token && {
      token_generation: generation,
      signing_token_hash: hashLinkToken('signing', row.id, generation),
    }),
  };
}

/**
 * Returns whether the change affects the nights or the guest. Double bookings must then be checked
 * again.
 */
const changesNights = (
  { status }: ReservationWithPropertyAndPacket['row'],
  changes: ReservationChangeDecision['changes'],
): boolean =>
  ['checkin_date', 'checkout_date', 'guest_email', 'guest_name'].some((name) => name in changes) ||
  (changes.status !== undefined && !(occupiesNights({ status }) && occupiesNights({ status: changes.status })));

/** The booking's details, which change independently of the status. */
const DETAILS: ReadonlySet<string> = new Set<keyof Reservation>([
  'packet_id',
  'guest_name',
  'guest_email',
  'guest_contact_missing',
  'locale',
  'checkin_date',
  'checkout_date',
  'external_source',
  'external_id',
  'metadata',
]);
/** Details that become final with a signature. */
const SIGNED_DETAILS: ReadonlySet<string> = new Set<keyof Reservation>(['packet_id', 'locale']);

/**
 * Returns the previous values that no event reports. Events report statuses and times, not details.
 */
function unreported(
  previous: Partial<Reservation>,
  events: readonly ReservationTransitionEvent[],
): Partial<Reservation> {
  if (events.length === 0) return previous;
  const signed = events.some(({ type }) => type === 'reservation.signed');
  const left = Object.entries(previous).filter(
    ([field]) => DETAILS.has(field) && !(signed && SIGNED_DETAILS.has(field)),
  );
  return Object.fromEntries(left);
}

function eventData(event: ReservationTransitionEvent, object: object): DomainEventData {
  const { type: _type, ...additions } = event;
  return { object, ...additions };
}

function trailData(event: ReservationTransitionEvent): Record<string, unknown> {
  const { type: _type, ...data } = event;
  return data;
}
