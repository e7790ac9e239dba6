/**
 * The sealed PDF for a reader who may have it. Every door that gives the file reads it here: the guest's pages and mails,
 * the API, the dashboard, the dispute pack and the export (guest/http/certificate/pdf-doors.test.ts lists and tries them).
 * The verify token gives nobody the file: it stands in events and on the certificate itself.
 */
import { type PdfReader, pdfAccess } from '@/modules/links/certificate-access.rules';
import type { Scope } from '@/shared/scope';
import { readSealedPdf } from './files/read';
import * as repository from './repository';
import { isGenuine, readSealedEvidence } from './verify/sealed-evidence';

/** Returns null for a reader who may not have it, and for a guest whose certificate is not what was sealed. Throws StorageError and UnreadableFile as files/read.ts does. */
export async function readPdfFor(reader: PdfReader, scope: Scope, id: string): Promise<Uint8Array | null> {
  const head = await repository.findHead(scope, id);
  if (!head || pdfAccess(reader, head) !== 'granted') return null;
  // A team sees what is wrong with its file; a guest is given none that is not what was sealed.
  if (reader === 'guest' && !isGenuine(await readSealedEvidence({ scope, head }))) return null;
  return readSealedPdf(scope, id);
}
