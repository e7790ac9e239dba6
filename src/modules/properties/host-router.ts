/** The dashboard's own procedures on properties; the public ones are in router.ts. */
import { z } from 'zod';
import { memberProcedure, router } from '@/api/trpc/procedures';
import { AppError } from '@/shared/errors';
import { endingBefore, listLimit, startingAfter } from '@/shared/schemas';
import { expectedRecords, verifyCustomDomain } from './custom-domain.service';
import * as host from './host.service';
import { PropertyId } from './schemas';
import { serializeProperty } from './serializer';
import { retrieveProperty } from './service';

const Search = z.strictObject({
  limit: listLimit,
  starting_after: startingAfter,
  ending_before: endingBefore,
  search: z.string().trim().max(120).optional(),
});

export const propertyHostRouter = router({
  /** The public list with a search; on the same plan as the public list. */
  search: memberProcedure.input(Search).query(async ({ ctx, input }) => {
    if (ctx.plan !== 'pro') throw new AppError('plan_required');
    const page = await host.searchProperties(ctx.scope, input);
    return { data: page.data.map(serializeProperty), has_more: page.has_more };
  }),

  /** The DNS records that prove the custom domain; null when the property has none. */
  domain: memberProcedure
    .input(PropertyId)
    .query(async ({ ctx, input }) => expectedRecords(await retrieveProperty(ctx.scope, input.id))),

  /** Looks the records up now. The answer says of each what was found. */
  verify_domain: memberProcedure.input(PropertyId).mutation(async ({ ctx, input }) => {
    const { property, verdict } = await verifyCustomDomain(ctx.scope, input.id);
    return { property: serializeProperty(property), verdict };
  }),
});
