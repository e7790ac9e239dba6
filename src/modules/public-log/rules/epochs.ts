/**
 * Epochs of the public log. A restored database contains an older log. Appending to it would sign
 * two different trees under one name. The log therefore continues in a new epoch, which is a tree
 * with its own name. Its first entry is the SHA-256 of a statement. The statement describes what
 * was known of the log and what the restored database contains. Pure.
 */
import { createHash } from 'node:crypto';
import type { Checkpoint } from './checkpoint';

export const FIRST_LOG_EPOCH_NUMBER = 1;
const TITLE = 'threshold-log-restore/v1';

/** Returns the name of an epoch's tree. `base` is the name of the first epoch's tree. */
export const getLogEpochTreeName = (base: string, epoch: number): string =>
  epoch === FIRST_LOG_EPOCH_NUMBER ? base : `${base}/${epoch}`;

/** Returns the epoch in a tree's name. Ignores the host, because it may have changed. */
export function parseLogEpochNumber(origin: string): number {
  return Number(/\/threshold-log\/([1-9]\d{0,5})$/.exec(origin)?.[1] ?? FIRST_LOG_EPOCH_NUMBER);
}

export interface PublishedBackupRestoreStatement {
  /** The name of the new epoch's tree. */
  origin: string;
  /** ISO 8601. */
  began_at: string;
  /** The newest tree in the restored database. Null when the restored log is empty. */
  restored: Checkpoint | null;
  /** The newest known signed checkpoint of earlier epochs. Null when none is known. */
  last_known: string | null;
}

/** Returns the text of a statement about a restored backup, as the public log publishes it. */
export function renderPublishedBackupRestoreStatement({
  origin,
  began_at,
  restored,
  last_known,
}: PublishedBackupRestoreStatement): string {
  const tree = restored ? `${restored.origin} ${restored.size} ${restored.root.toString('base64')}` : 'none';
  return `${TITLE}\norigin ${origin}\nbegan ${began_at}\nrestored ${tree}\n\n${last_known ?? 'none\n'}`;
}

/**
 * Parses the statement about the database restore that began an epoch. Does not verify the
 * checkpoint in it. Throws for any other text.
 */
export function parsePublishedBackupRestoreStatement(text: string): PublishedBackupRestoreStatement {
  const pattern =
    /^threshold-log-restore\/v1\norigin (\S+)\nbegan (\S+)\nrestored (?:none|(\S+) (\d+) (\S+))\n\n([\s\S]*)$/;
  const [, origin, began_at, tree, size, root, known] = pattern.exec(text) ?? [];
  if (!origin || !began_at || !known) throw new Error('It is not a statement of a restore.');
  return {
    origin,
    began_at,
    restored: tree ? { origin: tree, size: Number(size), root: Buffer.from(root ?? '', 'base64') } : null,
    last_known: known === 'none\n' ? null : known,
  };
}

/**
 * Returns the lower-case hex SHA-256 of a statement about a restored backup. The hash is the first
 * entry of the epoch that begins with the restore.
 */
export const hashPublishedBackupRestoreStatement = (text: string): string =>
  createHash('sha256').update(text).digest('hex');

/** A restore of the database that began a new epoch. */
export interface LoggedDatabaseRestore {
  epoch: number;
  began_at: Date;
  /** The time of the last entry in the restored database. Null when the restored log was empty. */
  kept_until: Date | null;
  /** The number of entries of the previous epoch that were lost. Null when unknown. */
  lost_entries: number | null;
}

/** Describes a restore in a sentence for the operator. */
export function formatLoggedDatabaseRestoreSentence({ epoch, began_at, lost_entries }: LoggedDatabaseRestore): string {
  const lost = lost_entries === null ? 'It is not known' : `${lost_entries} entries are known`;
  const what = lost_entries === null ? 'whether entries were lost' : 'to be lost';
  return `A restored database began epoch ${epoch} of the public log on ${began_at.toISOString()}. ${lost} ${what}.`;
}
