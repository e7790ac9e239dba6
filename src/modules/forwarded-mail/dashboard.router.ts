/** Dashboard procedures for forwarded mail. */
import { z } from 'zod';
import { coHostProcedure, memberProcedure, router } from '@/api/trpc/procedures';
import * as inbox from './inbox.service';
import * as schemas from './schemas';

export const inboxRouter = router({
  list: coHostProcedure
    .input(schemas.ForwardedMailListQuery)
    .output(schemas.ForwardedMailList)
    .query(async ({ ctx, input }) => ({ data: await inbox.listInboxMails(ctx.scope, input) })),

  retrieve: coHostProcedure
    .input(schemas.ForwardedMailId)
    .output(schemas.ForwardedMailDetail)
    .query(({ ctx, input }) => inbox.retrieveForwardedMail(ctx.scope, input.id)),

  complete: memberProcedure
    .input(schemas.ReservationCompletionFromMailInput)
    .output(schemas.ReservationCompletionFromMailResult)
    .mutation(({ ctx, input }) => inbox.completeReservationFromMail(ctx.scope, input)),

  apply_proven: memberProcedure
    .input(schemas.ForwardedMailId)
    .output(z.void())
    .mutation(({ ctx, input }) => inbox.applyReservationChangeFromVerifiedMail(ctx.scope, input.id)),

  undo_proven: memberProcedure
    .input(schemas.ForwardedMailId)
    .output(z.void())
    .mutation(({ ctx, input }) => inbox.undoReservationChangeFromVerifiedMail(ctx.scope, input.id)),

  dismiss: memberProcedure
    .input(schemas.ForwardedMailId)
    .output(z.void())
    .mutation(({ ctx, input }) => inbox.dismissForwardedMail(ctx.scope, input.id)),

  reopen: memberProcedure
    .input(schemas.ForwardedMailId)
    .output(z.void())
    .mutation(({ ctx, input }) => inbox.reopenForwardedMail(ctx.scope, input.id)),
});
