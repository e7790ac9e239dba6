/** The dashboard's own procedures on packets; those that partners have too are in router.ts. */
import { memberProcedure, router } from '@/api/trpc/procedures';
import { PacketRevisions } from './host.schemas';
import * as host from './host.service';
import { PacketId } from './schemas';

export const packetsDashboardRouter = router({
  revisions: memberProcedure
    .input(PacketId)
    .output(PacketRevisions)
    .query(({ ctx, input }) => host.listRevisions(ctx.scope, input.id)),
});
