/** The calendar of all stays, visible to every member. */
import { anyRoleProcedure, router } from '@/api/trpc/procedures';
import * as schemas from './schemas';
import { calendarPage, calendarProperties } from './service';

export const stayCalendarRouter = router({
  properties: anyRoleProcedure.output(schemas.CalendarProperties).query(({ ctx }) => calendarProperties(ctx.scope)),

  page: anyRoleProcedure
    .input(schemas.CalendarWindow)
    .output(schemas.CalendarPage)
    .query(({ ctx, input }) => calendarPage(ctx.scope, input)),
});
