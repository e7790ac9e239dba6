/** Property procedures of the dashboard only. router.ts contains the API's operations. */
import { anyRoleProcedure, liveAndTestModeProcedure, memberProcedure, router } from '@/api/trpc/procedures';
import { copyPropertyToOtherMode } from './copy/service';
import { getExpectedDnsRecords, verifyCustomDomain } from './domains/custom-domain.service';
import { getCustomDomainStatus } from './domains/health.service';
import * as schemas from './host.schemas';
import { uploadLogo } from './logo/service';
import * as texts from './mail-texts/schemas';
import {
  previewPropertyMailText,
  retrievePropertyMailText,
  savePropertyMailText,
  sendTestMailWithText,
} from './mail-texts/service';
import { Property, PropertyId } from './schemas';
import { serializeProperty } from './serializer';
import { retrieveProperty } from './service';

export const propertiesDashboardRouter = router({
  domain: anyRoleProcedure
    .input(PropertyId)
    .output(schemas.RequiredDomainDnsRecords)
    .query(async ({ ctx, input }) => {
      const property = await retrieveProperty(ctx.scope, input.id);
      const expected = getExpectedDnsRecords(property);
      return expected && { ...expected, ...getCustomDomainStatus(property) };
    }),

  /** Returns the copy's id and mode. */
  copy_to_other_mode: liveAndTestModeProcedure
    .input(PropertyId)
    .output(schemas.IdAndModeOfPropertyCopy)
    .mutation(async ({ ctx, input }) => copyPropertyToOtherMode(ctx.scope, input.id)),

  upload_logo: memberProcedure
    .input(schemas.LogoUpload)
    .output(Property)
    .mutation(async ({ ctx, input }) =>
      serializeProperty(await uploadLogo(ctx.scope, input.id, Buffer.from(input.picture, 'base64'))),
    ),

  mail_text: anyRoleProcedure
    .input(texts.PropertyMailTextQuery)
    .output(texts.PropertyMailText)
    .query(({ ctx, input: { id, ...which } }) => retrievePropertyMailText(ctx.scope, id, which)),

  save_mail_text: memberProcedure
    .input(texts.PropertyMailTextInput)
    .output(texts.PropertyMailText)
    .mutation(({ ctx, input }) => savePropertyMailText(ctx.scope, input)),

  /** Changes nothing. It is a mutation because its input is too long for a URL. */
  preview_mail_text: memberProcedure
    .input(texts.PropertyMailTextInput)
    .output(texts.PropertyMailTextPreview)
    .mutation(({ ctx, input }) => previewPropertyMailText(ctx.scope, input)),

  send_mail_text_test: memberProcedure
    .input(texts.PropertyMailTextInput)
    .output(texts.PropertyMailTextTestResult)
    .mutation(({ ctx, input }) => sendTestMailWithText(ctx.scope, ctx.user, input)),

  /** Looks up the domain's DNS records and returns them. */
  verify_domain: memberProcedure
    .input(PropertyId)
    .output(schemas.DomainCheckResult)
    .mutation(async ({ ctx, input }) => {
      const { property, verdict } = await verifyCustomDomain(ctx.scope, input.id);
      return { property: serializeProperty(property), verdict };
    }),
});
