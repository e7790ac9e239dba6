/** The author of a trail entry as a kind and a name, for every surface to render. Pure. */
import { z } from 'zod';

export const TRAIL_ACTORS = [
  'member',
  'former_member',
  'api_key',
  'calendar',
  'forwarded_mail',
  'system',
  'guest',
] as const;

export const TrailActor = z.object({
  kind: z.enum(TRAIL_ACTORS),
  /** The name of the member or API key. Null when the key was deleted. */
  name: z.string().nullable(),
});
export type TrailActor = z.infer<typeof TrailActor>;

const SYSTEM: Record<string, TrailActor['kind']> = {
  'calendar-sync': 'calendar',
  'forwarded-mail': 'forwarded_mail',
};

/**
 * Parses an entry's actor label (trail/service.ts), null without one. `names`: by id of member or
 * key.
 */
export function trailActor(label: string | null, names: ReadonlyMap<string, string>): TrailActor | null {
  if (label === null) return null;
  const [kind = '', ...rest] = label.split(' ');
  const id = rest.join(' ');
  const name = names.get(id) ?? null;
  if (kind === 'user') return { kind: name === null ? 'former_member' : 'member', name };
  if (kind === 'api_key') return { kind, name };
  if (kind === 'guest') return { kind, name: null };
  return { kind: SYSTEM[id] ?? 'system', name: null };
}
