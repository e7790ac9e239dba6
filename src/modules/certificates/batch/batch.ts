/** Streams a ZIP with the sealed PDFs of several certificates. */
import { inTransaction } from '@/infra/db/transaction';
import { createZipStream, type ZipInputFile } from '@/infra/zip';
import { recordAuditEntry } from '@/modules/audit-log/service';
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { readSealedPdfIfPermitted } from '../entitlement';
import { awaitFileOrGoneIfLostOrDamaged } from '../files/read';
import type { CertificateBatchSelection } from '../host.schemas';
import { listCertificatesMatchingFilters } from '../host.service';
import * as repository from '../repository';
import type { SignatureWithoutLargeColumns } from '../serializer';
import { buildCertificateFileName, createFileNameDeduplicator } from './file-name.rules';

const PAGE = 100;

/**
 * Yields the archive's bytes. The archive contains a text file that lists certificates without a
 * PDF.
 */
export const streamCertificateArchive = (scope: Scope, batch: CertificateBatchSelection): AsyncGenerator<Uint8Array> =>
  createZipStream(files(scope, batch), clock().now());

async function* files(scope: Scope, batch: CertificateBatchSelection): AsyncGenerator<ZipInputFile> {
  const distinct = createFileNameDeduplicator();
  const missing: string[] = [];
  let count = 0;
  for await (const heads of pages(scope, batch)) {
    const properties = await repository.findProperties(
      scope,
      heads.map((head) => head.property_id),
    );
    for (const head of heads) {
      const name = buildCertificateFileName(head, properties.get(head.property_id));
      const bytes = await awaitFileOrGoneIfLostOrDamaged(readSealedPdfIfPermitted('team', scope, head.id));
      if (bytes === 'gone') missing.push(`${head.id}  lost or damaged`);
      else if (bytes) {
        count += 1;
        yield { name: distinct(name), bytes, compress: false };
      } else missing.push(`${head.id}  ${head.redacted_at ? 'redacted' : 'not sealed yet'}`);
    }
  }
  await inTransaction(scope, () =>
    recordAuditEntry(scope, { action: 'certificate.downloaded', data: { files: count } }),
  );
  if (missing.length === 0) return;
  const text = `Without a file:\n\n${missing.join('\n')}\n`;
  yield { name: 'without-file.txt', bytes: Buffer.from(text, 'utf8'), compress: true };
}

async function* pages(
  scope: Scope,
  { ids, ...filters }: CertificateBatchSelection,
): AsyncGenerator<SignatureWithoutLargeColumns[]> {
  if (ids) return yield await repository.findSignaturesWithoutLargeColumns(scope, ids);
  let starting_after: string | undefined;
  for (;;) {
    const { data, has_more } = await listCertificatesMatchingFilters(scope, {
      ...filters,
      limit: PAGE,
      starting_after,
    });
    yield data;
    starting_after = data.at(-1)?.id;
    if (!has_more || starting_after === undefined) return;
  }
}
