/**
 * The limits of a plan (specification "What the service does", design "Plans" and "Plans, for
 * people"). The free plan includes one live property, and all of test mode in the dashboard. The
 * operator can raise a Pro team's limits, which are stored in the team's row.
 */

import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Mode } from '@/shared/scope';

/** The columns of a team that determine its limits. */
export interface TeamPricePlanColumns {
  /** `free` or `pro`. Any other value is treated as free. */
  plan: string;
  /** The maximum number of properties. Null means the plan's default. */
  property_limit: number | null;
  packet_limit: number | null;
}

export interface PricePlanLimits {
  properties: number;
  /** The maximum number of active packets per property. */
  active_packets: number;
  /** The maximum number of mails with a packet to guests in 24 hours. Null means unlimited. */
  mails_a_day: number | null;
}

const PRO: PricePlanLimits = { properties: 25, active_packets: 5, mails_a_day: null };
/** The mail limit is low, because spammers can get the free plan too. */
const FREE_LIVE: PricePlanLimits = { properties: 1, active_packets: 5, mails_a_day: 30 };

export function isProPlan(team: Pick<TeamPricePlanColumns, 'plan'>): boolean {
  return team.plan === 'pro';
}

/** Returns the limits that apply. In test mode every plan has the limits of Pro. */
export function getPricePlanLimits(team: TeamPricePlanColumns, mode: Mode): PricePlanLimits {
  if (!isProPlan(team)) return mode === 'test' ? PRO : FREE_LIVE;
  return {
    ...PRO,
    properties: team.property_limit ?? PRO.properties,
    active_packets: team.packet_limit ?? PRO.active_packets,
  };
}

/**
 * Throws property_limit_reached, or plan_required for a live property on the free plan. Call it
 * before creating a property. `existing` is the number of the team's properties in the mode.
 */
export function assertCanCreateProperty(team: TeamPricePlanColumns, mode: Mode, existing: number): void {
  const { properties } = getPricePlanLimits(team, mode);
  if (existing < properties) return;
  if (!isProPlan(team) && mode === 'live') {
    throw new AppError('plan_required', { message: createRefusal('free_has_one_property') });
  }
  throw new AppError('property_limit_reached', { message: createRefusal('plan_allows_properties', { properties }) });
}

/** Throws packet_limit_reached. Call it before creating or restoring a packet. */
export function assertCanAddPacket(team: TeamPricePlanColumns, mode: Mode, active: number): void {
  const { active_packets } = getPricePlanLimits(team, mode);
  if (active < active_packets) return;
  throw new AppError('packet_limit_reached', {
    message: createRefusal('plan_allows_packets', { packets: active_packets }),
  });
}

/**
 * Throws rate_limit_exceeded. Call it before mailing a packet. `mailed` is the number of mails in
 * the last 24 hours.
 */
export function assertCanMailPackets(team: TeamPricePlanColumns, mode: Mode, mailed: number): void {
  const { mails_a_day } = getPricePlanLimits(team, mode);
  if (mails_a_day === null || mailed < mails_a_day) return;
  throw new AppError('rate_limit_exceeded', {
    message: createRefusal('free_mails_a_day', { mails: mails_a_day }),
    retryAfter: 3600,
  });
}
