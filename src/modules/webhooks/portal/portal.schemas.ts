/** The link to an endpoint's deliveries that a host gives to the receiver's developer. */
import { z } from 'zod';
import { pastedId } from '@/shared/schemas';
import { PORTAL_DAYS } from './link-terms.rules';

export const PortalId = z.strictObject({ id: pastedId });
export const PortalShare = z.strictObject({
  id: pastedId,
  days: z.union(PORTAL_DAYS.map((days) => z.literal(days)) as [z.ZodLiteral<1>, z.ZodLiteral<7>, z.ZodLiteral<30>]),
});

/** The address is known when the link is made, and never again. */
export const PortalLink = z.object({ url: z.string(), expires_at: z.iso.datetime() });
/** Until when the link works that there is; null where there is none. */
export const PortalState = z.object({ expires_at: z.iso.datetime().nullable() });
