/** Dashboard procedures for notifications in the user's browser. */
import { anyRoleProcedure, router } from '@/api/trpc/procedures';
import { BrowserSubscription, PushState } from './schemas';
import * as service from './service';

export const pushRouter = router({
  state: anyRoleProcedure.output(PushState).query(({ ctx }) => service.getPushState(ctx.scope, ctx.user)),

  turn_on: anyRoleProcedure
    .input(BrowserSubscription)
    .output(PushState)
    .mutation(({ ctx, input }) => service.enableNotifications(ctx.scope, ctx.user, input)),

  turn_off: anyRoleProcedure.output(PushState).mutation(({ ctx }) => service.disableNotifications(ctx.scope, ctx.user)),
});
