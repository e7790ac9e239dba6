/**
 * How every state change of a reservation is made: load, let the pure rules decide, save where the row is still the
 * one that was read, and write trail, mail and events in the same transaction. Of two conflicting changes one wins;
 * the other looks again and decides anew, so that a repeated send is still "already sent" and not an error.
 */

import type { EventData } from '@/events/catalogue';
import { recordEvent } from '@/events/record';
import type { Prisma } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { linkTokenHash } from '@/modules/links/urls';
import { appendTrail, type TrailItem, type TrailOrigin } from '@/modules/trail/service';
import { assertReadOnly } from '@/shared/assert-read-only';
import { textToDay } from '@/shared/calendar-day';
import { AppError } from '@/shared/errors';
import { assertEtag } from '@/shared/etag';
import { keptGuestName } from '@/shared/guest-text/names';
import { refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import type { LoadedReservation } from './repository';
import * as repository from './repository';
import { arrivalPacket, contextOf, factsOf, type RowFacts } from './rule-inputs';
import { accept } from './rules/lifecycle';
import type { Decision, ReservationChange, ReservationContext, ReservationEvent } from './rules/transitions';
import { wantsNights } from './same-nights/same-nights.rules';
import { serializeReservation } from './serializer';

const ATTEMPTS = 4;

export interface ChangeOptions {
  if_match?: string | null;
  /** Read-only fields that were given, which must have their stored values. */
  read_only?: Record<string, unknown>;
  origin?: TrailOrigin;
  /** Trail entries beside those of the decision's events. */
  trail?: (change: ReservationChange) => TrailItem[];
  /** Trail entries that come right before an event's. */
  trail_before?: (event: ReservationEvent) => TrailItem[];
  /** What to put into a trail entry of an event, beyond what the event itself says. */
  trail_data?: (event: ReservationEvent) => Record<string, unknown>;
  /** Columns the caller adds to the change. */
  columns?:
    | Prisma.ReservationUncheckedUpdateManyInput
    | ((now: Date, change: ReservationChange) => Prisma.ReservationUncheckedUpdateManyInput);
  /** Slow work (rendering a mail) that must not happen inside the transaction; its result goes to `within`. */
  prepare?: (loaded: LoadedReservation, change: ReservationChange) => Promise<() => Promise<void>>;
  /** More writes in the same transaction, before the events. */
  within?: (saved: LoadedReservation) => Promise<void>;
  /** A loser is told `concurrent_edit` instead of deciding again. */
  once?: boolean;
}

/** What the pure rules make of a row as it is in the moment of the change. */
export type Decide = (facts: RowFacts, context: ReservationContext, now: Date) => Decision;

export interface ChangeResult {
  loaded: LoadedReservation;
  changed: boolean;
}

/** A reservation with its property and packet, or null: for links, whose token is the permission. */
export function findLoaded(scope: Scope, id: string): Promise<LoadedReservation | null> {
  return repository.findLoaded(scope, id);
}
export type { LoadedReservation };

export function missingReservation(scope: Scope, id: string): AppError {
  return new AppError('resource_missing', {
    message: refusal('no_such_in_mode', { mode: scope.mode, thing: 'reservation', id }),
  });
}

/** Throws resource_missing. */
export async function loadReservation(scope: Scope, id: string): Promise<LoadedReservation> {
  const loaded = await repository.findLoaded(scope, id);
  if (!loaded) throw missingReservation(scope, id);
  return loaded;
}

/** Makes one change. Throws resource_missing, etag_mismatch, concurrent_edit and whatever the rules refuse with. */
export async function changeReservation(
  scope: Scope,
  id: string,
  decide: Decide,
  options: ChangeOptions = {},
): Promise<ChangeResult> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const loaded = await loadReservation(scope, id);
    const shown = () => serializeReservation(loaded.row, arrivalPacket(loaded.packet));
    if (options.if_match) assertEtag(options.if_match, shown());
    if (options.read_only) assertReadOnly(options.read_only, shown());
    const { now } = loaded;
    const decision = accept(decide(factsOf(loaded), contextOf(loaded), now));
    if (decision.kind === 'unchanged') return { loaded, changed: false };
    const prepared = await options.prepare?.(loaded, decision);
    const saved = await inTransaction(scope, () => save(scope, loaded, decision, now, options, prepared));
    if (saved) return { loaded: saved, changed: true };
    if (options.once) break;
  }
  throw new AppError('concurrent_edit');
}

/**
 * Adds entries to the trail that come with no change of the reservation, in the open transaction; false when it is gone. Whose
 * data was redacted leaves no new traces.
 */
export async function noteInTrail(
  scope: Scope,
  id: string,
  items: readonly TrailItem[],
  now: Date,
  origin: TrailOrigin = {},
): Promise<boolean> {
  const row = await repository.lockReservation(scope, id);
  if (!row) return false;
  if (!row.redacted) await appendTrail(scope, id, items, now, origin);
  return true;
}

async function save(
  scope: Scope,
  loaded: LoadedReservation,
  change: ReservationChange,
  now: Date,
  options: ChangeOptions,
  prepared?: () => Promise<void>,
): Promise<LoadedReservation | null> {
  const before = loaded.row;
  const row = await repository.saveReservation(scope, before.id, before.version, {
    ...columnsOf(change, loaded),
    ...(typeof options.columns === 'function' ? options.columns(now, change) : options.columns),
  });
  if (!row) return null;
  if (before.signing_token_hash && row.signing_token_hash !== before.signing_token_hash) {
    await repository.retireToken(scope, before.signing_token_hash, before.id, 'replaced', now);
  }
  const after = { ...loaded, row, packet: await packetAfter(scope, loaded, row) };
  const items = [
    ...change.events.flatMap((event) => [
      ...(options.trail_before?.(event) ?? []),
      { type: event.type, data: { ...trailData(event), ...options.trail_data?.(event) } },
    ]),
    ...(options.trail?.(change) ?? []),
  ];
  // Whose data was redacted leaves no new traces.
  await appendTrail(scope, row.id, items, now, row.redacted ? {} : options.origin);
  await prepared?.();
  await options.within?.(after);
  const object = serializeReservation(row, arrivalPacket(after.packet));
  for (const event of change.events) {
    await recordEvent(scope, { type: event.type, object_id: row.id, data: eventData(event, object) });
  }
  return after;
}

async function packetAfter(scope: Scope, loaded: LoadedReservation, row: LoadedReservation['row']) {
  if (row.packet_id === loaded.row.packet_id) return loaded.packet;
  return (await repository.findPackets(scope, [row])).get(row.id) ?? null;
}

function columnsOf(change: ReservationChange, { row }: LoadedReservation): Prisma.ReservationUncheckedUpdateManyInput {
  const { guest_name, checkin_date, checkout_date, arrival_override_groups, ...rest } = change.changes;
  const generation = row.token_generation + 1;
  return {
    ...rest,
    ...(guest_name !== undefined && { guest_name: keptGuestName(guest_name) }),
    ...(checkin_date && { checkin_date: textToDay(checkin_date) }),
    ...(checkout_date && { checkout_date: textToDay(checkout_date) }),
    ...(arrival_override_groups && { arrival_override_groups: [...arrival_override_groups] }),
    ...(changesNights(row, change.changes) && { nights_changed: true }),
    ...(change.mints_token && {
      token_generation: generation,
      signing_token_hash: linkTokenHash('signing', row.id, generation),
    }),
  };
}

/** Whether it wants other nights than before, or is another guest's as far as anybody knows (same-nights/same-nights.rules.ts). */
const changesNights = ({ status }: LoadedReservation['row'], changes: ReservationChange['changes']): boolean =>
  ['checkin_date', 'checkout_date', 'guest_email', 'guest_name'].some((name) => name in changes) ||
  (changes.status !== undefined && !(wantsNights({ status }) && wantsNights({ status: changes.status })));

/** What an event's payload adds to the resource (DESIGN "Webhooks"). */
function eventData(event: ReservationEvent, object: object): EventData {
  const { type: _type, ...additions } = event;
  return { object, ...additions };
}

function trailData(event: ReservationEvent): Record<string, unknown> {
  const { type: _type, ...data } = event;
  return data;
}
