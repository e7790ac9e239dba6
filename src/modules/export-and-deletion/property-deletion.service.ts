/**
 * Deletes properties (specification, "Properties"; design, "Reservation status", last paragraph).
 */
import { recordEvent } from '@/events/record';
import { lockProperty } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { recordAuditEntry } from '@/modules/audit-log/service';
import { serializeProperty } from '@/modules/properties/serializer';
import { retrieveProperty } from '@/modules/properties/service';
import { AppError } from '@/shared/errors';
import { assertEtagMatches } from '@/shared/etag';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import * as repository from './property-deletion.repository';
import type { PropertyDeletionPreview } from './schemas';

/**
 * Deletes a property with its packets, calendars and reservations. Keeps its signatures. Throws
 * resource_missing, etag_mismatch, legal_hold, and active_reservations unless `force` is set.
 */
export async function deleteProperty(scope: Scope, id: string, force: boolean, if_match: string | null): Promise<void> {
  await inTransaction(scope, async () => {
    await lockProperty(scope, id);
    const row = await retrieveProperty(scope, id);
    assertEtagMatches(if_match, serializeProperty(row));
    const obstacles = await repository.findDeletionObstacles(scope, row);
    if (obstacles.legal_hold) throw new AppError('legal_hold', { message: createRefusal('property_is_held') });
    if (obstacles.active > 0 && !force) {
      throw new AppError('active_reservations', {
        message: `The property has ${obstacles.active} active reservation${obstacles.active === 1 ? '' : 's'}. Delete with force=true to delete them too.`,
      });
    }
    if (!(await repository.deleteProperty(scope, row))) throw new AppError('concurrent_edit');
    await recordAuditEntry(scope, { action: 'property.deleted', object_id: id, data: { name: row.name } });
    const data = { object: serializeProperty(row) };
    await recordEvent(scope, { type: 'property.deleted', object_id: id, data });
  });
}

/**
 * Returns what a deletion of the property would delete and what prevents it. Throws
 * resource_missing.
 */
export async function previewPropertyDeletion(scope: Scope, id: string): Promise<PropertyDeletionPreview> {
  return inTransaction(scope, async () => {
    const property = await retrieveProperty(scope, id);
    const { active, legal_hold } = await repository.findDeletionObstacles(scope, property);
    return { ...(await repository.countRowsBelongingToProperty(scope, id)), active_reservations: active, legal_hold };
  });
}
