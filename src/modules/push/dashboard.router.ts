/** Notifications in the browser of whoever is signed in. */
import { memberProcedure, router } from '@/api/trpc/procedures';
import { Browser, PushState } from './schemas';
import * as service from './service';

export const pushRouter = router({
  state: memberProcedure.output(PushState).query(({ ctx }) => service.pushState(ctx.scope, ctx.user)),

  turn_on: memberProcedure
    .input(Browser)
    .output(PushState)
    .mutation(({ ctx, input }) => service.turnOn(ctx.scope, ctx.user, input)),

  turn_off: memberProcedure.output(PushState).mutation(({ ctx }) => service.turnOff(ctx.scope, ctx.user)),
});
