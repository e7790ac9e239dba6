/** A team's data as a whole: the owner's alone. */
import { ownerProcedure, router } from '@/api/trpc/procedures';
import { beginRemoval, deleteTeam, previewDeletion } from './deletion.service';
import { createExportLink } from './export.service';
import * as schemas from './schemas';

export const teamDataRouter = router({
  create_export: ownerProcedure
    .output(schemas.ExportLink)
    .mutation(({ ctx }) => createExportLink(ctx.scope, ctx.user.id)),

  deletion_preview: ownerProcedure
    .output(schemas.DeletionPreview)
    .query(({ ctx }) => previewDeletion(ctx.scope.team_id)),

  delete_team: ownerProcedure
    .input(schemas.TeamDeletion)
    .output(schemas.Done)
    .mutation(async ({ ctx, input }) => {
      const { user, ip, scope } = ctx;
      await deleteTeam({ team_id: scope.team_id, user, ip }, input);
      beginRemoval();
      return { ok: true };
    }),
});
