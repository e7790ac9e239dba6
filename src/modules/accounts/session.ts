/**
 * Maps a browser's headers to the data that a request may access. A session cookie authenticates
 * the user. The team is taken from the page's header, then from the session's active team, then
 * from the user's first team. The mode is taken from the page's header, then from the mode cookie,
 * and is live by default. Links send no custom headers, so the URL of a download contains the team
 * and the mode.
 */

import { config } from '@/config';
import { isMailProviderConfigured } from '@/modules/mail/service';
import { AppError } from '@/shared/errors';
import { findSupportedHostLocale, type HostLocale } from '@/shared/language/host-language';
import { createRefusal } from '@/shared/refusals/refusal';
import { parseRole, shouldMaskGuestData } from '@/shared/roles';
import type { Mode, Scope } from '@/shared/scope';
import { isOperator } from './operators';
import { findAssignedPropertyIds, findMembershipsOfUser, setActiveTeam, setUserLocale } from './repository';
import type { Me, PricingPlan, Role, SignInRuleViolation } from './schemas';
import {
  CLIENT_IP_ADDRESS_HEADER,
  LIVE_OR_TEST_MODE_COOKIE_NAME,
  LIVE_OR_TEST_MODE_HEADER_NAME,
  readCookie,
  TEAM_ID_HEADER,
} from './session-headers';
import { getBetterAuth } from './sign-in/auth';
import type { SessionIdentityProofFields } from './sign-in/proof';
import { findMissingSignInRequirement, getRequirementsMetBySignInMethod } from './sign-in/team-rules.rules';

export interface SignedInUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly two_factor_enabled: boolean;
  readonly session_id: string;
  /** The time and the method of the sign-in that opened the session (sign-in/proof.ts). */
  readonly opened: SessionIdentityProofFields;
}

export interface SessionContext {
  /** Null without a session or a team. */
  readonly scope: Scope | null;
  readonly user: { id: string; name: string; email: string; role: Role; session_id: string } | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  /** The session's user, who may have no team. Null without a session. */
  readonly signed_in: SignedInUser | null;
  /** The caller's data for the dashboard. Null when `scope` is null. */
  readonly me: Me | null;
  /** Set when the team's sign-in rules refuse the session. `scope` is then null. */
  readonly refused: SignInRuleViolation | null;
}

/** Returns a request's mode. The page's header takes precedence over the mode cookie. */
export function readLiveOrTestModeOfRequest(headers: Headers): Mode {
  const wanted =
    headers.get(LIVE_OR_TEST_MODE_HEADER_NAME) ?? readCookie(headers.get('cookie'), LIVE_OR_TEST_MODE_COOKIE_NAME);
  return wanted === 'test' ? 'test' : 'live';
}

/**
 * The team and mode that a request names. Without a team in the request, the session's active team
 * is used.
 */
interface Place {
  readonly team_id: string | null;
  readonly mode: Mode;
}

const placeOf = (headers: Headers): Place => ({
  team_id: headers.get(TEAM_ID_HEADER),
  mode: readLiveOrTestModeOfRequest(headers),
});

/**
 * Returns everything that the dashboard's procedures need about the caller, in two or three indexed
 * reads. If the user is not in the page's team, `scope` is null, as without a session, so that the
 * user signs in again.
 */
export async function readSessionContext(headers: Headers, place = placeOf(headers)): Promise<SessionContext> {
  const caller = { ip: headers.get(CLIENT_IP_ADDRESS_HEADER), user_agent: headers.get('user-agent') };
  const nobody = { scope: null, user: null, signed_in: null, me: null, refused: null, ...caller };
  const found = await getBetterAuth().api.getSession({ headers });
  if (!found) return nobody;
  const { user, session } = found;
  const signed_in: SignedInUser = {
    id: user.id,
    name: user.name,
    email: user.email,
    email_verified: user.emailVerified,
    two_factor_enabled: user.twoFactorEnabled ?? false,
    session_id: session.id,
    opened: session,
  };
  const memberships = await findMembershipsOfUser(user.id);
  const inTeam = (id: unknown) => memberships.find((item) => item.organizationId === id);
  const current =
    place.team_id === null ? (inTeam(session.activeOrganizationId) ?? memberships[0]) : inTeam(place.team_id);
  if (!current) return { ...nobody, signed_in };
  const proof = getRequirementsMetBySignInMethod(session.signedInWith);
  const has_provider = config().oidc !== null;
  const need = findMissingSignInRequirement(current.organization, proof, has_provider);
  if (need) {
    const others = memberships.filter((item) => item !== current);
    const other_teams = others.map(({ organization: { id, name } }) => ({ id, name }));
    return { ...nobody, signed_in, refused: { need, team_name: current.organization.name, other_teams } };
  }
  const role = parseRole(current.role);
  const { mode } = place;
  const { id, name, email, email_verified, two_factor_enabled } = signed_in;
  const member = await asMember({ ...current, role }, signed_in, mode, caller.ip);
  const { scope } = member;
  return {
    ...caller,
    ...member,
    signed_in,
    refused: null,
    me: {
      user: {
        ...{ id, name, email, email_verified, two_factor_enabled, role },
        sees_guests: !shouldMaskGuestData(scope),
        locale: findSupportedHostLocale(current.user.locale),
      },
      team: {
        id: current.organization.id,
        name: current.organization.name,
        plan: current.organization.plan as PricingPlan,
      },
      teams: memberships.map((item) => ({
        id: item.organizationId,
        name: item.organization.name,
        role: parseRole(item.role),
      })),
      mode,
      mail_is_sent: isMailProviderConfigured(),
      channel_names: config().channel_names,
      operator: await isOperator(
        signed_in,
        memberships.map(({ organizationId, role, organization }) => {
          return {
            organizationId,
            role,
            is_open: findMissingSignInRequirement(organization, proof, has_provider) === null,
          };
        }),
      ),
    },
  };
}

/** Builds the scope of a member, for the dashboard and for assistants. */
async function asMember(
  member: { id: string; organizationId: string; role: Role; sees_guests: boolean },
  { id, name, email, session_id }: Pick<SignedInUser, 'id' | 'name' | 'email' | 'session_id'>,
  mode: Mode,
  ip: string | null,
) {
  const { organizationId: team_id, role, sees_guests } = member;
  const actor = { kind: 'user', id, name, role, sees_guests } as const;
  const properties = role === 'co_host' ? await findAssignedPropertyIds(member.id, mode) : undefined;
  const scope: Scope = { team_id, mode, actor, ip, ...(properties && { properties }) };
  return { scope, user: { id, name, email, role, session_id } };
}

/** The member for whom an assistant acts, and the mode. */
export interface AssistantMemberIdentity {
  readonly user_id: string;
  readonly member_id: string;
  readonly mode: Mode;
  /** The assistant's connection. Used in place of a session's id. */
  readonly connection_id: string;
  /** Whether the session that connected the assistant had used a second factor. */
  readonly factor_proven: boolean;
}

/**
 * Returns the member for whom an assistant calls. Returns null when the membership has ended or the
 * team's sign-in rules are not satisfied.
 */
export async function findMemberActingThroughAssistant(assistant: AssistantMemberIdentity, ip: string | null) {
  const { user_id, member_id, mode, connection_id } = assistant;
  const membership = (await findMembershipsOfUser(user_id)).find(({ id }) => id === member_id);
  if (!membership) return null;
  const { name, email } = membership.user;
  // A team that requires company accounts accepts no assistants, because an assistant stays
  // connected when the member's company account ends.
  const proof = { by_company: false, second_factor: assistant.factor_proven };
  if (findMissingSignInRequirement(membership.organization, proof, config().oidc !== null)) return null;
  const role = parseRole(membership.role);
  const member = await asMember(
    { ...membership, role },
    { id: user_id, name, email, session_id: connection_id },
    mode,
    ip,
  );
  return { ...member, plan: membership.organization.plan };
}

/** Returns the user's membership in the page's team, or null when the user is not a member. */
export async function findCurrentMembership(headers: Headers) {
  const { scope, user, signed_in } = await readSessionContext(headers);
  if (!scope || !user) return null;
  const membership = (await findMembershipsOfUser(user.id)).find(
    ({ organizationId }) => organizationId === scope.team_id,
  );
  const factor_proven = getRequirementsMetBySignInMethod(signed_in?.opened.signedInWith).second_factor;
  return membership ? { member_id: membership.id, scope, user, factor_proven } : null;
}

/** Returns the caller of a download and the query parameters other than team and mode. */
export async function readScopeUserAndQueryOfDownload(request: Request) {
  const { team, mode, ...query } = Object.fromEntries(new URL(request.url).searchParams);
  const place: Place = { team_id: team ?? '', mode: mode === 'test' ? 'test' : 'live' };
  const { scope, user } = await readSessionContext(request.headers, place);
  return { scope, user, query };
}

/**
 * Returns the user of a request's session, or null without a session. The user may have no team.
 */
export async function findSignedInUser({ headers }: Request): Promise<SignedInUser | null> {
  return (await readSessionContext(headers)).signed_in;
}

/** Makes another of the user's teams the session's active team. Throws `resource_missing`. */
export async function switchTeam(user: SignedInUser, team_id: string): Promise<void> {
  const memberships = await findMembershipsOfUser(user.id);
  if (!memberships.some((item) => item.organizationId === team_id)) {
    throw new AppError('resource_missing', { message: createRefusal('not_in_this_team') });
  }
  await setActiveTeam(user.session_id, team_id);
}

/** Sets the user's dashboard language, which applies on all devices. */
export async function saveUserLocale(user: SignedInUser, locale: HostLocale): Promise<void> {
  await setUserLocale(user.id, locale);
}
