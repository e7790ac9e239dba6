/** Inputs and outputs of the dashboard's home page. */
import { z } from 'zod';
import { PricingPlan } from '@/modules/accounts/schemas';

export const RecentActivityQuery = z.strictObject({
  /**
   * The IANA time zone that determines where each day begins. An unknown zone is treated as UTC.
   */
  timezone: z.string().max(64),
});

/** The last 30 days, oldest first. Days without events are included with zeros. */
export const RecentActivity = z.object({
  days: z.array(z.object({ day: z.iso.date(), created: z.int(), sent: z.int(), signed: z.int() })),
});
export type RecentActivity = z.infer<typeof RecentActivity>;

export const StaySigningRateQuery = z.strictObject({ property_id: z.string().max(100) });

/**
 * The number of stays that began in the last `days` days, and how many of them were signed or
 * marked as signed.
 */
export const StaySigningRate = z.object({ days: z.int(), stays: z.int(), signed: z.int() });
export type StaySigningRate = z.infer<typeof StaySigningRate>;

/**
 * Which onboarding steps are done: the steps for a live property, and the practice steps in test
 * mode.
 */
export const OnboardingProgress = z.object({
  property: z.boolean(),
  /** The oldest live property. Null if there is none. */
  property_id: z.string().nullable(),
  packet: z.boolean(),
  calendar: z.boolean(),
  /** The newest test-mode reservation that can still be signed. */
  test_reservation_id: z.string().nullable(),
  test_signature: z.boolean(),
});
export type OnboardingProgress = z.infer<typeof OnboardingProgress>;

export const PricePlanUsageInMode = z.object({
  limits: z.object({ properties: z.int(), active_packets: z.int(), mails_a_day: z.int().nullable() }),
  properties: z.int(),
  active_packets: z.int(),
  /**
   * The property with the most active packets, because the packet limit applies to each property.
   */
  fullest_property: z.object({ id: z.string(), name: z.string(), active_packets: z.int() }).nullable(),
  api_keys: z.int(),
  webhook_endpoints: z.int(),
});
export type PricePlanUsageInMode = z.infer<typeof PricePlanUsageInMode>;

export const PricePlanUsage = z.object({
  plan: PricingPlan,
  limits: z.object({
    api_keys: z.int(),
    webhook_endpoints: z.int(),
    reads_per_minute: z.int(),
    writes_per_minute: z.int(),
  }),
  live: PricePlanUsageInMode,
  test: PricePlanUsageInMode,
});
export type PricePlanUsage = z.infer<typeof PricePlanUsage>;
