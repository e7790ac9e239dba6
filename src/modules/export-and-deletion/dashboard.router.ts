/**
 * Dashboard procedures: a team's export and deletion, for owners, and the preview of a property's
 * deletion.
 */
import { z } from 'zod';
import { memberProcedure, ownerProcedure, router } from '@/api/trpc/procedures';
import { MemberRoleChangeInput } from '@/modules/accounts/schemas';
import type { SessionContext } from '@/modules/accounts/session';
import { PropertyId } from '@/modules/properties/schemas';
import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import { beginTeamRemoval, deleteTeam, previewTeamDeletion } from './deletion.service';
import { createExportLink } from './export.service';
import { MemberId, MemberOwnedResource, MemberRemovalInput } from './member-removal/schemas';
import { changeMemberRole, listMemberOwnedResources, removeMember } from './member-removal/service';
import { previewPropertyDeletion } from './property-deletion.service';
import * as schemas from './schemas';

export const teamDataRouter = router({
  create_export: ownerProcedure
    .output(schemas.ExportLink)
    .mutation(({ ctx }) => createExportLink(ctx.scope, ctx.user.id)),

  deletion_preview: ownerProcedure
    .output(schemas.TeamDeletionPreview)
    .query(({ ctx }) => previewTeamDeletion(ctx.scope.team_id)),

  delete_team: ownerProcedure
    .input(schemas.TeamDeletionInput)
    .output(schemas.SuccessResult)
    .mutation(async ({ ctx, input }) => {
      const { user, ip, scope } = ctx;
      const { signed_in } = ctx as typeof ctx & Partial<SessionContext>;
      if (!signed_in) throw new AppError('insufficient_scope', { message: createRefusal('needs_a_user') });
      await deleteTeam({ team_id: scope.team_id, user, ip, opened: signed_in.opened }, input);
      beginTeamRemoval();
      return { ok: true };
    }),
});

/** api/router.ts adds these procedures to the `accounts` procedures. */
export const memberRemovalRouter = router({
  member_belongings: ownerProcedure
    .input(MemberId)
    .output(z.array(MemberOwnedResource))
    .query(({ ctx, input }) => listMemberOwnedResources(ctx.scope.team_id, input.id)),

  update_member: ownerProcedure
    .input(MemberRoleChangeInput)
    .output(schemas.SuccessResult)
    .mutation(async ({ ctx, input }) => {
      const { user, ip, scope } = ctx;
      await changeMemberRole({ team_id: scope.team_id, user, ip }, scope.mode, input);
      return { ok: true };
    }),

  remove_member: ownerProcedure
    .input(MemberRemovalInput)
    .output(schemas.SuccessResult)
    .mutation(async ({ ctx, input }) => {
      const { user, ip, scope } = ctx;
      await removeMember({ team_id: scope.team_id, user, ip }, input);
      return { ok: true };
    }),
});

/** api/router.ts adds this procedure to the `properties` procedures. */
export const propertyDeletionDashboardRouter = router({
  deletion: memberProcedure
    .input(PropertyId)
    .output(schemas.PropertyDeletionPreview)
    .query(({ ctx, input }) => previewPropertyDeletion(ctx.scope, input.id)),
});
