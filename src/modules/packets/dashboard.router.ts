/** Packet procedures of the dashboard only. router.ts contains the API's operations. */
import { anyRoleProcedure, memberProcedure, router } from '@/api/trpc/procedures';
import { translateMessages } from '@/api/trpc/translate-messages';
import * as items from './change-item/change-item.schemas';
import { changePacketItem, findPacketItemOccurrences, listPacketItems } from './change-item/service';
import { PacketEditResult, PacketRevisions } from './host.schemas';
import * as host from './host.service';
import * as pushing from './push/push.schemas';
import { copyPacketParts, previewPacketPartsCopy } from './push/service';
import { PacketId } from './schemas';

export const packetsDashboardRouter = router({
  revisions: anyRoleProcedure
    .input(PacketId)
    .output(PacketRevisions)
    .query(({ ctx, input }) => host.listRevisions(ctx.scope, input.id)),

  /** Changes nothing. It is a mutation because its input is too long for a URL. */
  preview_push: memberProcedure
    .input(pushing.CopyPacketPartsPreviewInput)
    .output(pushing.CopyPacketPartsPreview)
    .mutation(({ ctx, input }) => previewPacketPartsCopy(ctx.scope, input.id, input.parts, input.property_ids)),

  push: memberProcedure
    .input(pushing.CopyPacketPartsInput)
    .output(PacketEditResult)
    .mutation(async ({ ctx, input }) => translateMessages(await copyPacketParts(ctx.scope, input), ctx)),

  /** Returns fees and rules that can be changed in several packets at once. */
  items: memberProcedure.output(items.PacketItemList).query(({ ctx }) => listPacketItems(ctx.scope)),

  /** Returns the packets that contain an item, with their ids and etags. */
  item: memberProcedure
    .input(items.PacketItemQuery)
    .output(items.PacketItemOccurrences)
    .query(({ ctx, input }) => findPacketItemOccurrences(ctx.scope, input)),

  change_item: memberProcedure
    .input(items.ChangePacketItemInput)
    .output(PacketEditResult)
    .mutation(async ({ ctx, input }) => translateMessages(await changePacketItem(ctx.scope, input), ctx)),
});
