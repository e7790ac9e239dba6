/** A certificate's files, wherever they lie. Throws StorageError while the storage cannot give one: the answer is 503 then. */
import { appSecret } from '@/config';
import { decryptBytes } from '@/infra/encryption';
import { isStorageError, storage } from '@/infra/storage/object-store';
import { PHOTO_PURPOSE } from '@/modules/signing/service';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';

/** What encrypts a sealed PDF in the storage. In the database it is as it is; a photo is encrypted in either. */
export const PDF_PURPOSE = 'sealed-pdf';

/** What is stored is not what was encrypted here. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/** Whether a file is lost or damaged: another try brings nothing. Not so while the storage is away. */
export const isGone = (error: unknown): boolean =>
  error instanceof UnreadableFile || (isStorageError(error) && error.kind === 'missing');

/** For what goes on without it. */
export const orGone = <T>(file: Promise<T>): Promise<T | 'gone'> =>
  file.catch((error) => {
    if (isGone(error)) return 'gone';
    throw error;
  });

/** What was encrypted here, as it was. Throws UnreadableFile. */
export function openStored(purpose: string, stored: Uint8Array): Buffer {
  try {
    return decryptBytes(appSecret(), purpose, stored);
  } catch (cause) {
    throw new UnreadableFile('A stored file is not what was encrypted here.', { cause });
  }
}

/** The sealed PDF; null while there is none, and once it was redacted. */
export const readSealedPdf = (scope: Scope, id: string) => readFile(scope, id, 'pdf');

/** The guest's photo, opened; null when there is none. Throws UnreadableFile. */
export async function readPhoto(scope: Scope, id: string): Promise<Buffer | null> {
  const stored = await readFile(scope, id, 'photo');
  return stored && openStored(PHOTO_PURPOSE, stored);
}

/** The bytes as their column has them. */
async function readFile(scope: Scope, id: string, column: repository.FileColumn): Promise<Uint8Array | null> {
  for (let again = false; ; again = true) {
    const place = await repository.findPlace(scope, id, column);
    if (!place?.object) return place?.bytes ?? null;
    try {
      return await fetchFile(column, place.object);
    } catch (error) {
      // It was moved or redacted after its place was read.
      if (again || !isStorageError(error) || error.kind !== 'missing') throw error;
    }
  }
}

/** An object's bytes as their column would have them. */
export async function fetchFile(column: repository.FileColumn, key: string): Promise<Buffer> {
  const stored = await storage().get(key);
  return column === 'pdf' ? openStored(PDF_PURPOSE, stored) : stored;
}
