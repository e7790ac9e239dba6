/**
 * The operation that deletes a property. It is in this module because this module knows all tables
 * with a property's data.
 */
import { defineApiOperation, router } from '@/api/trpc/procedures';
import { PropertyDeleted, PropertyDeletionInput } from '@/modules/properties/schemas';
import { deleteProperty } from './property-deletion.service';

export const propertyDeletionRouter = router({
  delete: defineApiOperation({
    method: 'DELETE',
    path: '/properties/{id}',
    effect: 'irreversible',
    tag: 'Properties',
    scope: 'properties:write',
    summary: 'Delete a property',
    description:
      'With `force=true` the property is deleted even when it has active reservations, and they are deleted too. Certificates are kept.',
    errors: ['resource_missing', 'active_reservations', 'legal_hold', 'etag_mismatch', 'concurrent_edit'],
  })
    .input(PropertyDeletionInput)
    .output(PropertyDeleted)
    .mutation(async ({ ctx, input }) => {
      await deleteProperty(ctx.scope, input.id, input.force, ctx.if_match);
      return { id: input.id, object: 'property', deleted: true };
    }),
});
