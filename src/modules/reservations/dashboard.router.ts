/** Reservation procedures of the dashboard only. router.ts has the operations of the API. */
import { coHostProcedure, memberProcedure, router } from '@/api/trpc/procedures';
import { translateMessages } from '@/api/trpc/translate-messages';
import { PacketItemQuery } from '@/modules/packets/change-item/change-item.schemas';
import * as bulk from './bulk/bulk.schemas';
import { performBulkAction, previewBulkAction } from './bulk/service';
import { changeReservationDates } from './change-dates/service';
import * as schemas from './host.schemas';
import * as host from './host.service';
import { importReservations, previewReservationImport } from './import/service';
import { findGuestsAffectedByPacketItemChange } from './item-guests';
import { Reservation, ReservationId } from './schemas';
import { serializeReservationWithPacket } from './service';

const action = coHostProcedure.input(ReservationId).output(Reservation);

export const reservationsDashboardRouter = router({
  /** Changes nothing. It is a mutation because its input is too long for a URL. */
  preview_import: memberProcedure
    .input(schemas.ReservationImportInput)
    .output(schemas.ReservationImportPreview)
    .mutation(async ({ ctx, input }) => translateMessages(await previewReservationImport(ctx.scope, input), ctx)),

  import: memberProcedure
    .input(schemas.ReservationImportInput)
    .output(schemas.ReservationImportResult)
    .mutation(({ ctx, input }) => importReservations(ctx.scope, input)),

  sign_manually: action.mutation(async ({ ctx, input }) =>
    serializeReservationWithPacket(await host.markReservationSigned(ctx.scope, input.id)),
  ),
  ignore: action.mutation(async ({ ctx, input }) =>
    serializeReservationWithPacket(await host.ignoreReservation(ctx.scope, input.id)),
  ),
  restore: action.mutation(async ({ ctx, input }) =>
    serializeReservationWithPacket(await host.restoreReservation(ctx.scope, input.id)),
  ),
  settle_guest_reply: action.mutation(async ({ ctx, input }) =>
    serializeReservationWithPacket(await host.markGuestReplyHandled(ctx.scope, input.id)),
  ),
  release_arrival: coHostProcedure
    .input(schemas.ReleaseArrivalDetailsInput)
    .output(Reservation)
    .mutation(async ({ ctx, input: { id, ...release } }) =>
      serializeReservationWithPacket(await host.releaseArrivalDetails(ctx.scope, id, release)),
    ),
  /** Returns the reservation that replaces the old one. */
  change_dates: coHostProcedure
    .input(schemas.ChangeDatesInput)
    .output(Reservation)
    .mutation(async ({ ctx, input: { id, ...dates } }) =>
      serializeReservationWithPacket(await changeReservationDates(ctx.scope, id, dates)),
    ),

  both_real: coHostProcedure
    .input(schemas.ConfirmBothBookingsInput)
    .output(Reservation)
    .mutation(async ({ ctx, input }) =>
      serializeReservationWithPacket(await host.confirmBothBookingsAreReal(ctx.scope, input.id, input.other_id)),
    ),
  /** Changes nothing. It is a mutation because its input is too long for a URL. */
  preview_bulk: coHostProcedure
    .input(bulk.BulkActionPreviewInput)
    .output(bulk.BulkActionPreview)
    .mutation(async ({ ctx, input }) =>
      translateMessages(await previewBulkAction(ctx.scope, input.action, input.ids), ctx),
    ),

  bulk: coHostProcedure
    .input(bulk.BulkActionInput)
    .output(bulk.BulkActionResult)
    .mutation(async ({ ctx, input }) =>
      translateMessages(await performBulkAction(ctx.scope, input.action, input.rows), ctx),
    ),

  item_guests: memberProcedure
    .input(PacketItemQuery)
    .output(schemas.GuestsAffectedByPacketItemChange)
    .query(({ ctx, input }) => findGuestsAffectedByPacketItemChange(ctx.scope, input)),

  share_link: coHostProcedure
    .input(ReservationId)
    .output(schemas.ShareableSigningLinkOutput)
    .mutation(async ({ ctx, input }) => ({ url: await host.createShareableSigningLink(ctx.scope, input.id) })),
});
