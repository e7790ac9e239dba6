/** The calendar of all stays, visible to every member. */
import { anyRoleProcedure, router } from '@/api/trpc/procedures';
import * as schemas from './schemas';
import { listCalendarProperties, loadCalendarWindow } from './service';

export const stayCalendarRouter = router({
  properties: anyRoleProcedure.output(schemas.CalendarProperties).query(({ ctx }) => listCalendarProperties(ctx.scope)),

  page: anyRoleProcedure
    .input(schemas.CalendarWindow)
    .output(schemas.CalendarWindowContent)
    .query(({ ctx, input }) => loadCalendarWindow(ctx.scope, input)),
});
