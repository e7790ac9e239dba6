/** Queries of the dashboard on properties. */
import type { Property } from '@/generated/prisma/client';
import { listKeyset, type Page, type PageQuery } from '@/infra/db/keyset';
import { scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

export function searchProperties(scope: Scope, query: PageQuery & { search?: string }): Promise<Page<Property>> {
  const contains = { contains: query.search, mode: 'insensitive' } as const;
  const where = query.search ? { OR: [{ name: contains }, { city: contains }, { address: contains }] } : {};
  return listKeyset(scopedDb(scope).property, 'property', 'property', where, query);
}
