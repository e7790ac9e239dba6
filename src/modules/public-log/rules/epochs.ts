/**
 * Epochs of the public log. A restored backup is older than the log was: to append to it would sign two trees of one
 * name. So the log goes on as a new epoch, a tree with a name of its own, whose first entry is the SHA-256 of a
 * statement: what was known of the log, and what the restored database still holds of it. Pure.
 */
import { createHash } from 'node:crypto';
import type { Checkpoint } from './checkpoint';

export const FIRST_EPOCH = 1;
const TITLE = 'threshold-log-restore/v1';

/** The name of an epoch's tree, from the name of the log's first tree. */
export const originOfEpoch = (base: string, epoch: number): string =>
  epoch === FIRST_EPOCH ? base : `${base}/${epoch}`;

/** The epoch that a tree's name says. The host is not looked at: it may have changed. */
export function epochOfOrigin(origin: string): number {
  return Number(/\/threshold-log\/([1-9]\d{0,5})$/.exec(origin)?.[1] ?? FIRST_EPOCH);
}

export interface RestoreStatement {
  /** The new epoch's tree. */
  origin: string;
  /** ISO 8601. */
  began_at: string;
  /** What the database holds of the epochs before: the newest tree in it, null when it holds none. */
  restored: Checkpoint | null;
  /** The newest checkpoint that is known of the epochs before, as it was signed; null when none is. */
  last_known: string | null;
}

/** The statement as it is published. */
export function statementText({ origin, began_at, restored, last_known }: RestoreStatement): string {
  const tree = restored ? `${restored.origin} ${restored.size} ${restored.root.toString('base64')}` : 'none';
  return `${TITLE}\norigin ${origin}\nbegan ${began_at}\nrestored ${tree}\n\n${last_known ?? 'none\n'}`;
}

/** Reads a statement. Throws when it is none. The signature of the checkpoint in it is not verified. */
export function readStatement(text: string): RestoreStatement {
  const pattern =
    /^threshold-log-restore\/v1\norigin (\S+)\nbegan (\S+)\nrestored (?:none|(\S+) (\d+) (\S+))\n\n([\s\S]*)$/;
  const [, origin, began_at, tree, size, root, known] = pattern.exec(text) ?? [];
  if (!origin || !began_at || !known) throw new Error('It is no statement of a restore.');
  return {
    origin,
    began_at,
    restored: tree ? { origin: tree, size: Number(size), root: Buffer.from(root ?? '', 'base64') } : null,
    last_known: known === 'none\n' ? null : known,
  };
}

/** The first entry of the epoch that a statement begins, lower-case hex. */
export const statementSha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** An epoch that a restore began. */
export interface Restore {
  epoch: number;
  began_at: Date;
  /** The time of the last entry that the restored database held; null when it held none. */
  kept_until: Date | null;
  /** How many entries of the epoch before are known to be lost; null when nothing is known of them. */
  lost_entries: number | null;
}

/** A restore in a sentence for the operator. */
export function restoreSentence({ epoch, began_at, lost_entries }: Restore): string {
  const lost = lost_entries === null ? 'It is not known' : `${lost_entries} entries are known`;
  const what = lost_entries === null ? 'whether entries were lost' : 'to be lost';
  return `A restored database began epoch ${epoch} of the public log on ${began_at.toISOString()}. ${lost} ${what}.`;
}
