/**
 * The dashboard's account procedures. They are not part of `/v1`: API keys cannot manage people.
 */

import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { anyRoleProcedure, ownerProcedure, router, teamlessProcedure } from '@/api/trpc/procedures';
import { AppError } from '@/shared/errors';
import { HOST_LOCALES } from '@/shared/language/host-language';
import { createRefusal } from '@/shared/refusals/refusal';
import { cancelEmailChange, requestEmailChange } from './email-change/email-change';
import * as members from './members.service';
import { SavedView, SaveViewInput } from './saved-views/schemas';
import { deleteSavedView, listSavedViews, storeSavedView } from './saved-views/service';
import {
  CreatedInvitation,
  CreateInvitationInput,
  EmailAddressChangeInput,
  Invitation,
  InvitationOrSavedViewOrSessionIdInput,
  InvitationPageContent,
  InvitationTokenInput,
  Me,
  Member,
  OkResult,
  SignedInSession,
  SignInRulesAndProviderName,
  SignInRulesUpdate,
  Team,
  TeamLegalIdentity,
  TeamUpdate,
  UserPasskeysAndRequiredProof,
} from './schemas';
import { createTeamForUser } from './service';
import { type SessionContext, saveUserLocale, switchTeam } from './session';
import { buildClientIpHeaders } from './sign-in/auth-audit';
import { readUserSignInMethods } from './sign-in/proof';
import { readSignInRules, updateSignInRules } from './sign-in/team-rules.service';
import { readTeamSenderDetails, updateTeamSenderDetails } from './team.service';

const done = { ok: true as const };

/**
 * Requires a signed-in user, who may have no team. Only the dashboard's context has `signed_in`.
 */
const signedInProcedure = teamlessProcedure.use(({ ctx, next }) => {
  const { signed_in = null, me = null } = ctx as typeof ctx & Partial<SessionContext>;
  if (!signed_in) {
    throw new TRPCError({
      code: 'UNAUTHORIZED',
      cause: new AppError('api_key_missing', { message: createRefusal('sign_in_first') }),
    });
  }
  return next({ ctx: { ...ctx, signed_in, me } });
});

const actingUser = (ctx: {
  scope: { team_id: string };
  user: members.ActingUser['user'];
  ip: string | null;
}): members.ActingUser => ({
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
      const team = await createTeamForUser(ctx.signed_in, input.name, ctx.ip);
      await switchTeam(ctx.signed_in, team.id);
      return team;
    }),

  switch_team: signedInProcedure
    .input(z.strictObject({ team_id: z.string() }))
    .output(OkResult)
    .mutation(async ({ ctx, input }) => {
      await switchTeam(ctx.signed_in, input.team_id);
      return done;
    }),

  set_locale: signedInProcedure
    .input(z.strictObject({ locale: z.enum(HOST_LOCALES) }))
    .output(OkResult)
    .mutation(async ({ ctx, input }) => {
      await saveUserLocale(ctx.signed_in, input.locale);
      return done;
    }),

  update_team: ownerProcedure
    .input(TeamUpdate)
    .output(Team)
    .mutation(({ ctx, input }) => members.renameTeam(actingUser(ctx), input.name)),

  sender: ownerProcedure.output(TeamLegalIdentity).query(({ ctx }) => readTeamSenderDetails(ctx.scope)),

  update_sender: ownerProcedure
    .input(TeamLegalIdentity)
    .output(TeamLegalIdentity)
    .mutation(({ ctx, input }) => updateTeamSenderDetails(actingUser(ctx), input)),

  sign_in_rules: ownerProcedure
    .output(SignInRulesAndProviderName)
    .query(({ ctx }) => readSignInRules(ctx.scope.team_id)),

  update_sign_in_rules: ownerProcedure
    .input(SignInRulesUpdate)
    .output(SignInRulesAndProviderName)
    .mutation(({ ctx, input }) => {
      const { signed_in } = ctx as typeof ctx & Partial<SessionContext>;
      if (!signed_in) throw new AppError('insufficient_scope', { message: createRefusal('needs_a_user') });
      return updateSignInRules(actingUser(ctx), signed_in, input);
    }),

  list_members: anyRoleProcedure
    .output(z.array(Member))
    .query(({ ctx }) => members.listVisibleMembers(ctx.user, ctx.scope.team_id, ctx.scope.mode)),

  list_invitations: ownerProcedure
    .output(z.array(Invitation))
    .query(({ ctx }) => members.listInvitations(ctx.scope.team_id)),

  create_invitation: ownerProcedure
    .input(CreateInvitationInput)
    .output(CreatedInvitation)
    .mutation(({ ctx, input }) => members.inviteMember(actingUser(ctx), teamOf(ctx), input)),

  revoke_invitation: ownerProcedure
    .input(InvitationOrSavedViewOrSessionIdInput)
    .output(OkResult)
    .mutation(async ({ ctx, input }) => {
      await members.revokeInvitation(actingUser(ctx), input.id);
      return done;
    }),

  retrieve_invitation: teamlessProcedure
    .input(InvitationTokenInput)
    .output(InvitationPageContent)
    .query(({ input }) => members.loadInvitationView(input.token)),

  accept_invitation: signedInProcedure
    .input(InvitationTokenInput)
    .output(OkResult)
    .mutation(async ({ ctx, input }) => {
      await members.acceptInvitation(ctx.signed_in, input.token, ctx.ip);
      return done;
    }),

  saved_views: anyRoleProcedure.output(z.array(SavedView)).query(({ ctx }) => listSavedViews(ctx.scope, ctx.user.id)),

  save_view: anyRoleProcedure
    .input(SaveViewInput)
    .output(z.array(SavedView))
    .mutation(({ ctx, input }) => storeSavedView(ctx.scope, ctx.user.id, input)),

  delete_view: anyRoleProcedure
    .input(InvitationOrSavedViewOrSessionIdInput)
    .output(z.array(SavedView))
    .mutation(({ ctx, input }) => deleteSavedView(ctx.scope, ctx.user.id, input.id)),

  security: signedInProcedure
    .output(UserPasskeysAndRequiredProof)
    .query(({ ctx }) => readUserSignInMethods(ctx.signed_in)),

  request_email_change: signedInProcedure
    .input(EmailAddressChangeInput)
    .output(OkResult)
    .mutation(async ({ ctx, input }) => {
      await requestEmailChange(ctx.signed_in, input, ctx.ip);
      return done;
    }),

  cancel_email_change: signedInProcedure.output(OkResult).mutation(async ({ ctx }) => {
    await cancelEmailChange(ctx.signed_in);
    return done;
  }),

  // Users whom the team's sign-in rules refuse can list their sessions too.
  list_sessions: signedInProcedure
    .output(z.array(SignedInSession))
    .query(({ ctx }) => members.listSessions(ctx.signed_in.id, ctx.signed_in.session_id)),

  revoke_session: signedInProcedure
    .input(InvitationOrSavedViewOrSessionIdInput)
    .output(OkResult)
    .mutation(async ({ ctx, input }) => {
      await members.revokeSession(ctx.signed_in, input.id, buildClientIpHeaders(ctx.ip));
      return done;
    }),

  revoke_other_sessions: signedInProcedure.output(OkResult).mutation(async ({ ctx }) => {
    await members.revokeOtherSessions(ctx.signed_in, ctx.signed_in.session_id, buildClientIpHeaders(ctx.ip));
    return done;
  }),
});

function teamOf(ctx: object): Team {
  const { me } = ctx as Partial<SessionContext>;
  if (!me) throw new AppError('insufficient_scope', { message: createRefusal('needs_a_user') });
  return me.team;
}
