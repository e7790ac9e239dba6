/**
 * Procedures for erasing a guest, for owners and managers. Searches are mutations, so that names do
 * not appear in URLs.
 */
import { memberProcedure, router } from '@/api/trpc/procedures';
import * as schemas from './schemas';
import * as service from './service';

export const guestErasuresRouter = router({
  preview: memberProcedure
    .input(schemas.GuestToEraseQuery)
    .output(schemas.GuestErasurePreview)
    .mutation(({ ctx, input }) => service.previewErasure(ctx.scope, input)),

  create: memberProcedure
    .input(schemas.ErasureRequest)
    .output(schemas.GuestErasureReceipt)
    .mutation(async ({ ctx, input }) => {
      const erasure = await service.requestErasure(ctx.scope, ctx.user.id, input);
      service.startGuestErasureInBackground(ctx.scope, erasure.id);
      return erasure;
    }),

  retrieve: memberProcedure
    .input(schemas.ErasureId)
    .output(schemas.GuestErasureReceipt)
    .query(({ ctx, input }) => service.retrieveErasure(ctx.scope, input.id)),

  list: memberProcedure
    .output(schemas.ErasureList)
    .query(async ({ ctx }) => ({ data: await service.listErasures(ctx.scope) })),
});
