/** Packet procedures that only the dashboard has. router.ts has the operations of the API. */
import { anyRoleProcedure, memberProcedure, router } from '@/api/trpc/procedures';
import { translateMessages } from '@/api/trpc/translate-messages';
import * as items from './change-item/change-item.schemas';
import { changeItem, findItem, listItems } from './change-item/service';
import { EditResult, PacketRevisions } from './host.schemas';
import * as host from './host.service';
import * as pushing from './push/push.schemas';
import { previewPush, pushParts } from './push/service';
import { PacketId } from './schemas';

export const packetsDashboardRouter = router({
  revisions: anyRoleProcedure
    .input(PacketId)
    .output(PacketRevisions)
    .query(({ ctx, input }) => host.listRevisions(ctx.scope, input.id)),

  /** A mutation only because of the size of its input. It changes nothing. */
  preview_push: memberProcedure
    .input(pushing.PushPreviewInput)
    .output(pushing.PushPreview)
    .mutation(({ ctx, input }) => previewPush(ctx.scope, input.id, input.parts, input.property_ids)),

  push: memberProcedure
    .input(pushing.PushInput)
    .output(EditResult)
    .mutation(async ({ ctx, input }) => translateMessages(await pushParts(ctx.scope, input), ctx)),

  /** Items that can be changed in several packets at once. */
  items: memberProcedure.output(items.PacketItems).query(({ ctx }) => listItems(ctx.scope)),

  /** Finds the packets that have an item, with the data that a change requires. */
  item: memberProcedure
    .input(items.ItemQuery)
    .output(items.ItemPlaces)
    .query(({ ctx, input }) => findItem(ctx.scope, input)),

  change_item: memberProcedure
    .input(items.ChangeItemInput)
    .output(EditResult)
    .mutation(async ({ ctx, input }) => translateMessages(await changeItem(ctx.scope, input), ctx)),
});
