/** The mail outbox in the dashboard, for every member. */
import { memberProcedure, router } from '@/api/trpc/procedures';
import { listOutbox, retrieveMail } from './outbox';
import * as schemas from './schemas';

export const mailRouter = router({
  list: memberProcedure
    .input(schemas.MailQuery)
    .output(schemas.MailPage)
    .query(({ ctx, input }) => listOutbox(ctx.scope, input)),

  retrieve: memberProcedure
    .input(schemas.MailId)
    .output(schemas.MailDetail)
    .query(({ ctx, input }) => retrieveMail(ctx.scope, input.id)),
});
