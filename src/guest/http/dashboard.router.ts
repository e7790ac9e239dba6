/**
 * Renders previews of the signing page for the dashboard. This file is not in a module, because
 * modules may not import the guest pages.
 */
import { z } from 'zod';
import { anyRoleProcedure, router } from '@/api/trpc/procedures';
import { readTeamName, readTeamSenderDetails } from '@/modules/accounts/team.service';
import { loadPacketPreviewContent } from '@/modules/packets/host.service';
import { PacketContent } from '@/modules/packets/schemas';
import { retrieveProperty } from '@/modules/properties/service';
import { toPropertyBrandView } from '@/modules/signing/display';
import { clock } from '@/shared/clock';
import { GUEST_LOCALES, type GuestLocale } from '@/shared/guest-text/locale';
import { renderSigningPagePreview } from './preview';

const Preview = z.strictObject({
  property_id: z.string(),
  packet_id: z.string().optional(),
  content: PacketContent.optional(),
  /** Unsaved values of the property's form, which replace the stored values. */
  branding: z
    .strictObject({
      name: z.string().max(120),
      address: z.string().max(240).nullable(),
      brand_color: z.string().max(20).nullable(),
      logo_url: z.string().max(2_000).nullable(),
    })
    .optional(),
  locale: z.enum(GUEST_LOCALES as [GuestLocale, ...GuestLocale[]]).default('en'),
});

export const signingPageRouter = router({
  /**
   * Renders the signing page of a fictitious guest as HTML. Although this is a mutation, it changes
   * nothing. The input is too large for the URL of a query.
   */
  preview: anyRoleProcedure
    .input(Preview)
    .output(z.object({ html: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const property = await retrieveProperty(ctx.scope, input.property_id);
      const { row, content } = await loadPacketPreviewContent(ctx.scope, input);
      const brand = toPropertyBrandView({ ...property, ...input.branding });
      const { photo_required, required_acceptances } = property;
      const sender = { ...(await readTeamSenderDetails(ctx.scope)), team_name: await readTeamName(ctx.scope) };
      const asked = { photo_required, required_acceptances };
      const page = { brand, sender, ...asked, packet: row, content, locale: input.locale, now: clock().now() };
      return { html: await renderSigningPagePreview(page) };
    }),
});
