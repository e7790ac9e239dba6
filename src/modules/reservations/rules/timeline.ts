/** Parses the author of a trail entry into a kind and a name. Pure. */
import { z } from 'zod';

export const TRAIL_ACTOR_KINDS = [
  'member',
  'former_member',
  'api_key',
  'calendar',
  'forwarded_mail',
  'system',
  'guest',
] as const;

export const TrailActor = z.object({
  kind: z.enum(TRAIL_ACTOR_KINDS),
  /** The name of the member or API key. Null when the key was deleted. */
  name: z.string().nullable(),
});
export type TrailActor = z.infer<typeof TrailActor>;

const SYSTEM: Record<string, TrailActor['kind']> = {
  'calendar-sync': 'calendar',
  'forwarded-mail': 'forwarded_mail',
};

/**
 * Parses an entry's actor label (trail/service.ts). Returns null if the entry has no label. `names`
 * maps ids of members and keys to names.
 */
export function parseTrailActorLabel(label: string | null, names: ReadonlyMap<string, string>): TrailActor | null {
  if (label === null) return null;
  const [kind = '', ...rest] = label.split(' ');
  const id = rest.join(' ');
  const name = names.get(id) ?? null;
  if (kind === 'user') return { kind: name === null ? 'former_member' : 'member', name };
  if (kind === 'api_key') return { kind, name };
  if (kind === 'guest') return { kind, name: null };
  return { kind: SYSTEM[id] ?? 'system', name: null };
}
