/**
 * Every endpoint that serves the sealed PDF reads it through this file: the guest's pages and
 * mails, the API, the dashboard, the dispute pack and the export.
 * guest/http/certificate/pdf-access.test.ts tests all of them. The verification token does not
 * grant access, because events and the certificate contain it.
 */
import { decidePdfAccess, type PdfRequester } from '@/modules/links/certificate-access.rules';
import type { Scope } from '@/shared/scope';
import { readSealedPdf } from './files/read';
import * as repository from './repository';
import { isEvidenceGenuine, readSealedEvidence } from './verify/sealed-evidence';

/**
 * Returns the sealed PDF. Returns null for a reader without access, and for a guest whose
 * certificate fails verification. Throws StorageError and UnreadableStoredFileError.
 */
export async function readSealedPdfIfPermitted(
  reader: PdfRequester,
  scope: Scope,
  id: string,
): Promise<Uint8Array | null> {
  const head = await repository.findSignatureWithoutLargeColumns(scope, id);
  if (!head || decidePdfAccess(reader, head) !== 'granted') return null;
  // The team may read a file that fails verification, but the guest may not.
  if (reader === 'guest' && !isEvidenceGenuine(await readSealedEvidence({ scope, head }))) return null;
  return readSealedPdf(scope, id);
}
