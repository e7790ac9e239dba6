/** The dashboard's own procedures on packets; those that partners have too are in router.ts. */
import { memberProcedure, router } from '@/api/trpc/procedures';
import { translateMessages } from '@/api/trpc/translate-messages';
import { PacketRevisions } from './host.schemas';
import * as host from './host.service';
import * as pushing from './push/push.schemas';
import { previewPush, push } from './push/service';
import { PacketId } from './schemas';

export const packetsDashboardRouter = router({
  revisions: memberProcedure
    .input(PacketId)
    .output(PacketRevisions)
    .query(({ ctx, input }) => host.listRevisions(ctx.scope, input.id)),

  /** A mutation for its size alone: it changes nothing. */
  preview_push: memberProcedure
    .input(pushing.PushPreviewInput)
    .output(pushing.PushPreview)
    .mutation(({ ctx, input }) => previewPush(ctx.scope, input.id, input.parts, input.property_ids)),

  push: memberProcedure
    .input(pushing.PushInput)
    .output(pushing.PushResult)
    .mutation(async ({ ctx, input }) => translateMessages(await push(ctx.scope, input), ctx)),
});
