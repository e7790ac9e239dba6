/** Queries of the dashboard on properties. */
import type { Property } from '@/generated/prisma/client';
import { listKeyset, type Page, type PageQuery } from '@/infra/db/keyset';
import { type ScopedDb, scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

export function searchProperties(scope: Scope, query: PageQuery & { search?: string }): Promise<Page<Property>> {
  const contains = { contains: query.search, mode: 'insensitive' } as const;
  const where = query.search ? { OR: [{ name: contains }, { city: contains }, { address: contains }] } : {};
  return listKeyset(scopedDb(scope).property, 'property', 'property', where, query);
}

/** How many rows hang on a property. */
export async function countBelongings(_scope: Scope, property_id: string, db: ScopedDb) {
  const where = { property_id };
  return {
    packets: await db.packet.count({ where }),
    reservations: await db.reservation.count({ where }),
    calendars: await db.syncSource.count({ where }),
    certificates: await db.signature.count({ where }),
  };
}
