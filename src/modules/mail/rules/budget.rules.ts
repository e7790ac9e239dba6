/**
 * Limits on the mails that a team may send, and that one address may receive, in 24 hours
 * (docs/operating.md). Pure.
 */
import { createRefusal, type Refusal } from '@/shared/refusals/refusal';

const DAY_MS = 86_400_000;
export const MAIL_BUDGET_WINDOW_MS = DAY_MS;

/**
 * The age at which a team gets its full budget. Younger teams have a smaller budget, because
 * spammers use new accounts.
 */
export const MIN_TEAM_AGE_FOR_FULL_MAIL_BUDGET_MS = 14 * DAY_MS;

/** The number of mails that a team may send in 24 hours, not counting mails to its own members. */
export const TEAM_DAILY_MAIL_LIMITS = { free: { new: 40, settled: 100 }, pro: { new: 500, settled: 1_000 } } as const;
/**
 * The number of mails in 24 hours for each property that the operator allows a Pro team to have
 * (`property_limit`). If the total is higher than the number in TEAM_DAILY_MAIL_LIMITS, the total
 * is the team's budget.
 */
const PROPERTY_A_DAY = { new: 20, settled: 40 } as const;

/**
 * The number of mails that one address may get in 24 hours. `team`: from one team. `all`: from all
 * teams. `member`: from a team to its own member.
 */
export const RECIPIENT_DAILY_MAIL_LIMITS = { team: 40, all: 80, member: 200 } as const;

/** The maximum number of addresses to which a reservation's share link mails codes. */
export const MAX_CODE_RECIPIENTS_PER_SHARE_LINK = 3;

/**
 * Templates of mails to the team's own members. They cannot be spam, because members have confirmed
 * their addresses.
 */
export const MEMBER_MAIL_TEMPLATES: readonly string[] = [
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

/**
 * Templates of mails that are still useful a day later. Such mails are delayed instead of refused.
 */
export const DELAYABLE_MAIL_TEMPLATES: readonly string[] = ['signed_copy'];

export interface TeamMailBudgetFields {
  plan: string;
  property_limit: number | null;
  created_at: Date;
}

/** Returns the number of mails that the team may send in 24 hours, by its plan and age. */
export function computeTeamDailyMailLimit(
  { plan, property_limit, created_at }: TeamMailBudgetFields,
  now: Date,
): number {
  const age = now.getTime() - created_at.getTime() < MIN_TEAM_AGE_FOR_FULL_MAIL_BUDGET_MS ? 'new' : 'settled';
  if (plan !== 'pro') return TEAM_DAILY_MAIL_LIMITS.free[age];
  return Math.max(TEAM_DAILY_MAIL_LIMITS.pro[age], (property_limit ?? 0) * PROPERTY_A_DAY[age]);
}

/** The numbers of mails in the last 24 hours. */
export interface RecentMailCounts {
  /** The number of mails from the team, not counting mails to its members. */
  by_team: number;
  /** The number of mails from the team to this recipient. */
  to_recipient: number;
  /** The number of mails from all teams to this recipient. */
  to_recipient_by_all: number;
}

/** Returns the reason why another mail with the template may not be sent now, or null. */
export function findMailBudgetRefusal(
  template: string,
  team: TeamMailBudgetFields,
  mailed: RecentMailCounts,
  now: Date,
): Refusal | null {
  if (MEMBER_MAIL_TEMPLATES.includes(template)) {
    const { member } = RECIPIENT_DAILY_MAIL_LIMITS;
    return mailed.to_recipient < member ? null : createRefusal('member_mails_a_day', { mails: member });
  }
  const budget = computeTeamDailyMailLimit(team, now);
  if (mailed.by_team >= budget) return createRefusal('team_mails_a_day', { mails: budget });
  const few =
    mailed.to_recipient < RECIPIENT_DAILY_MAIL_LIMITS.team &&
    mailed.to_recipient_by_all < RECIPIENT_DAILY_MAIL_LIMITS.all;
  return few ? null : createRefusal('address_mails_a_day');
}
