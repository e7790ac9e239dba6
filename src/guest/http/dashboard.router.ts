/** The dashboard's preview of the signing page. Here, and not with the packets: no module knows the guests' pages. */
import { z } from 'zod';
import { memberProcedure, router } from '@/api/trpc/procedures';
import { readSender, readTeamName } from '@/modules/accounts/sender.service';
import { previewContent } from '@/modules/packets/host.service';
import { PacketContent } from '@/modules/packets/schemas';
import { retrieveProperty } from '@/modules/properties/service';
import { brandOf } from '@/modules/signing/display';
import { clock } from '@/shared/clock';
import { GUEST_LOCALES, type GuestLocale } from '@/shared/guest-text/locale';
import { renderPreview } from './preview';

const Preview = z.strictObject({
  property_id: z.string(),
  packet_id: z.string().optional(),
  content: PacketContent.optional(),
  /** What is being typed in the property's form, in place of what is stored. */
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
  /** The signing page of a guest who does not exist, as HTML. A mutation for its size alone: it changes nothing. */
  preview: memberProcedure
    .input(Preview)
    .output(z.object({ html: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const property = await retrieveProperty(ctx.scope, input.property_id);
      const { row, content } = await previewContent(ctx.scope, input);
      const brand = brandOf({ ...property, ...input.branding });
      const { photo_required, required_acceptances } = property;
      const sender = { ...(await readSender(ctx.scope)), team_name: await readTeamName(ctx.scope) };
      const asked = { photo_required, required_acceptances };
      const page = { brand, sender, ...asked, packet: row, content, locale: input.locale, now: clock().now() };
      return { html: await renderPreview(page) };
    }),
});
