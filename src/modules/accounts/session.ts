/**
 * From a browser's headers to what a request may touch. Authentication is a session cookie; the team is the page's
 * own (header), else the session's active one, else the user's first; the mode is the page's own (header), else the
 * switch's (cookie), else live. A link has no headers: a download has both in its address.
 */

import { mailIsSent } from '@/modules/mail/service';
import { AppError } from '@/shared/errors';
import { type HostLocale, hostLocale } from '@/shared/language/host-language';
import { refusal } from '@/shared/refusals/refusal';
import type { Mode, Scope } from '@/shared/scope';
import { isOperator } from './operators';
import { findMemberships, setActiveTeam, setLocale } from './repository';
import type { Me, Plan, Role } from './schemas';
import { CLIENT_ADDRESS_HEADER, MODE_COOKIE, MODE_HEADER, readCookie, TEAM_HEADER } from './session-headers';
import { auth } from './sign-in/auth';

export interface SignedInUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly two_factor_enabled: boolean;
  readonly session_id: string;
}

export interface SessionContext {
  /** Null without a session, and for a user who is in no team yet. */
  readonly scope: Scope | null;
  readonly user: { id: string; name: string; email: string; role: Role; session_id: string } | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  /** The session itself, also of a user without a team. */
  readonly signed_in: SignedInUser | null;
  /** What the interface shows of all this; null when scope is. */
  readonly me: Me | null;
}

/** The mode a request is in: the page's header before the switch's cookie, so that a tab never shows the other mode's data. */
export function modeOf(headers: Headers): Mode {
  const wanted = headers.get(MODE_HEADER) ?? readCookie(headers.get('cookie'), MODE_COOKIE);
  return wanted === 'test' ? 'test' : 'live';
}

/** Where a request was made from; no team: nowhere yet, as it is a page that is asked for. */
interface Place {
  readonly team_id: string | null;
  readonly mode: Mode;
}

const placeOf = (headers: Headers): Place => ({ team_id: headers.get(TEAM_HEADER), mode: modeOf(headers) });

/**
 * Everything the dashboard's procedures need to know of the caller. Two or three indexed reads. A page of a team that the
 * user is not in gets no scope, as if nobody were signed in: it signs in anew, and so is loaded in a team of the user's.
 */
export async function sessionContext(headers: Headers, place = placeOf(headers)): Promise<SessionContext> {
  const caller = { ip: headers.get(CLIENT_ADDRESS_HEADER), user_agent: headers.get('user-agent') };
  const nobody = { scope: null, user: null, signed_in: null, me: null, ...caller };
  const found = await auth().api.getSession({ headers });
  if (!found) return nobody;
  const { user, session } = found;
  const signed_in: SignedInUser = {
    id: user.id,
    name: user.name,
    email: user.email,
    email_verified: user.emailVerified,
    two_factor_enabled: user.twoFactorEnabled ?? false,
    session_id: session.id,
  };
  const memberships = await findMemberships(user.id);
  const inTeam = (id: unknown) => memberships.find((item) => item.organizationId === id);
  const current =
    place.team_id === null ? (inTeam(session.activeOrganizationId) ?? memberships[0]) : inTeam(place.team_id);
  if (!current) return { ...nobody, signed_in };
  const role = current.role as Role;
  const { mode } = place;
  const { id, name, email, email_verified, two_factor_enabled, session_id } = signed_in;
  return {
    ...caller,
    scope: { team_id: current.organizationId, mode, actor: { kind: 'user', id, name, role }, ip: caller.ip },
    user: { id, name, email, role, session_id },
    signed_in,
    me: {
      user: { id, name, email, email_verified, two_factor_enabled, role, locale: hostLocale(current.user.locale) },
      team: { id: current.organization.id, name: current.organization.name, plan: current.organization.plan as Plan },
      teams: memberships.map((item) => ({
        id: item.organizationId,
        name: item.organization.name,
        role: item.role as Role,
      })),
      mode,
      mail_is_sent: mailIsSent(),
      operator: await isOperator(signed_in, memberships),
    },
  };
}

/** The caller of a download, whose address has to say team and mode, and the rest of its query. */
export async function downloadSession(request: Request) {
  const { team, mode, ...query } = Object.fromEntries(new URL(request.url).searchParams);
  const place: Place = { team_id: team ?? '', mode: mode === 'test' ? 'test' : 'live' };
  const { scope, user } = await sessionContext(request.headers, place);
  return { scope, user, query };
}

/** Opens another of the user's teams in this session. Throws `resource_missing` for a team the user is not in. */
export async function switchTeam(user: SignedInUser, team_id: string): Promise<void> {
  const memberships = await findMemberships(user.id);
  if (!memberships.some((item) => item.organizationId === team_id)) {
    throw new AppError('resource_missing', { message: refusal('not_in_this_team') });
  }
  await setActiveTeam(user.session_id, team_id);
}

/** The language in which the user is shown the dashboard from now on, wherever they sign in. */
export async function chooseLocale(user: SignedInUser, locale: HostLocale): Promise<void> {
  await setLocale(user.id, locale);
}
