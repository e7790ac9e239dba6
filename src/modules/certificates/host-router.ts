/** The dashboard's own procedures on certificates: hold and redaction are the owner's alone. */
import { z } from 'zod';
import { memberProcedure, ownerProcedure, router } from '@/api/trpc/procedures';
import { toList } from '@/shared/list';
import * as host from './host.service';
import * as privacy from './privacy/service';
import { Certificate, CertificateId, CertificateListQuery } from './schemas';
import { serializeCertificate } from './serializer';
import { retrieveHead } from './service';
import { verifyCertificate } from './verify/verification';

const HoldInput = z.strictObject({ id: z.string(), legal_hold: z.boolean() });
const CopyInput = z.strictObject({ id: z.string(), revoked: z.boolean() });
const RedactInput = z.strictObject({ id: z.string(), confirm: z.literal('redact') });

export const certificateHostRouter = router({
  list: memberProcedure.input(CertificateListQuery).query(async ({ ctx, input }) => {
    const { page, show } = await host.listForHost(ctx.scope, input);
    return toList(page, '/v1/certificates', show);
  }),
  retrieve: memberProcedure.input(CertificateId).query(({ ctx, input }) => host.retrieveForHost(ctx.scope, input.id)),
  photo: ownerProcedure
    .input(CertificateId)
    .query(async ({ ctx, input }) => ({ data_url: await host.retrievePhoto(ctx.scope, input.id) })),
  verify: memberProcedure.input(CertificateId).query(async ({ ctx, input }) => {
    const { content, chain, seal, head } = await verifyCertificate({
      scope: ctx.scope,
      head: await retrieveHead(ctx.scope, input.id),
    });
    return { content, chain, seal, pdf_sha256: head.pdf_sha256 };
  }),
  set_legal_hold: ownerProcedure
    .input(HoldInput)
    .output(Certificate)
    .mutation(async ({ ctx, input }) =>
      serializeCertificate(await privacy.setLegalHold(ctx.scope, input.id, input.legal_hold)),
    ),
  set_copy_revoked: ownerProcedure
    .input(CopyInput)
    .output(Certificate)
    .mutation(async ({ ctx, input }) =>
      serializeCertificate(await privacy.setCopyRevoked(ctx.scope, input.id, input.revoked)),
    ),
  redact: ownerProcedure
    .input(RedactInput)
    .output(Certificate)
    .mutation(async ({ ctx, input }) => serializeCertificate(await privacy.redactCertificate(ctx.scope, input.id))),
});
