/** The operations on certificates. */
import { operation, router } from '@/api/trpc/procedures';
import { toList } from '@/shared/list';
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
    .output(schemas.CertificateList)
    .query(async ({ ctx, input }) =>
      toList(await service.listCertificates(ctx.scope, input), '/v1/certificates', serializeCertificate),
    ),

  retrieve: operation({
    ...read,
    path: '/certificates/{id}',
    summary: 'Retrieve a certificate',
    description: 'With the audit trail: the snapshot, its hash and the hash-chained entries.',
    errors: ['resource_missing'],
    etag: true,
  })
    .input(schemas.CertificateId)
    .output(schemas.CertificateWithTrail)
    .query(({ ctx, input }) => service.retrieveCertificate(ctx.scope, input.id)),

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
