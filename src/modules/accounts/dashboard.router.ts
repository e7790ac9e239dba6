/** Account procedures of the dashboard. None is part of `/v1`: a key is for data, not for people. */

import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { memberProcedure, openProcedure, ownerProcedure, router } from '@/api/trpc/procedures';
import { AppError } from '@/shared/errors';
import { HOST_LOCALES } from '@/shared/language/host-language';
import { refusal } from '@/shared/refusals/refusal';
import * as members from './members.service';
import { SavedView, SavedViewName } from './saved-views/schemas';
import { deleteView, listViews, saveView } from './saved-views/service';
import {
  ById,
  ByToken,
  Done,
  Invitation,
  InvitationCreate,
  InvitationView,
  Me,
  Member,
  NewInvitation,
  RoleChange,
  SenderIdentity,
  SignedInSession,
  Team,
  TeamUpdate,
} from './schemas';
import { readSender, updateSender } from './sender.service';
import { createTeamFor } from './service';
import { chooseLocale, type SessionContext, switchTeam } from './session';

const done = { ok: true as const };

/** For someone who is signed in but perhaps in no team yet. The dashboard's context carries more than the REST bridge's. */
const signedInProcedure = openProcedure.use(({ ctx, next }) => {
  const { signed_in = null, me = null } = ctx as typeof ctx & Partial<SessionContext>;
  if (!signed_in) {
    throw new TRPCError({
      code: 'UNAUTHORIZED',
      cause: new AppError('api_key_missing', { message: refusal('sign_in_first') }),
    });
  }
  return next({ ctx: { ...ctx, signed_in, me } });
});

const doer = (ctx: { scope: { team_id: string }; user: members.Doer['user']; ip: string | null }): members.Doer => ({
  team_id: ctx.scope.team_id,
  user: ctx.user,
  ip: ctx.ip,
});

export const accountsRouter = router({
  me: signedInProcedure.output(Me.nullable()).query(({ ctx }) => ctx.me),

  create_team: signedInProcedure
    .input(TeamUpdate)
    .output(Team)
    .mutation(async ({ ctx, input }) => {
      const team = await createTeamFor(ctx.signed_in, input.name, ctx.ip);
      await switchTeam(ctx.signed_in, team.id);
      return team;
    }),

  switch_team: signedInProcedure
    .input(z.strictObject({ team_id: z.string() }))
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await switchTeam(ctx.signed_in, input.team_id);
      return done;
    }),

  set_locale: signedInProcedure
    .input(z.strictObject({ locale: z.enum(HOST_LOCALES) }))
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await chooseLocale(ctx.signed_in, input.locale);
      return done;
    }),

  update_team: ownerProcedure
    .input(TeamUpdate)
    .output(Team)
    .mutation(({ ctx, input }) => members.renameTeam(doer(ctx), input.name)),

  sender: ownerProcedure.output(SenderIdentity).query(({ ctx }) => readSender(ctx.scope)),

  update_sender: ownerProcedure
    .input(SenderIdentity)
    .output(SenderIdentity)
    .mutation(({ ctx, input }) => updateSender(doer(ctx), input)),

  list_members: memberProcedure.output(z.array(Member)).query(({ ctx }) => members.listMembers(ctx.scope.team_id)),

  update_member: ownerProcedure
    .input(RoleChange)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await members.changeMember(doer(ctx), input.id, { role: input.role });
      return done;
    }),

  list_invitations: ownerProcedure
    .output(z.array(Invitation))
    .query(({ ctx }) => members.listInvitations(ctx.scope.team_id)),

  create_invitation: ownerProcedure
    .input(InvitationCreate)
    .output(NewInvitation)
    .mutation(({ ctx, input }) => members.invite(doer(ctx), teamOf(ctx), input)),

  revoke_invitation: ownerProcedure
    .input(ById)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await members.revokeInvitation(doer(ctx), input.id);
      return done;
    }),

  retrieve_invitation: openProcedure
    .input(ByToken)
    .output(InvitationView)
    .query(({ input }) => members.viewInvitation(input.token)),

  accept_invitation: signedInProcedure
    .input(ByToken)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await members.acceptInvitation(ctx.signed_in, input.token, ctx.ip);
      return done;
    }),

  saved_views: memberProcedure.output(z.array(SavedView)).query(({ ctx }) => listViews(ctx.scope, ctx.user.id)),

  save_view: memberProcedure
    .input(SavedViewName)
    .output(z.array(SavedView))
    .mutation(({ ctx, input }) => saveView(ctx.scope, ctx.user.id, input)),

  delete_view: memberProcedure
    .input(ById)
    .output(z.array(SavedView))
    .mutation(({ ctx, input }) => deleteView(ctx.scope, ctx.user.id, input.id)),

  list_sessions: memberProcedure
    .output(z.array(SignedInSession))
    .query(({ ctx }) => members.listSessions(ctx.user.id, ctx.user.session_id)),

  revoke_session: memberProcedure
    .input(ById)
    .output(Done)
    .mutation(async ({ ctx, input }) => {
      await members.revokeSession(doer(ctx), input.id);
      return done;
    }),

  revoke_other_sessions: memberProcedure.output(Done).mutation(async ({ ctx }) => {
    await members.revokeOtherSessions(doer(ctx), ctx.user.session_id);
    return done;
  }),
});

function teamOf(ctx: object): Team {
  const { me } = ctx as Partial<SessionContext>;
  if (!me) throw new AppError('insufficient_scope', { message: refusal('needs_a_user') });
  return me.team;
}
