/**
 * What a plan allows (specification "What the service does", DESIGN "Plans"). The operator can raise a team's caps by
 * an add-on, which is a number on the team's row.
 */
import { AppError } from '@/shared/errors';

export const PLANS = ['free', 'pro'] as const;
export type Plan = (typeof PLANS)[number];

/** The part of a team's row that the rules read. */
export interface TeamPlan {
  /** `free` or `pro`; anything else allows what free does. */
  plan: string;
  /** The whole cap, not an addition; null means the plan's own. */
  property_limit: number | null;
  packet_limit: number | null;
}

export interface PlanLimits {
  properties: number;
  /** Active packets of each property. */
  active_packets: number;
}

const PRO: PlanLimits = { properties: 25, active_packets: 5 };

export function isPro(team: TeamPlan): boolean {
  return team.plan === 'pro';
}

/** The caps in force; null on the free plan, which has none of these resources to count. */
export function planLimits(team: TeamPlan): PlanLimits | null {
  if (!isPro(team)) return null;
  return {
    properties: team.property_limit ?? PRO.properties,
    active_packets: team.packet_limit ?? PRO.active_packets,
  };
}

/** For the operations whose table row lists 402. Throws plan_required on the free plan. */
export function assertPro(team: TeamPlan): PlanLimits {
  const limits = planLimits(team);
  if (!limits) throw new AppError('plan_required');
  return limits;
}

/** Before a property is created; `existing` counts the team's properties of the mode. Throws plan_required, property_limit_reached. */
export function assertCanCreateProperty(team: TeamPlan, existing: number): void {
  const { properties } = assertPro(team);
  if (existing < properties) return;
  throw new AppError('property_limit_reached', { message: `The plan allows ${properties} properties.` });
}

/**
 * Before a packet is created or restored; `active` counts the property's active packets.
 * Throws plan_required, packet_limit_reached.
 */
export function assertCanAddPacket(team: TeamPlan, active: number): void {
  const { active_packets } = assertPro(team);
  if (active < active_packets) return;
  throw new AppError('packet_limit_reached', {
    message: `The plan allows ${active_packets} active packets for each property.`,
  });
}
