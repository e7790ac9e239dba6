/** The procedures of the dashboard's home page, open to every member. */
import { anyRoleProcedure, developerProcedure, router } from '@/api/trpc/procedures';
import * as schemas from './schemas';
import * as service from './service';
import { getPricePlanUsage } from './usage';

export const homeRouter = router({
  activity: developerProcedure
    .input(schemas.RecentActivityQuery)
    .output(schemas.RecentActivity)
    .query(({ ctx, input }) => service.getRecentActivity(ctx.scope, input.timezone)),

  signed_rate: anyRoleProcedure
    .input(schemas.StaySigningRateQuery)
    .output(schemas.StaySigningRate)
    .query(({ ctx, input }) => service.getStaySigningRate(ctx.scope, input.property_id)),

  first_steps: developerProcedure
    .output(schemas.OnboardingProgress)
    .query(({ ctx }) => service.getOnboardingProgress(ctx.scope)),

  usage: developerProcedure.output(schemas.PricePlanUsage).query(({ ctx }) => getPricePlanUsage(ctx.scope)),
});
