/** Queries on properties. */
import type { Prisma, Property } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { listKeyset, type Page } from '@/infra/db/keyset';
import { scopedDb } from '@/infra/db/scoped-client';
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

/**
 * Returns which of two host names another property of any team holds: a subdomain of a live
 * property, or a verified domain of a live property or of one in the same mode. Must not be called
 * inside a transaction.
 */
export async function findHostNameHolders(
  mode: Mode,
  names: { subdomain?: string | null; custom_domain?: string | null },
): Promise<{ subdomain: boolean; custom_domain: boolean }> {
  const { subdomain, custom_domain } = names;
  const held = async (where: Prisma.PropertyWhereInput) =>
    (await systemDb().property.findFirst({ where, select: { id: true } })) !== null;
  const proved = { custom_domain_verified_at: { not: null }, custom_domain_failing_since: null };
  return {
    // Within a mode the unique index prevents duplicates.
    subdomain: mode === 'test' && subdomain ? await held({ mode: 'live', subdomain }) : false,
    custom_domain: custom_domain ? await held({ mode: { in: ['live', mode] }, custom_domain, ...proved }) : false,
  };
}

/**
 * Returns the other properties that proved a domain in a mode. The unique index allows at most one.
 */
export function findVerifiedHolders(custom_domain: string, mode: Mode, except: string | null): Promise<Property[]> {
  return systemDb().property.findMany({
    where: { mode, custom_domain, custom_domain_verified_at: { not: null }, ...(except && { NOT: { id: except } }) },
  });
}

/**
 * Returns verified and lapsed domains of all teams that were not checked since `before`, oldest
 * check first.
 */
export function findDomainsToCheck(before: Date, limit: number) {
  return systemDb().property.findMany({
    where: {
      custom_domain: { not: null },
      AND: [
        { OR: [{ custom_domain_verified_at: { not: null } }, { custom_domain_lapsed_at: { not: null } }] },
        { OR: [{ custom_domain_checked_at: null }, { custom_domain_checked_at: { lt: before } }] },
      ],
    },
    select: { id: true, team_id: true, mode: true, custom_domain_checked_at: true },
    orderBy: { custom_domain_checked_at: { sort: 'asc', nulls: 'first' } },
    take: limit,
  });
}

/** Returns properties of all teams whose domain lapsed since a moment and was not restored. */
export function findLapsedSince(since: Date) {
  return systemDb().property.findMany({
    where: { custom_domain_lapsed_at: { gte: since } },
    select: { id: true, team_id: true, mode: true },
    orderBy: { id: 'asc' },
  });
}

/** Claims a domain's check and returns the property, or null when another process did. */
export async function claimDomainCheck(
  scope: Scope,
  { id, custom_domain_checked_at }: { id: string; custom_domain_checked_at: Date | null },
  now: Date,
): Promise<Property | null> {
  const rows = await scopedDb(scope).property.updateManyAndReturn({
    where: { id, custom_domain_checked_at },
    data: { custom_domain_checked_at: now },
  });
  return rows[0] ?? null;
}

/** Saves the result of a check, unless the domain's state changed meanwhile. */
export async function saveDomainHealth(
  scope: Scope,
  { id, custom_domain_verified_at, custom_domain_failures }: Property,
  custom_domain: string,
  changes: Prisma.PropertyUncheckedUpdateManyInput,
): Promise<Property | null> {
  const rows = await scopedDb(scope).property.updateManyAndReturn({
    where: { id, custom_domain, custom_domain_verified_at, custom_domain_failures },
    data: changes,
  });
  return rows[0] ?? null;
}

export function insertProperty(scope: Scope, data: Omit<Prisma.PropertyUncheckedCreateInput, 'team_id' | 'mode'>) {
  return scopedDb(scope).property.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/** Saves only when the row is still at `version`. Returns null when another change came first. */
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

/**
 * Returns whether a property of any team and mode has the subdomain, or has proved the custom
 * domain.
 */
export async function hasHostName(name: { subdomain: string } | { custom_domain: string }): Promise<boolean> {
  const proved = 'custom_domain' in name ? { custom_domain_verified_at: { not: null } } : {};
  // Naming both modes allows the index to be used.
  const where = { mode: { in: ['live', 'test'] as Mode[] }, ...name, ...proved };
  return (await systemDb().property.findFirst({ where, select: { id: true } })) !== null;
}

/** Returns properties of all teams whose domain was verified, the newest first. */
export function findVerifiedDomains(limit: number) {
  return systemDb().property.findMany({
    where: { custom_domain: { not: null }, custom_domain_verified_at: { not: null } },
    select: { id: true, custom_domain: true },
    orderBy: { created_at: 'desc' },
    take: limit,
  });
}
