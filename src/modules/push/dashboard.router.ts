/** Dashboard procedures for notifications in the user's browser. */
import { anyRoleProcedure, router } from '@/api/trpc/procedures';
import { BrowserPushSubscription, PushNotificationStatus } from './schemas';
import * as service from './service';

export const pushNotificationsRouter = router({
  state: anyRoleProcedure
    .output(PushNotificationStatus)
    .query(({ ctx }) => service.getPushNotificationStatus(ctx.scope, ctx.user)),

  turn_on: anyRoleProcedure
    .input(BrowserPushSubscription)
    .output(PushNotificationStatus)
    .mutation(({ ctx, input }) => service.enablePushNotifications(ctx.scope, ctx.user, input)),

  turn_off: anyRoleProcedure
    .output(PushNotificationStatus)
    .mutation(({ ctx }) => service.disablePushNotifications(ctx.scope, ctx.user)),
});
