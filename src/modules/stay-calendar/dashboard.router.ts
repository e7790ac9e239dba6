/** The calendar of all stays, visible to every member. */
import { anyRoleProcedure, router } from '@/api/trpc/procedures';
import * as schemas from './schemas';
import { listStayCalendarProperties, loadStayCalendarWindow } from './service';

export const stayCalendarRouter = router({
  properties: anyRoleProcedure
    .output(schemas.StayCalendarPropertyList)
    .query(({ ctx }) => listStayCalendarProperties(ctx.scope)),

  page: anyRoleProcedure
    .input(schemas.StayCalendarWindow)
    .output(schemas.StayCalendarWindowContent)
    .query(({ ctx, input }) => loadStayCalendarWindow(ctx.scope, input)),
});
