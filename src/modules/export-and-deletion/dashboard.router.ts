/** A team's data as a whole, which is the owner's alone; and what deleting a property would take with it. */
import { z } from 'zod';
import { memberProcedure, ownerProcedure, router } from '@/api/trpc/procedures';
import { PropertyId } from '@/modules/properties/schemas';
import { beginRemoval, deleteTeam, previewDeletion } from './deletion.service';
import { createExportLink } from './export.service';
import { Belonging, MemberId, MemberRemoval } from './member-removal/schemas';
import { listBelongings, removeMember } from './member-removal/service';
import { previewPropertyDeletion } from './property-deletion.service';
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

/** Part of the procedures of accounts (api/router.ts). */
export const memberRemovalRouter = router({
  member_belongings: ownerProcedure
    .input(MemberId)
    .output(z.array(Belonging))
    .query(({ ctx, input }) => listBelongings(ctx.scope.team_id, input.id)),

  remove_member: ownerProcedure
    .input(MemberRemoval)
    .output(schemas.Done)
    .mutation(async ({ ctx, input }) => {
      const { user, ip, scope } = ctx;
      await removeMember({ team_id: scope.team_id, user, ip }, input);
      return { ok: true };
    }),
});

/** Part of the procedures of properties (api/router.ts). */
export const propertyDeletionDashboardRouter = router({
  deletion: memberProcedure
    .input(PropertyId)
    .output(schemas.PropertyDeletionPreview)
    .query(({ ctx, input }) => previewPropertyDeletion(ctx.scope, input.id)),
});
