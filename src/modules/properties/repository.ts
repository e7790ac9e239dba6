/** Queries on properties. */
import type { Prisma, Property } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { listRowsByKeyset, type Page } from '@/infra/db/keyset';
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
  return listRowsByKeyset(scopedDb(scope).property, 'property', 'property', where, query);
}

export function countProperties(scope: Scope): Promise<number> {
  return scopedDb(scope).property.count({});
}

/**
 * Returns which of these names are already taken in `mode`. A test property cannot have the
 * subdomain of a live property. No property can have a custom domain that a live property, or a
 * property in the same mode, has verified. Must not be called inside a transaction.
 */
export async function findTakenPropertyDomains(
  mode: Mode,
  names: { subdomain?: string | null; custom_domain?: string | null },
): Promise<{ subdomain: boolean; custom_domain: boolean }> {
  const { subdomain, custom_domain } = names;
  const held = async (where: Prisma.PropertyWhereInput) =>
    (await systemDb().property.findFirst({ where, select: { id: true } })) !== null;
  const proved = { custom_domain_verified_at: { not: null }, custom_domain_failing_since: null };
  return {
    // The unique index rejects a duplicate subdomain within a mode, so this checks only live mode.
    subdomain: mode === 'test' && subdomain ? await held({ mode: 'live', subdomain }) : false,
    custom_domain: custom_domain ? await held({ mode: { in: ['live', mode] }, custom_domain, ...proved }) : false,
  };
}

/**
 * Returns the other properties in a mode that have verified a domain. The unique index allows at
 * most one.
 */
export function findOtherPropertiesWithDomain(
  custom_domain: string,
  mode: Mode,
  except: string | null,
): Promise<Property[]> {
  return systemDb().property.findMany({
    where: { mode, custom_domain, custom_domain_verified_at: { not: null }, ...(except && { NOT: { id: except } }) },
  });
}

/**
 * Returns verified and lapsed domains of all teams that were last looked up before `before`, oldest
 * lookup first.
 */
export function findCustomDomainsToCheck(before: Date, limit: number) {
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

/** Returns properties of all teams whose domain lapsed after `since` and was not restored. */
export function findPropertiesWithDomainLapsedSince(since: Date) {
  return systemDb().property.findMany({
    where: { custom_domain_lapsed_at: { gte: since } },
    select: { id: true, team_id: true, mode: true },
    orderBy: { id: 'asc' },
  });
}

/**
 * Claims the lookup of a domain and returns the property. Returns null when another process claimed
 * it.
 */
export async function claimCustomDomainCheck(
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

/** Saves the result of a lookup. Returns null when the domain's state has changed. */
export async function saveCustomDomainHealth(
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

/** Saves the property only if its version is still `version`. Otherwise returns null. */
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

/** Returns whether any property has the subdomain or has verified the custom domain. */
export async function isDomainOfAnyProperty(name: { subdomain: string } | { custom_domain: string }): Promise<boolean> {
  const proved = 'custom_domain' in name ? { custom_domain_verified_at: { not: null } } : {};
  // The index begins with the mode, so the condition names both modes.
  const where = { mode: { in: ['live', 'test'] as Mode[] }, ...name, ...proved };
  return (await systemDb().property.findFirst({ where, select: { id: true } })) !== null;
}

/** Returns the properties of all teams whose custom domain is verified, newest property first. */
export function findVerifiedDomains(limit: number) {
  return systemDb().property.findMany({
    where: { custom_domain: { not: null }, custom_domain_verified_at: { not: null } },
    select: { id: true, custom_domain: true },
    orderBy: { created_at: 'desc' },
    take: limit,
  });
}
