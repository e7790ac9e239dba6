/** What the dashboard's home asks for. */
import { z } from 'zod';

export const ActivityQuery = z.strictObject({
  /** The IANA zone whose days are counted; one that is not known is UTC. */
  timezone: z.string().max(64),
});

/** The last 30 days, the oldest first; quiet days are there with zeros. */
export const Activity = z.object({
  days: z.array(z.object({ day: z.iso.date(), created: z.int(), sent: z.int(), signed: z.int() })),
});
export type Activity = z.infer<typeof Activity>;

/** Which of the first steps are done; `property_id` is where the packet is to be written. */
export const FirstSteps = z.object({
  property: z.boolean(),
  property_id: z.string().nullable(),
  packet: z.boolean(),
  test_signature: z.boolean(),
  key: z.boolean(),
  endpoint: z.boolean(),
});
export type FirstSteps = z.infer<typeof FirstSteps>;
