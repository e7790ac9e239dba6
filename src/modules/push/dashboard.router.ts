/** Dashboard procedures for notifications in the user's browser. */
import { anyRoleProcedure, router } from '@/api/trpc/procedures';
import { BrowserSubscription, NotificationStatus } from './schemas';
import * as service from './service';

export const pushNotificationsRouter = router({
  state: anyRoleProcedure
    .output(NotificationStatus)
    .query(({ ctx }) => service.getNotificationStatus(ctx.scope, ctx.user)),

  turn_on: anyRoleProcedure
    .input(BrowserSubscription)
    .output(NotificationStatus)
    .mutation(({ ctx, input }) => service.enableNotifications(ctx.scope, ctx.user, input)),

  turn_off: anyRoleProcedure
    .output(NotificationStatus)
    .mutation(({ ctx }) => service.disableNotifications(ctx.scope, ctx.user)),
});
