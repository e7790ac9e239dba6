/** A certificate's row for a backup: what lies in the storage is put where the database would have it. */
import { fetchFile, isGone } from './read';
import { FILE_COLUMNS } from './repository';

export interface Inlined {
  json: string;
  /** Files that the storage does not have, or has damaged: `sig_… pdf`. */
  lost: string[];
}

/** From and to the row as PostgreSQL's row_to_json gives it. Throws StorageError when the storage is away. */
export async function inlineFiles(json: string): Promise<Inlined> {
  if (!/"(pdf|photo)_object":"/.test(json)) return { json, lost: [] };
  const row = JSON.parse(json) as Record<string, string | null>;
  const lost: string[] = [];
  for (const column of FILE_COLUMNS) {
    const key = row[`${column}_object`];
    if (!key) continue;
    row[`${column}_object`] = null;
    try {
      row[column] = `\\x${(await fetchFile(column, key)).toString('hex')}`;
    } catch (error) {
      if (!isGone(error)) throw error;
      lost.push(`${row.id} ${column}`);
    }
  }
  return { json: JSON.stringify(row), lost };
}
