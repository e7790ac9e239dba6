/** The dashboard's own procedures on reservations; the public ones are in router.ts. */
import { memberProcedure, router } from '@/api/trpc/procedures';
import { AppError } from '@/shared/errors';
import * as schemas from './host.schemas';
import * as host from './host.service';
import { importReservations, previewImport } from './import/service';
import { Reservation, ReservationId } from './schemas';
import { createReservation, showReservation } from './service';
import { listTimeline } from './timeline.service';

/** Creating is on the same plan as in the public API. */
const proProcedure = memberProcedure.use(({ ctx, next }) => {
  if (ctx.plan !== 'pro') throw new AppError('plan_required');
  return next();
});
const action = memberProcedure.input(ReservationId).output(Reservation);

export const reservationHostRouter = router({
  search: memberProcedure
    .input(schemas.ReservationSearch)
    .output(schemas.ReservationPage)
    .query(({ ctx, input }) => host.searchReservations(ctx.scope, input)),

  retrieve: memberProcedure
    .input(ReservationId)
    .output(schemas.ReservationHostView)
    .query(({ ctx, input }) => host.retrieveHostView(ctx.scope, input.id)),

  timeline: memberProcedure
    .input(ReservationId)
    .output(schemas.Timeline)
    .query(async ({ ctx, input }) => ({ data: await listTimeline(ctx.scope, input.id) })),

  create: proProcedure
    .input(schemas.HostReservationCreate)
    .output(Reservation)
    .mutation(async ({ ctx, input }) => showReservation(await createReservation(ctx.scope, input))),

  /** A mutation for its size alone: it changes nothing. */
  preview_import: proProcedure
    .input(schemas.ImportInput)
    .output(schemas.ImportPreview)
    .mutation(({ ctx, input }) => previewImport(ctx.scope, input)),

  import: proProcedure
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
  release_arrival: memberProcedure
    .input(schemas.ReleaseArrival)
    .output(Reservation)
    .mutation(async ({ ctx, input: { id, ...release } }) =>
      showReservation(await host.releaseArrival(ctx.scope, id, release)),
    ),
  share_link: memberProcedure
    .input(ReservationId)
    .mutation(async ({ ctx, input }) => ({ url: await host.createShareLink(ctx.scope, input.id) })),
});
