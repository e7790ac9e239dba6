/** The dashboard's own procedures on properties; those that partners have too are in router.ts. */
import { memberProcedure, router } from '@/api/trpc/procedures';
import { expectedRecords, verifyCustomDomain } from './custom-domain.service';
import * as schemas from './host.schemas';
import { uploadLogo } from './logo/service';
import { Property, PropertyId } from './schemas';
import { serializeProperty } from './serializer';
import { retrieveProperty } from './service';

export const propertiesDashboardRouter = router({
  domain: memberProcedure
    .input(PropertyId)
    .output(schemas.DomainRecordsToSet)
    .query(async ({ ctx, input }) => expectedRecords(await retrieveProperty(ctx.scope, input.id))),

  upload_logo: memberProcedure
    .input(schemas.LogoUpload)
    .output(Property)
    .mutation(async ({ ctx, input }) =>
      serializeProperty(await uploadLogo(ctx.scope, input.id, Buffer.from(input.picture, 'base64'))),
    ),

  /** Looks the records up now. The answer says of each what was found. */
  verify_domain: memberProcedure
    .input(PropertyId)
    .output(schemas.DomainCheck)
    .mutation(async ({ ctx, input }) => {
      const { property, verdict } = await verifyCustomDomain(ctx.scope, input.id);
      return { property: serializeProperty(property), verdict };
    }),
});
