/** What the dashboard asks of properties beyond the public operations. */
import type { Property } from '@/generated/prisma/client';
import type { Page, PageQuery } from '@/infra/db/keyset';
import { inTransaction } from '@/infra/db/scoped-client';
import { propertyObstacles } from '@/modules/reservations/property-deletion';
import type { Scope } from '@/shared/scope';
import * as repository from './host.repository';
import { retrieveProperty } from './service';

/** Properties whose name, city or address holds the text, newest first. */
export function searchProperties(scope: Scope, query: PageQuery & { search?: string }): Promise<Page<Property>> {
  return repository.searchProperties(scope, query);
}

export interface DeletionPreview {
  packets: number;
  reservations: number;
  /** Of these, sent or synced ones whose stay is not over: deleting then needs force. */
  active_reservations: number;
  calendars: number;
  /** Certificates outlive the property. */
  certificates: number;
  /** Nothing under legal hold is ever deleted. */
  legal_hold: boolean;
}

/** What deleting the property would take with it. Throws resource_missing. */
export async function previewDeletion(scope: Scope, id: string): Promise<DeletionPreview> {
  return inTransaction(scope, async (tx) => {
    const property = await retrieveProperty(scope, id, tx);
    const { active, legal_hold } = await propertyObstacles(scope, property, tx);
    return { ...(await repository.countBelongings(scope, id, tx)), active_reservations: active, legal_hold };
  });
}
