/** Queries on uploaded logos. */
import { systemDb } from '@/infra/db/client';
import { Prisma, scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

export interface LogoImage {
  media_type: string;
  bytes: Uint8Array;
}

export async function insertLogo(scope: Scope, row: LogoImage & { id: string; property_id: string; created_at: Date }) {
  const { team_id, mode } = scope;
  const bytes = new Uint8Array(row.bytes);
  await scopedDb(scope).propertyLogo.create({ data: { ...row, bytes, team_id, mode } });
}

/** Deletes a property's older logos. Keeps the newest `keep`, because sent mails may show them. */
export async function deleteAllButNewestLogos(scope: Scope, property_id: string, keep: number): Promise<void> {
  await scopedDb(scope).$executeRaw(Prisma.sql`
    DELETE FROM property_logos WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id IN (
      SELECT id FROM property_logos
      WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND property_id = ${property_id}
      ORDER BY created_at DESC, id DESC OFFSET ${keep}::int)`);
}

/** Finds a logo of any team. Anyone who knows its URL may read it. */
export function findLogo(id: string): Promise<LogoImage | null> {
  return systemDb().propertyLogo.findUnique({ where: { id }, select: { media_type: true, bytes: true } });
}
