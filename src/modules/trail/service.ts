/** Reads a reservation's hash-chained audit trail and appends entries in a transaction. */

import { z } from 'zod';
import { getCurrentTimeForReservation } from '@/modules/test-clocks/time';
import { newId } from '@/shared/ids';
import { defineJsonColumn } from '@/shared/json-column';
import type { Scope } from '@/shared/scope';
import { appendChainedTrailEntry, type ChainedTrailEntry, getNextTrailEntryTime, type TrailEntry } from './chain';
import { findLastTrailEntry, insertTrailEntries, listTrailEntryRows, type NewTrailEntry } from './repository';

/** The origin of a guest's action: IP address, browser and embedding page. */
export interface GuestBrowserDetails {
  ip?: string | null;
  user_agent?: string | null;
  /** The origin of the page that embedded the guest page, as reported by the browser. */
  embedded_in?: string | null;
}

export interface TrailEntryInput {
  type: string;
  data?: Record<string, unknown>;
}

/**
 * Returns the label of an actor in the trail: `api_key key_…`, `user user_…`, `guest`, `system
 * auto-send`.
 */
export function getTrailActorLabel(scope: Scope): string {
  const { actor } = scope;
  if (actor.kind === 'guest') return 'guest';
  if (actor.kind === 'system') return `system ${actor.name}`;
  return `${actor.kind} ${actor.id}`;
}

/** Returns the trail, oldest entry first. */
export const listTrailEntries = listTrailEntryRows;

/**
 * Builds the first entry of a new reservation. The caller inserts the reservation and the entry.
 */
export function buildFirstTrailEntry(
  scope: Scope,
  reservation_id: string,
  item: TrailEntryInput,
  now: Date,
): NewTrailEntry {
  return buildEntry(scope, reservation_id, item, now, {}, null);
}

/**
 * Appends entries, with the time of the property's clock. The transaction must hold the lock on the
 * reservation's row, so that no other writer uses the same `seq`.
 */
export async function appendTrailEntries(
  scope: Scope,
  reservation_id: string,
  items: readonly TrailEntryInput[],
  now: Date,
  origin: GuestBrowserDetails = {},
): Promise<void> {
  if (items.length === 0) return;
  const last = await findLastTrailEntry(scope, reservation_id);
  let previous = last && convertRowToChainedTrailEntry(last);
  const at = await getCurrentTimeForReservation(scope, reservation_id, now);
  const entries = items.map((item) => {
    const entry = buildEntry(scope, reservation_id, item, at, origin, previous);
    previous = convertRowToChainedTrailEntry(entry);
    return entry;
  });
  await insertTrailEntries(scope, entries);
}

function buildEntry(
  scope: Scope,
  reservation_id: string,
  item: TrailEntryInput,
  now: Date,
  origin: GuestBrowserDetails,
  previous: ChainedTrailEntry | null,
) {
  // The data is converted to JSON and back, so that the hash covers exactly the value that the
  // database returns.
  const data = JSON.parse(
    JSON.stringify({ ...item.data, ...(origin.embedded_in && { embedded_in: origin.embedded_in }) }),
  ) as ChainedTrailEntry['data'];
  const created_at = getNextTrailEntryTime(previous, now);
  const entry = appendChainedTrailEntry(previous, {
    type: item.type,
    created_at: created_at.toISOString(),
    actor: getTrailActorLabel(scope),
    ip: origin.ip ?? null,
    user_agent: origin.user_agent?.slice(0, 500) ?? null,
    data,
  });
  return { ...entry, id: newId('trail_entry'), reservation_id, created_at, data: trailEntryDataJsonColumn.write(data) };
}

/** Converts a stored row to the entry that the API and the chain's functions use. */
export function convertRowToChainedTrailEntry({
  seq,
  type,
  created_at,
  actor,
  ip,
  user_agent,
  data,
  prev_hash,
  hash,
}: Omit<ChainedTrailEntry, 'created_at' | 'data'> & { created_at: Date; data: unknown }): ChainedTrailEntry {
  const entry = { seq, type, created_at: created_at.toISOString(), actor, ip, user_agent };
  return { ...entry, data: trailEntryDataJsonColumn.read(data), prev_hash, hash };
}

/**
 * The JSON column of an entry's data. Invalid data is read as empty, so that the hash does not
 * match.
 */
export const trailEntryDataJsonColumn = defineJsonColumn<TrailEntry['data']>(
  'TrailEntry.data',
  z.record(z.string(), z.custom<TrailEntry['data'][string]>()).catch({}),
);
