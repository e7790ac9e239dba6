/** The dashboard's own procedures on reservations; the public ones are in router.ts. */
import { z } from 'zod';
import { memberProcedure, router } from '@/api/trpc/procedures';
import { ARRIVAL_GROUPS } from '@/modules/packets/schemas';
import * as host from './host.service';
import { Reservation, ReservationId } from './schemas';
import { showReservation } from './service';

const ReleaseArrival = z.strictObject({
  id: z.string(),
  reason: z.string().trim().min(1).max(500, 'must have at most 500 characters'),
  groups: z.array(z.enum(ARRIVAL_GROUPS)).min(1).optional(),
});
const action = memberProcedure.input(ReservationId).output(Reservation);

export const reservationHostRouter = router({
  actions: memberProcedure.input(ReservationId).query(({ ctx, input }) => host.listActions(ctx.scope, input.id)),
  sign_manually: action.mutation(async ({ ctx, input }) =>
    showReservation(await host.signManually(ctx.scope, input.id)),
  ),
  ignore: action.mutation(async ({ ctx, input }) => showReservation(await host.ignoreReservation(ctx.scope, input.id))),
  restore: action.mutation(async ({ ctx, input }) =>
    showReservation(await host.restoreReservation(ctx.scope, input.id)),
  ),
  release_arrival: memberProcedure
    .input(ReleaseArrival)
    .output(Reservation)
    .mutation(async ({ ctx, input: { id, ...release } }) =>
      showReservation(await host.releaseArrival(ctx.scope, id, release)),
    ),
  share_link: memberProcedure
    .input(ReservationId)
    .mutation(async ({ ctx, input }) => ({ url: await host.createShareLink(ctx.scope, input.id) })),
});
