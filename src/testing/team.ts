/**
 * Inserts a team with an owner directly into the database. Also contains helpers for the team's
 * background work.
 */

import type { EventType } from '@/events/catalogue';
import { recordEvent } from '@/events/record';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import { createSystemScope, type Mode, type Scope } from '@/shared/scope';
import { deleteEveryRow } from './database';

/**
 * Inserts a pro team with the owner `owner@example.com`. Returns a scope of the team in one mode,
 * with a test actor.
 */
export async function insertTeam(mode: Mode = 'live', owner_email = 'owner@example.com'): Promise<Scope> {
  const id = newId('team');
  const user_id = newId('user');
  await systemDb().team.create({ data: { id, name: 'Sea View', slug: id, plan: 'pro' } });
  await systemDb().user.create({ data: { id: user_id, name: 'Olga', email: owner_email } });
  await systemDb().member.create({
    data: { id: newId('member'), organizationId: id, userId: user_id, role: 'owner' },
  });
  return createSystemScope(id, mode, 'test');
}

/** Makes `user_1` a member of these teams, for tests that act as that user. */
export async function addTestUserToTeams(...team_ids: string[]): Promise<void> {
  await systemDb().user.createMany({
    data: [{ id: 'user_1', name: 'Olga', email: 'olga@example.com' }],
    skipDuplicates: true,
  });
  await systemDb().member.createMany({
    data: team_ids.map((id) => ({ id: `mem_${id}`, organizationId: id, userId: 'user_1', role: 'owner' })),
    skipDuplicates: true,
  });
}

/** Inserts teams with these ids, for tests that choose their own ids. Existing teams are kept. */
export async function insertTeams(...ids: string[]): Promise<void> {
  await systemDb().team.createMany({
    data: [...new Set(ids)].map((id) => ({ id, name: id, slug: id, plan: 'pro' })),
    skipDuplicates: true,
  });
}

/** Inserts a property directly into the database and returns its id. */
export async function insertProperty(scope: Scope, id = newId('property')): Promise<string> {
  const { team_id, mode } = scope;
  const at = clock().now();
  await systemDb().property.create({ data: { id, team_id, mode, name: 'Casa Sol', created_at: at, updated_at: at } });
  return id;
}

/** Inserts a forwarding address with its own property and returns its id. */
export async function insertSyncSource(scope: Scope, id = newId('sync_source')): Promise<string> {
  const { team_id, mode } = scope;
  const at = clock().now();
  const property_id = await insertProperty(scope);
  await systemDb().syncSource.create({
    data: { id, team_id, mode, property_id, kind: 'forward_email', inbound_token: id, created_at: at, updated_at: at },
  });
  return id;
}

/** Commits an event and returns its id. */
export function commitTestEvent(
  scope: Scope,
  type: EventType = 'property.created',
  object: object = {},
): Promise<string> {
  return inTransaction(scope, () => recordEvent(scope, { type, object_id: 'prop_1', data: { object } }));
}

/** Deletes all rows except the migrations and the installation's keys. */
export const clearDatabase = (): Promise<void> => deleteEveryRow((sql) => systemDb().$queryRawUnsafe(sql));
