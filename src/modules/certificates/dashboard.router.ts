/** Certificate procedures of the dashboard only. Legal hold and redaction are for owners only. */
import { coHostProcedure, ownerProcedure, router } from '@/api/trpc/procedures';
import * as schemas from './host.schemas';
import * as host from './host.service';
import * as privacy from './privacy/service';
import { Certificate, CertificateId } from './schemas';
import { serializeCertificate } from './serializer';
import { retrieveCertificateWithoutTrail } from './service';
import { verifyCertificate } from './verify/verification';

export const certificatesDashboardRouter = router({
  photo: ownerProcedure
    .input(CertificateId)
    .output(schemas.CertificatePhoto)
    .query(async ({ ctx, input }) => ({ data_url: await host.retrieveCertificatePhoto(ctx.scope, input.id) })),

  verify: coHostProcedure
    .input(CertificateId)
    .output(schemas.CertificateVerification)
    .query(async ({ ctx, input }) => {
      const { content, chain, seal, log, differences, head } = await verifyCertificate({
        scope: ctx.scope,
        head: await retrieveCertificateWithoutTrail(ctx.scope, input.id),
      });
      const log_index = log.state === 'included' ? log.proof.leaf_index : null;
      return {
        content,
        chain,
        seal,
        log: { state: log.state, index: log_index },
        differences,
        pdf_sha256: head.pdf_sha256,
      };
    }),

  set_legal_hold: ownerProcedure
    .input(schemas.LegalHoldInput)
    .output(Certificate)
    .mutation(async ({ ctx, input }) =>
      serializeCertificate(await privacy.setLegalHold(ctx.scope, input.id, input.legal_hold)),
    ),

  set_copy_revoked: ownerProcedure
    .input(schemas.GuestCertificateCopyRevocationInput)
    .output(Certificate)
    .mutation(async ({ ctx, input }) =>
      serializeCertificate(await privacy.setGuestCertificateCopyRevoked(ctx.scope, input.id, input.revoked)),
    ),

  redact: ownerProcedure
    .input(schemas.CertificateRedactionInput)
    .output(Certificate)
    .mutation(async ({ ctx, input }) => serializeCertificate(await privacy.redactCertificate(ctx.scope, input.id))),
});
