/** Reads a certificate's files. Throws StorageError when the storage is unreachable (503). */
import { getAppSecret } from '@/config';
import { decryptBytes } from '@/infra/encryption';
import { isStorageError, storage } from '@/infra/storage/object-store';
import { DRAWN_SIGNATURE_ENCRYPTION_PURPOSE, GUEST_PHOTO_ENCRYPTION_PURPOSE } from '@/modules/signing/service';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';

/** The encryption purpose of a PDF in the storage. PDFs in the database are not encrypted. */
export const PDF_ENCRYPTION_PURPOSE = 'sealed-pdf';

/** Thrown for stored bytes that are damaged or that this installation did not encrypt. */
export class UnreadableStoredFileError extends Error {
  override name = 'UnreadableStoredFileError';
}

/** Returns whether a file is lost or damaged. In that case retrying does not help. */
export const isLostOrDamagedFileError = (error: unknown): boolean =>
  error instanceof UnreadableStoredFileError || (isStorageError(error) && error.kind === 'missing');

/** Returns `gone` for a lost or damaged file, for callers that continue without it. */
export const awaitFileOrGoneIfLostOrDamaged = <T>(file: Promise<T>): Promise<T | 'gone'> =>
  file.catch((error) => {
    if (isLostOrDamagedFileError(error)) return 'gone';
    throw error;
  });

/** Decrypts stored bytes. Throws UnreadableStoredFileError. */
export function decryptStoredFile(purpose: string, stored: Uint8Array): Buffer {
  try {
    return decryptBytes(getAppSecret(), purpose, stored);
  } catch (cause) {
    throw new UnreadableStoredFileError('A stored file is not what was encrypted here.', { cause });
  }
}

/** Returns the sealed PDF, or null when there is none yet or it was redacted. */
export const readSealedPdf = (scope: Scope, id: string) => readFile(scope, id, 'pdf');

/**
 * Returns the guest's decrypted photo, or null when there is none. Throws
 * UnreadableStoredFileError.
 */
export async function readCertificatePhoto(scope: Scope, id: string): Promise<Buffer | null> {
  const stored = await readFile(scope, id, 'photo');
  return stored && decryptStoredFile(GUEST_PHOTO_ENCRYPTION_PURPOSE, stored);
}

/** Returns the content of a file column, from the row or from the storage. */
async function readFile(
  scope: Scope,
  id: string,
  column: repository.CertificateFileColumn,
): Promise<Uint8Array | null> {
  for (let again = false; ; again = true) {
    const place = await repository.findCertificateFileLocation(scope, id, column);
    if (!place?.object) return place?.bytes ?? null;
    try {
      return await fetchFileFromStorage(column, place.object);
    } catch (error) {
      // The file may have been moved or redacted after its location was read, so the read is
      // retried once.
      if (again || !isStorageError(error) || error.kind !== 'missing') throw error;
    }
  }
}

/**
 * Fetches a file from the storage. Returns it in the form in which the database would contain it.
 */
export async function fetchFileFromStorage(column: repository.CertificateFileColumn, key: string): Promise<Buffer> {
  const stored = await storage().get(key);
  return column === 'pdf' ? decryptStoredFile(PDF_ENCRYPTION_PURPOSE, stored) : stored;
}

/** Returns the decrypted drawing, or null when there is none. Throws UnreadableStoredFileError. */
export const decryptDrawnSignature = async (stored: Uint8Array | null) =>
  stored && decryptStoredFile(DRAWN_SIGNATURE_ENCRYPTION_PURPOSE, stored);
