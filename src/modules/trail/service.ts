/** Reads a reservation's hash-chained audit trail, and writes it in the transaction of the change it tells of. */

import { timeOfReservation } from '@/modules/test-clocks/time';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import { appendEntry, type ChainedEntry, timeAfter } from './chain';
import { trailData } from './json-columns.schemas';
import { insertEntries, lastEntry, listEntries, type NewTrailEntry } from './repository';

/** Who acted and from where, when a guest did. */
export interface TrailOrigin {
  ip?: string | null;
  user_agent?: string | null;
  /** The origin inside of whose page the guest saw ours, as the browser says. */
  embedded_in?: string | null;
}

export interface TrailItem {
  type: string;
  data?: Record<string, unknown>;
}

/** `api_key key_…`, `user user_…`, `guest`, `system auto-send`: how a trail names its actor. */
export function actorLabel(scope: Scope): string {
  const { actor } = scope;
  if (actor.kind === 'guest') return 'guest';
  if (actor.kind === 'system') return `system ${actor.name}`;
  return `${actor.kind} ${actor.id}`;
}

/** The trail, oldest entry first. */
export function listTrail(scope: Scope, reservation_id: string) {
  return listEntries(scope, reservation_id);
}

/** The first entry of a reservation that is about to be inserted. */
export function firstEntry(scope: Scope, reservation_id: string, item: TrailItem, now: Date): NewTrailEntry {
  return link(scope, reservation_id, item, now, {}, null);
}

/** Appends entries after the last one, by the property's clock. The reservation's row must be locked by this transaction, or two writers take one seq. */
export async function appendTrail(
  scope: Scope,
  reservation_id: string,
  items: readonly TrailItem[],
  now: Date,
  origin: TrailOrigin = {},
): Promise<void> {
  if (items.length === 0) return;
  const last = await lastEntry(scope, reservation_id);
  const previous: ChainedEntry | null = last
    ? { ...last, created_at: last.created_at.toISOString(), data: last.data as ChainedEntry['data'] }
    : null;
  const at = await timeOfReservation(scope, reservation_id, now);
  await insertEntries(scope, chain(scope, reservation_id, items, at, origin, previous));
}

function chain(
  scope: Scope,
  reservation_id: string,
  items: readonly TrailItem[],
  now: Date,
  origin: TrailOrigin,
  last: ChainedEntry | null,
) {
  let previous = last;
  return items.map((item) => {
    const entry = link(scope, reservation_id, item, now, origin, previous);
    previous = chainedEntry(entry);
    return entry;
  });
}

function link(
  scope: Scope,
  reservation_id: string,
  item: TrailItem,
  now: Date,
  origin: TrailOrigin,
  previous: ChainedEntry | null,
) {
  // Through JSON once, so that what is hashed is what the database gives back.
  const data = JSON.parse(
    JSON.stringify({ ...item.data, ...(origin.embedded_in && { embedded_in: origin.embedded_in }) }),
  ) as ChainedEntry['data'];
  const created_at = timeAfter(previous, now);
  const entry = appendEntry(previous && pickChain(previous), {
    type: item.type,
    created_at: created_at.toISOString(),
    actor: actorLabel(scope),
    ip: origin.ip ?? null,
    user_agent: origin.user_agent?.slice(0, 500) ?? null,
    data,
  });
  return { ...entry, id: newId('trail_entry'), reservation_id, created_at, data: trailData.write(data) };
}

function pickChain({
  seq,
  type,
  created_at,
  actor,
  ip,
  user_agent,
  data,
  prev_hash,
  hash,
}: ChainedEntry): ChainedEntry {
  return { seq, type, created_at, actor, ip, user_agent, data, prev_hash, hash };
}

/** A stored row as the chain's functions and the API read it. */
export function chainedEntry(
  row: Omit<ChainedEntry, 'created_at' | 'data'> & { created_at: Date; data: unknown },
): ChainedEntry {
  return pickChain({
    ...row,
    created_at: row.created_at.toISOString(),
    data: trailData.read(row.data),
  });
}
