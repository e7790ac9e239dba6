/**
 * Finds the scope of an object by the id that an operator entered, over all teams. Changes to the
 * object are scoped as usual.
 */
import { systemDb } from '@/infra/db/client';
import { createSystemScope, type Mode, type Scope } from '@/shared/scope';

const ACTOR = 'operator';

/** Returns the scope of a team in a mode. Throws when there is no such team. */
export async function findTeamScope(id: string, mode: Mode): Promise<Scope> {
  const row = await systemDb().team.findUnique({ where: { id }, select: { id: true } });
  if (!row) throw new Error(`There is no team ${id}.`);
  return createSystemScope(row.id, mode, ACTOR);
}

/** Returns the scope of a key. Throws when there is no such key. */
export async function findTeamScopeOfApiKey(id: string): Promise<Scope> {
  const row = await systemDb().apiKey.findUnique({ where: { id }, select: { team_id: true, mode: true } });
  if (!row) throw new Error(`There is no key ${id}.`);
  return createSystemScope(row.team_id, row.mode, ACTOR);
}

/** Returns the scope of a property. Throws when there is no such property. */
export async function findTeamScopeOfProperty(id: string): Promise<Scope> {
  const row = await systemDb().property.findUnique({ where: { id }, select: { team_id: true, mode: true } });
  if (!row) throw new Error(`There is no property ${id}.`);
  return createSystemScope(row.team_id, row.mode, ACTOR);
}
