/** Whose a thing is. An operator names it by id alone, over all teams; what then happens to it is scoped as always. */
import { systemDb } from '@/infra/db/client';
import { type Mode, type Scope, systemScope } from '@/shared/scope';

const ACTOR = 'operator';

/** The scope of a team in a mode. Throws when there is no such team. */
export async function scopeOfTeam(id: string, mode: Mode): Promise<Scope> {
  const row = await systemDb().team.findUnique({ where: { id }, select: { id: true } });
  if (!row) throw new Error(`There is no team ${id}.`);
  return systemScope(row.id, mode, ACTOR);
}

/** The scope a key belongs to. Throws when there is no such key. */
export async function scopeOfKey(id: string): Promise<Scope> {
  const row = await systemDb().apiKey.findUnique({ where: { id }, select: { team_id: true, mode: true } });
  if (!row) throw new Error(`There is no key ${id}.`);
  return systemScope(row.team_id, row.mode, ACTOR);
}

/** The scope a property belongs to. Throws when there is no such property. */
export async function scopeOfProperty(id: string): Promise<Scope> {
  const row = await systemDb().property.findUnique({ where: { id }, select: { team_id: true, mode: true } });
  if (!row) throw new Error(`There is no property ${id}.`);
  return systemScope(row.team_id, row.mode, ACTOR);
}
