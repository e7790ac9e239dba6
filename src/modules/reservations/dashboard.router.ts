/** The dashboard's own procedures on reservations; those that partners have too are in router.ts. */
import { memberProcedure, router } from '@/api/trpc/procedures';
import { translateMessages } from '@/api/trpc/translate-messages';
import * as bulk from './bulk/bulk.schemas';
import { actOnSeveral, previewBulk } from './bulk/service';
import { changeDates } from './change-dates/service';
import * as schemas from './host.schemas';
import * as host from './host.service';
import { importReservations, previewImport } from './import/service';
import { Reservation, ReservationId } from './schemas';
import { showReservation } from './service';

const action = memberProcedure.input(ReservationId).output(Reservation);

export const reservationsDashboardRouter = router({
  /** A mutation for its size alone: it changes nothing. */
  preview_import: memberProcedure
    .input(schemas.ImportInput)
    .output(schemas.ImportPreview)
    .mutation(async ({ ctx, input }) => translateMessages(await previewImport(ctx.scope, input), ctx)),

  import: memberProcedure
    .input(schemas.ImportInput)
    .output(schemas.ImportResult)
    .mutation(({ ctx, input }) => importReservations(ctx.scope, input)),

  sign_manually: action.mutation(async ({ ctx, input }) =>
    showReservation(await host.signManually(ctx.scope, input.id)),
  ),
  ignore: action.mutation(async ({ ctx, input }) => showReservation(await host.ignoreReservation(ctx.scope, input.id))),
  restore: action.mutation(async ({ ctx, input }) =>
    showReservation(await host.restoreReservation(ctx.scope, input.id)),
  ),
  settle_guest_reply: action.mutation(async ({ ctx, input }) =>
    showReservation(await host.settleGuestReply(ctx.scope, input.id)),
  ),
  release_arrival: memberProcedure
    .input(schemas.ReleaseArrival)
    .output(Reservation)
    .mutation(async ({ ctx, input: { id, ...release } }) =>
      showReservation(await host.releaseArrival(ctx.scope, id, release)),
    ),
  /** Answers the reservation that takes the other's place. */
  change_dates: memberProcedure
    .input(schemas.ChangeDates)
    .output(Reservation)
    .mutation(async ({ ctx, input: { id, ...dates } }) => showReservation(await changeDates(ctx.scope, id, dates))),

  both_real: memberProcedure
    .input(schemas.BothReal)
    .output(Reservation)
    .mutation(async ({ ctx, input }) =>
      showReservation(await host.confirmBothReal(ctx.scope, input.id, input.other_id)),
    ),
  /** A mutation for its size alone: it changes nothing. */
  preview_bulk: memberProcedure
    .input(bulk.BulkPreviewInput)
    .output(bulk.BulkPreview)
    .mutation(async ({ ctx, input }) => translateMessages(await previewBulk(ctx.scope, input.action, input.ids), ctx)),

  bulk: memberProcedure
    .input(bulk.BulkInput)
    .output(bulk.BulkResult)
    .mutation(async ({ ctx, input }) =>
      translateMessages(await actOnSeveral(ctx.scope, input.action, input.rows), ctx),
    ),

  share_link: memberProcedure
    .input(ReservationId)
    .output(schemas.ShareLink)
    .mutation(async ({ ctx, input }) => ({ url: await host.createShareLink(ctx.scope, input.id) })),
});
