/** The operations on certificates. */
import { defineInputWithExtraFieldsForHosts, defineOutputWithExtraFieldsForHosts } from '@/api/trpc/host-part';
import { defineApiOperation, router } from '@/api/trpc/procedures';
import { toListEnvelope } from '@/shared/lists/pagination';
import { buildDisputePackUrlOfSealedCertificate } from './dispute-pack/pack';
import { DisputePackLink, HostCertificate, HostCertificateList, HostCertificateListQuery } from './host.schemas';
import * as host from './host.service';
import * as schemas from './schemas';
import { serializeCertificate } from './serializer';
import * as service from './service';
import { readSealedEvidence } from './verify/sealed-evidence';

const read = { method: 'GET', tag: 'Certificates', scope: 'certificates:read' } as const;

export const certificatesRouter = router({
  list: defineApiOperation({
    ...read,
    path: '/certificates',
    summary: 'List certificates',
    description:
      'One per signed reservation. The list returns stored values and does not check them against the sealed PDFs.',
  })
    .input(defineInputWithExtraFieldsForHosts(schemas.CertificateListQuery, HostCertificateListQuery))
    .output(defineOutputWithExtraFieldsForHosts(schemas.CertificateList, HostCertificateList))
    .query(async ({ ctx, input }) =>
      ctx.by_host
        ? toListEnvelope(await host.listCertificatesForHost(ctx.scope, input), '/v1/certificates', (shown) => shown)
        : toListEnvelope(await service.listCertificates(ctx.scope, input), '/v1/certificates', serializeCertificate),
    ),

  retrieve: defineApiOperation({
    ...read,
    path: '/certificates/{id}',
    summary: 'Retrieve a certificate',
    description:
      'Includes the audit trail: the snapshot, its hash and the hash-chained entries. The seal is checked first, and the values come from the sealed PDF. `evidence` names stored fields that differ.',
    errors: ['resource_missing'],
    etag: true,
  })
    .input(schemas.CertificateId)
    .output(defineOutputWithExtraFieldsForHosts(schemas.CertificateWithTrail, HostCertificate))
    .query(async ({ ctx, input }) => {
      const head = await service.retrieveCertificateWithoutTrail(ctx.scope, input.id);
      const reading = await readSealedEvidence({ scope: ctx.scope, head });
      const certificate = service.serializeCertificateEvidence(reading);
      if (!ctx.by_host) return certificate;
      const trail_actors = await host.loadTrailActorsByEntrySeq(ctx.scope, certificate.audit_trail.entries);
      return { ...certificate, ...(await host.loadHostOnlyCertificateFields(reading)), trail_actors };
    }),

  download: defineApiOperation({
    ...read,
    path: '/certificates/{id}/download',
    success_status: 302,
    summary: 'Download the PDF',
    description: 'Redirects to the PDF. Its URL needs no key and works for 15 minutes.',
    errors: ['resource_missing', 'certificate_redacted'],
  })
    .input(schemas.CertificateId)
    .output(schemas.CertificateDownload)
    .query(async ({ ctx, input }) => {
      ctx.reply.headers.Location = await service.createCertificateDownloadUrl(ctx.scope, input.id);
      return {};
    }),

  dispute_pack: defineApiOperation({
    ...read,
    path: '/certificates/{id}/dispute_pack',
    success_status: 302,
    stability: 'beta',
    summary: 'Download the dispute pack',
    description:
      'Redirects to a ZIP that can be downloaded for 15 minutes: a sealed summary of one page, the sealed PDF, the audit trail, the log of mails, later accesses and the guest’s photo. For a redacted certificate it contains what remains.',
    errors: ['resource_missing'],
  })
    .input(schemas.CertificateId)
    .output(defineOutputWithExtraFieldsForHosts(schemas.DisputePack, DisputePackLink))
    .query(async ({ ctx, input }) => {
      // Only owners and API keys see the photo. An API key has an owner's rights.
      const photo = ctx.user === null || ctx.user.role === 'owner';
      const url = await buildDisputePackUrlOfSealedCertificate(ctx.scope, input.id, photo);
      ctx.reply.headers.Location = url;
      return { url };
    }),
});
