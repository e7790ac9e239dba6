/** Implements `admin log verify`: reads the whole log and recomputes it. */
import { getLogSigningKeyPair } from './log-key';
import * as repository from './repository';
import { type Checkpoint, verifyCheckpointNote } from './rules/checkpoint';
import {
  FIRST_LOG_EPOCH_NUMBER,
  hashPublishedBackupRestoreStatement,
  parseLogEpochNumber,
  parsePublishedBackupRestoreStatement,
} from './rules/epochs';
import { appendLeafToTree, computeMerkleRoot } from './rules/merkle';
import { convertPdfHashToLogLeaf, listLoggedDatabaseRestores } from './service';

const BATCH = 1_000;

export interface PublicLogVerdict {
  /** The problems found, as English sentences. */
  problems: string[];
  /**
   * The number of the newest epoch. A new epoch begins when a backup is restored (rules/epochs.ts).
   */
  epoch: number;
  tree_size: number;
  /** The root hash in base64, computed from the stored entries. */
  root_hash: string;
  restores: { epoch: number; began_at: string; lost_entries: number | null }[];
}

type Kept = Checkpoint & { epoch: number };

/**
 * Recomputes every epoch and reports problems. Every entry must be in its position. Every
 * checkpoint must be signed and match the entries up to it. Every stored hash must be correct.
 * Every epoch after the first must begin with the hash of its restore statement. For each saved
 * checkpoint in `kept`, the log must still begin with the entries that it signed, or the restore
 * statement of the next epoch must declare their loss.
 */
export async function checkPublicLog(kept: readonly string[] = []): Promise<PublicLogVerdict> {
  const problems: string[] = [];
  const known = kept.flatMap((note) => {
    const checkpoint = openOrReport(note, 'A checkpoint that was given', problems);
    return checkpoint ? [{ ...checkpoint, epoch: parseLogEpochNumber(checkpoint.origin) }] : [];
  });
  const statements = new Map(
    (await repository.listPublicLogEpochs()).map(({ number, statement }) => [number, statement]),
  );
  const newest = Math.max(
    FIRST_LOG_EPOCH_NUMBER,
    ...statements.keys(),
    (await repository.findLastLogEntry())?.epoch ?? FIRST_LOG_EPOCH_NUMBER,
  );
  let tree = { tree_size: 0, root_hash: '' };
  for (let epoch = FIRST_LOG_EPOCH_NUMBER; epoch <= newest; epoch += 1) {
    const own = known.filter((one) => one.epoch === epoch);
    const checked = await checkEpoch(epoch, statements.get(epoch) ?? null, own, problems);
    tree = checked;
    const ended = endOf(epoch, statements);
    if (ended && (ended.size !== checked.tree_size || ended.root.toString('base64') !== checked.root_hash))
      problems.push(`Epoch ${epoch} ended with ${ended.size} entries; the log has ${checked.tree_size} of it.`);
    const stated = statedSize(statements.get(epoch + 1), problems);
    for (const one of own)
      if (one.size > checked.tree_size && one.size > stated)
        problems.push(`A checkpoint signed ${one.size} entries; the log has ${checked.tree_size}.`);
  }
  for (const one of known)
    if (one.epoch > newest) problems.push(`A checkpoint is of epoch ${one.epoch}; the log has ${newest}.`);
  const restores = (await listLoggedDatabaseRestores()).map(({ epoch, began_at, lost_entries }) => ({
    epoch,
    began_at: began_at.toISOString(),
    lost_entries,
  }));
  return { problems, epoch: newest, ...tree, restores };
}

/**
 * Returns the epoch's tree as a restored database contained it, according to the latest statement
 * of a later epoch. Returns null when no statement names such a tree.
 */
function endOf(epoch: number, statements: ReadonlyMap<number, string>): Checkpoint | null {
  const restored = [...statements].map(([number, text]) => ({
    number,
    tree: parsePublishedBackupRestoreStatement(text).restored,
  }));
  const last = restored.findLast(
    ({ number, tree }) => tree && parseLogEpochNumber(tree.origin) === epoch && number > epoch,
  );
  return last?.tree ?? null;
}

/**
 * Returns the size of the last known tree that an epoch's statement about a restored backup names,
 * or 0.
 */
function statedSize(statement: string | undefined, problems: string[]): number {
  const note = statement && parsePublishedBackupRestoreStatement(statement).last_known;
  return note ? (openOrReport(note, 'The checkpoint in a statement', problems)?.size ?? 0) : 0;
}

async function checkEpoch(epoch: number, statement: string | null, known: readonly Kept[], problems: string[]) {
  const at = (what: string) => (epoch === FIRST_LOG_EPOCH_NUMBER ? what : `${what} of epoch ${epoch}`);
  let size = 0;
  let nodes = 0;
  let peaks: Buffer[] = [];
  const summary = () => ({ tree_size: size, root_hash: computeMerkleRoot(peaks).toString('base64') });
  for (;;) {
    const entries = await repository.listLogEntries(epoch, size, BATCH);
    const stored = await storedNodes(epoch, size, entries.length);
    for (const entry of entries) {
      if (entry.position !== size) {
        problems.push(`${at(`Entry ${size}`)} is missing.`);
        return summary();
      }
      if (
        size === 0 &&
        epoch !== FIRST_LOG_EPOCH_NUMBER &&
        entry.pdf_sha256 !== (statement && hashPublishedBackupRestoreStatement(statement))
      )
        problems.push(`${at('The first entry')} is not that of its statement.`);
      const grown = appendLeafToTree(size, peaks, convertPdfHashToLogLeaf(entry.pdf_sha256));
      for (const { level, position, hash } of grown.nodes)
        if (!stored.get(`${level}/${position}`)?.equals(hash))
          problems.push(`${at(`The hash ${level}/${position}`)} is wrong.`);
      ({ peaks } = grown);
      nodes += grown.nodes.length;
      size += 1;
      const signed = openOrReport(entry.checkpoint, at(`The checkpoint of entry ${entry.position}`), problems);
      const is_signed = signed?.size === size && signed.root.equals(computeMerkleRoot(peaks));
      if (signed && (!is_signed || parseLogEpochNumber(signed.origin) !== epoch))
        problems.push(`${at(`Entry ${entry.position}`)} is not what was signed.`);
      for (const one of known)
        if (one.size === size && !one.root.equals(computeMerkleRoot(peaks)))
          problems.push(`The first ${size} entries are not those that the checkpoint of ${one.origin} signed.`);
    }
    if (entries.length < BATCH) break;
  }
  if (size === 0 && epoch !== FIRST_LOG_EPOCH_NUMBER) problems.push(`Epoch ${epoch} has no entries.`);
  if ((await repository.countMerkleNodes(epoch)) > nodes) problems.push(at('There are hashes of no entry.'));
  return summary();
}

function openOrReport(note: string, what: string, problems: string[]): Checkpoint | null {
  try {
    return verifyCheckpointNote(note, getLogSigningKeyPair().public);
  } catch (error) {
    problems.push(`${what}: ${(error as Error).message}`);
    return null;
  }
}

/** Returns the stored hashes of the subtrees that these entries complete. */
async function storedNodes(epoch: number, from: number, count: number): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (let level = 0; level < 32; level += 1) {
    const first = Math.floor(from / 2 ** level);
    const completed = Math.floor((from + count) / 2 ** level) - first;
    // If no subtree of this size was completed, no larger subtree was completed either.
    if (completed === 0) break;
    const rows = await repository.listMerkleNodes(epoch, level, first, completed);
    for (const { position, hash } of rows) found.set(`${level}/${position}`, Buffer.from(hash));
  }
  return found;
}
