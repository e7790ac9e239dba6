/** The dashboard's own procedures on packets; the public ones are in router.ts. */
import { z } from 'zod';
import { memberProcedure, router } from '@/api/trpc/procedures';
import { GUEST_LOCALES, type GuestLocale } from '@/guest/locale';
import { retrieveProperty } from '@/modules/properties/service';
import { brandOf } from '@/modules/signing/display';
import { renderPreview } from '@/modules/signing/preview';
import { clock } from '@/shared/clock';
import * as host from './host.service';
import { PacketContent, PacketId, PacketOfProperty } from './schemas';

const Save = z.strictObject({
  id: z.string(),
  changes: PacketContent,
  /** What the editor began from; null overwrites whatever is there. */
  etag: z.string().nullable(),
});

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

export const packetHostRouter = router({
  /** The variants of a property, each with what may be done with it and why not. */
  variants: memberProcedure.input(PacketOfProperty).query(({ ctx, input }) => host.listVariants(ctx.scope, input.id)),

  editor: memberProcedure.input(PacketId).query(({ ctx, input }) => host.retrieveEditable(ctx.scope, input.id)),

  save: memberProcedure
    .input(Save)
    .mutation(({ ctx, input }) => host.savePacket(ctx.scope, input.id, input.changes, input.etag)),

  revisions: memberProcedure.input(PacketId).query(({ ctx, input }) => host.listRevisions(ctx.scope, input.id)),

  /** The signing page of a guest who does not exist, as HTML. A mutation for its size alone: it changes nothing. */
  preview: memberProcedure.input(Preview).mutation(async ({ ctx, input }) => {
    const property = await retrieveProperty(ctx.scope, input.property_id);
    const { row, content } = await host.previewContent(ctx.scope, input);
    const brand = brandOf({ ...property, ...input.branding });
    const { photo_required } = property;
    const page = { brand, photo_required, packet: row, content, locale: input.locale, now: clock().now() };
    return { html: await renderPreview(page) };
  }),
});
