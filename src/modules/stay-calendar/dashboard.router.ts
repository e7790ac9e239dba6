/** The picture of the calendar, for every member. */
import { memberProcedure, router } from '@/api/trpc/procedures';
import * as schemas from './schemas';
import { calendarPage, calendarProperties } from './service';

export const stayCalendarRouter = router({
  properties: memberProcedure.output(schemas.CalendarProperties).query(({ ctx }) => calendarProperties(ctx.scope)),

  page: memberProcedure
    .input(schemas.CalendarWindow)
    .output(schemas.CalendarPage)
    .query(({ ctx, input }) => calendarPage(ctx.scope, input)),
});
