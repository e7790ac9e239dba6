/** Limits on mails in 24 hours, by a team and to one address (docs/operating.md). Pure. */
import { createRefusal, type Refusal } from '@/shared/refusals/refusal';

const DAY_MS = 86_400_000;
export const WINDOW_MS = DAY_MS;

/** The age until which a team is new. Spammers only have new accounts. */
export const NEW_TEAM_AGE_MS = 14 * DAY_MS;

/** Mails in 24 hours by a team, except those to its own members. */
export const TEAM_DAILY_LIMITS = { free: { new: 40, settled: 100 }, pro: { new: 500, settled: 1_000 } } as const;
/** Mails for each property of a Pro team's limit, if that is more. */
const PROPERTY_A_DAY = { new: 20, settled: 40 } as const;

/**
 * Mails to one address: from one team, from all teams, and to a member about the team's own
 * affairs.
 */
export const RECIPIENT_DAILY_LIMITS = { team: 40, all: 80, member: 200 } as const;

/** The most addresses to which a share link mails codes, however often it is opened. */
export const MAX_SHARED_LINK_ADDRESSES = 3;

/** Mails to the team's own members, whose addresses are confirmed, so they are not spam. */
export const MEMBER_MAILS: readonly string[] = [
  'guest_reply',
  'late_alert',
  'sync_failing',
  'sync_cancelled',
  'sync_asks',
  'sync_asks_stays',
  'sync_empty',
  'same_nights',
  'endpoint_warning',
  'endpoint_disabled',
  'endpoint_digest',
  'domain_lapsed',
];

/** Mails that are still useful a day later, so they are delayed instead of refused. */
export const DELAYABLE_MAILS: readonly string[] = ['signed_copy'];

export interface BudgetedTeam {
  plan: string;
  property_limit: number | null;
  created_at: Date;
}

/** Returns the team's budget, by its plan and its age. */
export function getTeamBudget({ plan, property_limit, created_at }: BudgetedTeam, now: Date): number {
  const age = now.getTime() - created_at.getTime() < NEW_TEAM_AGE_MS ? 'new' : 'settled';
  if (plan !== 'pro') return TEAM_DAILY_LIMITS.free[age];
  return Math.max(TEAM_DAILY_LIMITS.pro[age], (property_limit ?? 0) * PROPERTY_A_DAY[age]);
}

/** Mails of the last 24 hours. */
export interface MailCounts {
  /** Mails from the team to anyone but its members. */
  by_team: number;
  /** Mails from the team to this recipient. */
  to_recipient: number;
  /** Mails from all teams to this recipient. */
  to_recipient_by_all: number;
}

/** Returns why another mail of the template may not be sent now, or null. */
export function findBudgetRefusal(template: string, team: BudgetedTeam, mailed: MailCounts, now: Date): Refusal | null {
  if (MEMBER_MAILS.includes(template)) {
    const { member } = RECIPIENT_DAILY_LIMITS;
    return mailed.to_recipient < member ? null : createRefusal('member_mails_a_day', { mails: member });
  }
  const budget = getTeamBudget(team, now);
  if (mailed.by_team >= budget) return createRefusal('team_mails_a_day', { mails: budget });
  const few =
    mailed.to_recipient < RECIPIENT_DAILY_LIMITS.team && mailed.to_recipient_by_all < RECIPIENT_DAILY_LIMITS.all;
  return few ? null : createRefusal('address_mails_a_day');
}
