/** Queries on properties. */
import type { Prisma, Property } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { listKeyset, type Page } from '@/infra/db/keyset';
import { Prisma as Sql, scopedDb } from '@/infra/db/scoped-client';
import type { Mode, Scope } from '@/shared/scope';
import type { HostPropertyListQuery } from './host.schemas';

export function findProperty(scope: Scope, id: string): Promise<Property | null> {
  return scopedDb(scope).property.findFirst({ where: { id } });
}

export function listProperties(scope: Scope, query: HostPropertyListQuery): Promise<Page<Property>> {
  const { subdomain, search } = query;
  const contains = { contains: search, mode: 'insensitive' } as const;
  const where = {
    ...(subdomain !== undefined && { subdomain }),
    ...(search && { OR: [{ name: contains }, { city: contains }, { address: contains }] }),
  };
  return listKeyset(scopedDb(scope).property, 'property', 'property', where, query);
}

export function countProperties(scope: Scope): Promise<number> {
  return scopedDb(scope).property.count({});
}

/** Which of two host names a live property has, of whatever team. Not inside a transaction. */
export async function findLiveHolders(names: { subdomain?: string | null; custom_domain?: string | null }) {
  const held = async (where: Prisma.PropertyWhereInput) =>
    (await systemDb().property.findFirst({ where: { mode: 'live', ...where }, select: { id: true } })) !== null;
  return {
    subdomain: names.subdomain ? await held({ subdomain: names.subdomain }) : false,
    custom_domain: names.custom_domain ? await held({ custom_domain: names.custom_domain }) : false,
  };
}

export function insertProperty(scope: Scope, data: Omit<Prisma.PropertyUncheckedCreateInput, 'team_id' | 'mode'>) {
  return scopedDb(scope).property.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/** Saves only when the row is still at `version`; null when another change came first. */
export async function saveProperty(
  scope: Scope,
  id: string,
  version: number,
  changes: Prisma.PropertyUncheckedUpdateManyInput,
): Promise<Property | null> {
  const rows = await scopedDb(scope).property.updateManyAndReturn({
    where: { id, version },
    data: { ...changes, version: { increment: 1 } },
  });
  return rows[0] ?? null;
}

/** Has the nights of all its reservations that are not over compared with each other. */
export async function compareNights(scope: Scope, id: string, today: Date): Promise<void> {
  await scopedDb(scope).$executeRaw(Sql.sql`
    UPDATE reservations SET nights_changed = true
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND property_id = ${id}
      AND checkout_date >= ${today.toISOString()}::date`);
}

/** Whether a property of any team, in either mode, has the subdomain, or the custom domain and has proved it. */
export async function hasHostName(name: { subdomain: string } | { custom_domain: string }): Promise<boolean> {
  const proved = 'custom_domain' in name ? { custom_domain_verified_at: { not: null } } : {};
  // In both modes, by the index.
  const where = { mode: { in: ['live', 'test'] as Mode[] }, ...name, ...proved };
  return (await systemDb().property.findFirst({ where, select: { id: true } })) !== null;
}

/** Properties of all teams whose domain was verified, the newest first. */
export function findVerifiedDomains(limit: number) {
  return systemDb().property.findMany({
    where: { custom_domain: { not: null }, custom_domain_verified_at: { not: null } },
    select: { id: true, custom_domain: true },
    orderBy: { created_at: 'desc' },
    take: limit,
  });
}
