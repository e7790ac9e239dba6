/** The operations on certificates. */
import { hostSees } from '@/api/trpc/host-part';
import { operation, router } from '@/api/trpc/procedures';
import { toList } from '@/shared/list';
import { HostCertificate, HostCertificateList } from './host.schemas';
import * as host from './host.service';
import * as schemas from './schemas';
import { serializeCertificate } from './serializer';
import * as service from './service';

const read = { method: 'GET', tag: 'Certificates', scope: 'certificates:read' } as const;

export const certificatesRouter = router({
  list: operation({
    ...read,
    path: '/certificates',
    summary: 'List certificates',
    description: 'One per signed reservation.',
  })
    .input(schemas.CertificateListQuery)
    .output(hostSees(schemas.CertificateList, HostCertificateList))
    .query(async ({ ctx, input }) => {
      const page = await service.listCertificates(ctx.scope, input);
      const show = ctx.by_host ? await host.rowsForHost(ctx.scope, page.data) : serializeCertificate;
      return toList(page, '/v1/certificates', show);
    }),

  retrieve: operation({
    ...read,
    path: '/certificates/{id}',
    summary: 'Retrieve a certificate',
    description: 'With the audit trail: the snapshot, its hash and the hash-chained entries.',
    errors: ['resource_missing'],
    etag: true,
  })
    .input(schemas.CertificateId)
    .output(hostSees(schemas.CertificateWithTrail, HostCertificate))
    .query(async ({ ctx, input }) => {
      const head = await service.retrieveHead(ctx.scope, input.id);
      const certificate = await service.withTrail(ctx.scope, head);
      return ctx.by_host ? { ...certificate, ...(await host.factsForHost(ctx.scope, head)) } : certificate;
    }),

  download: operation({
    ...read,
    path: '/certificates/{id}/download',
    success_status: 302,
    summary: 'Download the PDF',
    description: 'Redirects to the public PDF, reached through the verify token.',
    errors: ['resource_missing', 'certificate_redacted'],
  })
    .input(schemas.CertificateId)
    .output(schemas.CertificateDownload)
    .query(async ({ ctx, input }) => {
      ctx.reply.headers.Location = await service.downloadUrl(ctx.scope, input.id);
      return {};
    }),
});
