/** For a backup, replaces a certificate's references to the storage with the files themselves. */
import { fetchFileFromStorage, isLostOrDamagedFileError } from './read';
import { CERTIFICATE_FILE_COLUMNS } from './repository';

export interface JsonWithInlinedFiles {
  json: string;
  /** Files that the storage lost or damaged, as `sig_… pdf`. */
  lost: string[];
}

/** Inserts the files into a row that row_to_json converted. Throws StorageError. */
export async function insertFilesIntoJson(json: string): Promise<JsonWithInlinedFiles> {
  if (!/"(pdf|photo)_object":"/.test(json)) return { json, lost: [] };
  const row = JSON.parse(json) as Record<string, string | null>;
  const lost: string[] = [];
  for (const column of CERTIFICATE_FILE_COLUMNS) {
    const key = row[`${column}_object`];
    if (!key) continue;
    row[`${column}_object`] = null;
    try {
      row[column] = `\\x${(await fetchFileFromStorage(column, key)).toString('hex')}`;
    } catch (error) {
      if (!isLostOrDamagedFileError(error)) throw error;
      lost.push(`${row.id} ${column}`);
    }
  }
  return { json: JSON.stringify(row), lost };
}
