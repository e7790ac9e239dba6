/** The trail for hosts, with authors and details that partners do not get. */
import { listMembers } from '@/modules/accounts/members.service';
import { listApiKeys } from '@/modules/api-keys/service';
import { trailEntryDataJsonColumn } from '@/modules/trail/service';
import type { Scope } from '@/shared/scope';
import type { HostReservationEventListEnvelope } from './host.schemas';
import { parseTrailActorLabel, type TrailActor } from './rules/timeline';
import { listTrailEntriesOfReservation, serializeTrailEntry } from './service';

type TrailData = ReturnType<typeof trailEntryDataJsonColumn.read>;

/** Returns the text that a person wrote, or for a correction the old and new values. */
function noteOf(type: string, data: TrailData): string | null {
  const { guest_message, reason } = data;
  if (type === 'guest.corrected') return correctionOf(data);
  if (typeof guest_message === 'string') return guest_message;
  return type !== 'reservation.cancelled' && typeof reason === 'string' ? reason : null;
}

/** Formats a correction: "Ana → Ana Sousa · ana@exmaple.com → ana@example.com". */
function correctionOf(data: TrailData): string {
  const values = (data.values ?? {}) as Record<string, { from?: unknown; to?: unknown }>;
  const changed = namesIn(data.fields).map((field) => values[field] ?? {});
  return changed.map(({ from, to }) => `${from ?? '–'} → ${to ?? '–'}`).join(' · ');
}

const namesIn = (fields: unknown): string[] =>
  Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : [];

/** Returns a function that parses the author of this team's trail entries. */
export async function createTrailActorParserForTeam(
  scope: Scope,
): Promise<(label: string | null) => TrailActor | null> {
  const [members, keys] = await Promise.all([listMembers(scope.team_id, scope.mode), listApiKeys(scope)]);
  const names = new Map([
    ...members.map(({ user_id, name }): [string, string] => [user_id, name]),
    ...keys.map(({ id, name }): [string, string] => [id, name]),
  ]);
  return (label) => parseTrailActorLabel(label, names);
}

/** Lists the trail, oldest first. Throws resource_missing. */
export async function listTimelineEntriesForHost(
  scope: Scope,
  id: string,
): Promise<HostReservationEventListEnvelope['data']> {
  const entries = await listTrailEntriesOfReservation(scope, id);
  const actorOf = await createTrailActorParserForTeam(scope);
  return entries.map((entry) => {
    const data = trailEntryDataJsonColumn.read(entry.data);
    return {
      ...serializeTrailEntry(entry),
      actor: actorOf(entry.actor),
      fields: namesIn(data.fields),
      note: noteOf(entry.type, data),
    };
  });
}
