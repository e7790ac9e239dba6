/** `admin log verify`: the public log computed anew, and held against the certificates and a checkpoint that somebody kept. */
import { readFile } from 'node:fs/promises';
import { checkLog, type LogVerdict } from '@/modules/public-log/check-log';
import { compareWithLog } from '../repository';

export interface WholeLogVerdict extends LogVerdict {
  ok: boolean;
  /** Sealed certificates that are not in the log. */
  not_entered: number;
  /** Entries whose certificate is gone with its account. */
  without_certificate: number;
}

/** Throws when the file cannot be read. */
export async function verifyLog(checkpoint_file?: string): Promise<WholeLogVerdict> {
  const kept = checkpoint_file ? [await readFile(checkpoint_file, 'utf8')] : [];
  const { problems, ...log } = await checkLog(kept);
  const compared = await compareWithLog();
  if (compared.not_entered > 0) problems.push(`${compared.not_entered} certificates are not in the log.`);
  return { ok: problems.length === 0, problems, ...log, ...compared };
}
