/** The dashboard's own procedures on packets; the public ones are in router.ts. */
import { z } from 'zod';
import { memberProcedure, router } from '@/api/trpc/procedures';
import * as host from './host.service';
import { PacketContent, PacketId, PacketOfProperty } from './schemas';

const Save = z.strictObject({
  id: z.string(),
  changes: PacketContent,
  /** What the editor began from; null overwrites whatever is there. */
  etag: z.string().nullable(),
});

export const packetHostRouter = router({
  /** The variants of a property, each with what may be done with it and why not. */
  variants: memberProcedure.input(PacketOfProperty).query(({ ctx, input }) => host.listVariants(ctx.scope, input.id)),

  editor: memberProcedure.input(PacketId).query(({ ctx, input }) => host.retrieveEditable(ctx.scope, input.id)),

  save: memberProcedure
    .input(Save)
    .mutation(({ ctx, input }) => host.savePacket(ctx.scope, input.id, input.changes, input.etag)),

  revisions: memberProcedure.input(PacketId).query(({ ctx, input }) => host.listRevisions(ctx.scope, input.id)),
});
