/** The dashboard's home, for every member. */
import { memberProcedure, router } from '@/api/trpc/procedures';
import * as schemas from './schemas';
import * as service from './service';

export const overviewRouter = router({
  activity: memberProcedure
    .input(schemas.ActivityQuery)
    .output(schemas.Activity)
    .query(({ ctx, input }) => service.recentActivity(ctx.scope, input.timezone)),

  first_steps: memberProcedure.output(schemas.FirstSteps).query(({ ctx }) => service.firstSteps(ctx.scope)),
});
